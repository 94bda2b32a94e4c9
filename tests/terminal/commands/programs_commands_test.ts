import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { psPart } from "@/lend/ps.ts";
import { vmPart } from "@/lend/vm.ts";
import { PythonVm } from "@/python/vm.ts";
import { Shell } from "@/shell/shell.ts";
import { ps } from "@/terminal/commands/ps.ts";
import { vm } from "@/terminal/commands/vm.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";
import { VM_LIMITS, watching } from "../../support/python_vm.ts";
import { LIMITS, watch } from "../../support/shell.ts";
import { withProcesses } from "../../support/processes.ts";
import { withWorkspace } from "../../support/workspace.ts";

const ignore = Deno.build.os === "windows";

type At = {
  shell: Shell;
  python: PythonVm;
  run(line: string): Promise<{ ok: boolean; text: string }>;
};

function programsTest(name: string, body: (at: At) => Promise<void>): void {
  Deno.test({ name, ignore }, () =>
    withWorkspace((dir) =>
      withProcesses(async (processes) => {
        const shell = new Shell({ processes, workspace: dir, limits: () => LIMITS });
        const scratch = join(dir, "vm");
        const python = new PythonVm({
          processes,
          workspace: dir,
          scratch,
          limits: () => VM_LIMITS,
        });
        const programs = { shell, vm: python, close: () => Promise.resolve() };
        // These two commands use nothing else of their host.
        const host = { ps: psPart(programs), vm: vmPart(programs) } as CommandHost;
        const run = async (line: string) => {
          const [, name, args = ""] = /^\/(\w+) ?(.*)$/.exec(line) ?? [];
          const { ok, text } = await (name === "ps" ? ps : vm).run(args, host);
          return { ok, text };
        };
        await body({ shell, python, run });
        await shell.close();
      })
    ));
}

programsTest("/ps lists, shows and ends what lives", async ({ shell, run }) => {
  equal(await run("/ps"), { ok: true, text: "No command is running" });
  await shell.run({ command: "echo one; echo two;\n  printf 'name: '; read x" }, watch());
  match(
    (await run("/ps")).text,
    /^s1 {2}waiting, \d s {2}echo one; echo two; printf 'name: '; read x\n {6}name:$/,
  );
  equal(await run("/ps tail s1"), { ok: true, text: "one\ntwo\nname:" });
  match((await run("/ps stop s1")).text, /^s1 \(echo one[\s\S]*\) was ended$/);
  equal(await run("/ps"), { ok: true, text: "No command is running" });
});

programsTest("/ps says what it cannot do", async ({ run }) => {
  const refused = async (line: string, expected: RegExp) => {
    const { ok: isOk, text } = await run(line);
    ok(!isOk, line);
    match(text, expected);
  };
  await refused("/ps s1", /^\/ps does not know "s1"; it takes nothing, tail or stop$/);
  await refused(
    "/ps tail",
    /^\/ps tail takes the handle of one command, for example \/ps tail s1$/,
  );
  await refused("/ps stop s1 s2", /takes the handle of one command/);
  await refused("/ps tail s1", /^No command is running as "s1": no command is running$/);
  await refused("/ps stop s1", /^No command is running as "s1"/);
});

programsTest(
  "/vm says what Python is and remembers, forgets it, and ends it",
  async ({ python, run }) => {
    match(
      (await run("/vm")).text,
      /^No Python is running; the next run_python starts one in \/.*\/vm$/,
    );
    match((await run("/vm reset")).text, /nothing to forget$/);
    equal(await run("/vm stop"), { ok: true, text: "No Python is running" });
    await python.run({ code: "a = 1\n_b = 2" }, watching());
    match(
      (await run("/vm")).text,
      /^Python 3\.\d+\.\d+ \(\/.*\), not in a sandbox, up for \d+ s, 1 snippet\nIt remembers a\nIt runs in \/.*\/vm$/,
    );
    match((await run("/vm reset")).text, /^Everything that was defined is forgotten/);
    match((await run("/vm")).text, /2 snippets\nIt remembers nothing\n/);
    match((await run("/vm stop")).text, /^The process was ended/);
    match((await run("/vm")).text, /^No Python is running/);
    equal(await run("/vm restart"), {
      ok: false,
      text: '/vm does not know "restart"; it takes nothing, reset or stop',
    });
  },
);
