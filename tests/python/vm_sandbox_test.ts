/** The Python VM inside the real boundary. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { PythonVm } from "@/python/vm.ts";
import { vmResult } from "@/python/outcome_text.ts";
import { VM_LIMITS, watching } from "../support/python_vm.ts";
import { type Inside, needing, withSandbox } from "../support/sandbox.ts";

type At = Inside & { vm: PythonVm; scratch: string; text(code: string): Promise<string> };

async function insideTest(name: string, body: (at: At) => Promise<void>): Promise<void> {
  const { ignore } = await needing("python3");
  Deno.test({ name, ignore }, () =>
    withSandbox(async (inside) => {
      const { processes, workspace, state, sandbox } = inside;
      const scratch = join(state, "vm");
      const vm = new PythonVm({
        ...{ processes, workspace, scratch, limits: () => VM_LIMITS, interruptMs: 5_000 },
        wrap: (path) => sandbox.wrap({ writable: [path], canWriteWorkspace: false }),
      });
      const text = async (code: string) => vmResult(await vm.run({ code }, watching()), 4_000).text;
      await body({ ...inside, vm, scratch, text });
    }));
}

await insideTest(
  "the project is read, the scratch directory written, and nothing else",
  async (at) => {
    const { text, workspace, scratch, state, vm } = at;
    await Deno.writeTextFile(join(workspace, "mod.py"), "x = 41\n");
    await Deno.writeTextFile(join(state, "providers.json"), "{}");
    match(await text("import mod\nmod.x + 1"), /=> 42/);
    equal(vm.state().running?.isWrapped, true);
    const refused = await text(`open(${JSON.stringify(join(workspace, "new"))}, "w")`);
    match(refused, /Read-only file system/);
    ok(refused.includes(`(The project is only read here; files can be written to ${scratch})`));
    await text("open('note', 'w').write('kept')");
    equal(await Deno.readTextFile(join(scratch, "note")), "kept");
    match(await text(`import os\nos.listdir(${JSON.stringify(state)})`), /=> \['vm'\]/);
    match(
      await text("import socket\nsocket.create_connection(('1.1.1.1', 53), 1)"),
      /OSError|Network is unreachable/,
    );
    equal([...Deno.readDirSync(workspace)].map(({ name }) => name), ["mod.py"]);
  },
);

await insideTest(
  "an interrupt reaches the snippet and what it has started",
  async ({ vm, text }) => {
    await text("a = 5");
    for (
      const code of [
        "print('on')\nwhile True: pass",
        "print('on')\nimport subprocess\nsubprocess.run(['sleep', '60'])",
      ]
    ) {
      const abort = new AbortController();
      const watch = { signal: abort.signal, onOutput: () => setTimeout(() => abort.abort(), 50) };
      const result = vmResult(await vm.run({ code }, watch), 4_000);
      equal(result.status, "interrupted");
      match(result.text, /The variables are kept/);
    }
    match(await text("a"), /=> 5$/);
  },
);

await insideTest("a death inside is told", async ({ text }) => {
  match(
    await text("import os; os._exit(3)"),
    /Python has ended while the code ran, with exit code 3\. All variables are gone/,
  );
  match(await text("import ctypes; ctypes.string_at(0)"), /by signal 11\. All variables are gone/);
  match(await text("1 + 1"), /=> 2$/);
});

await insideTest(
  "a repository that is made while it lives is held in place all the same",
  async (at) => {
    const { text, processes, run } = at;
    await text("a = 1");
    equal(processes.wrappedRunning, 0);
    equal((await run("git init -q .")).code, 0);
    const planted = await run("echo evil > .git/hooks/pre-commit");
    ok(planted.code !== 0);
    match(planted.output, /Read-only file system/);
    match(await text("a"), /=> 1$/);
  },
);
