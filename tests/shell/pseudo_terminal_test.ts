/** Commands with a terminal of their own, made by the `script` of this machine. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { findProgram } from "@/sandbox/program.ts";
import { inTerminal } from "@/shell/pseudo_terminal.ts";
import { ShellError } from "@/shell/shell.ts";
import { livingWith } from "../support/processes.ts";
import { shellTest, uniqueSeconds, watch } from "../support/shell.ts";

const hasScript = await findProgram("script", { path: Deno.env.get("PATH") ?? "" }) !== undefined;
const terminalTest: typeof shellTest = (name, body, parts) => {
  if (hasScript) shellTest(name, body, parts);
  else Deno.test({ name: `${name} (needs script)`, ignore: true }, () => {});
};

terminalTest(
  "a command is given a terminal with a size, and its exit code counts",
  async ({ shell }) => {
    const command = "tty; stty size; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo yes; exit 3";
    const outcome = await shell.run({ command, terminal: true }, watch());
    ok(outcome.kind === "ended");
    equal(outcome.code, 3);
    match(outcome.output, /^\/dev\/\S+\n40 120\nyes\n$/);
    const plain = await shell.run({ command: "tty; [ -t 0 ] || echo none" }, watch());
    match(plain.output, /not a tty\nnone/);
  },
);

terminalTest("a program in a terminal asks, and is answered", async ({ shell }) => {
  const command =
    "read -r -p 'name? ' x; echo \"hello $x\"; echo 'more'; read -r y; echo \"got $y\"";
  const first = await shell.run({ command, terminal: true }, watch());
  ok(first.kind === "waiting");
  equal([first.why, first.output], ["prompt", "name? "]);
  const second = await shell.send(undefined, "jo", watch());
  ok(second.kind === "waiting", JSON.stringify(second));
  if (Deno.build.os === "linux") equal(second.why, "reads");
  match(second.output, /hello jo\nmore\n$/);
  const last = await shell.send(undefined, "x", watch());
  ok(last.kind === "ended");
  match(last.output, /got x\n$/);
});

terminalTest(
  "what sleeps in a terminal is waited for, and ended with all it started",
  async ({ shell, processes }) => {
    const slept = await shell.run({ command: "sleep 1; echo slept", terminal: true }, watch());
    equal(slept, { kind: "ended", code: 0, output: "slept\n" });
    const seconds = uniqueSeconds();
    const late = await shell.run(
      { command: `sleep ${seconds}`, terminal: true, timeoutS: 0.7 },
      watch(),
    );
    equal(late.kind, "late");
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  },
);

terminalTest("a command that ends with its own quotes is run as it stands", async ({ shell }) => {
  const command = `printf '%s|' "a b" 'c"d' \\$x; # end`;
  const outcome = await shell.run({ command, terminal: true }, watch());
  equal(outcome.output, 'a b|c"d|$x|');
});

shellTest("a machine without script says so", async ({ shell, processes }) => {
  const find = processes.find.bind(processes);
  processes.find = (name, notUnder) =>
    name === "script" ? Promise.resolve(undefined) : find(name, notUnder);
  await rejects(shell.run({ command: "tty", terminal: true }, watch()), (error: unknown) => {
    ok(error instanceof ShellError);
    match(error.message, /no program here that makes one \(script\)$/);
    return true;
  });
});

Deno.test("inTerminal() sets the size first and passes the line on whole", () => {
  const made = inTerminal({ script: "/usr/bin/script", shell: "/bin/bash", command: "a 'b'" });
  if (Deno.build.os === "windows") return equal(made, undefined);
  ok(made?.args.some((arg) => arg.endsWith("\na 'b'")));
});
