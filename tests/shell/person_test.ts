/** What the person types after a "!", and what they are told about commands that live. */
import { deepStrictEqual as equal, match, ok, throws } from "node:assert/strict";
import { personResult } from "@/shell/outcome_text.ts";
import { Shell, ShellError } from "@/shell/shell.ts";
import { livingWith, withProcesses } from "../support/processes.ts";
import { LIMITS, shellTest, uniqueSeconds, watch } from "../support/shell.ts";

shellTest(
  "a line of the person's runs to its end, whatever it looks like meanwhile",
  async ({ shell, dir }) => {
    const on = watch();
    const line = "printf 'name: '; read x && echo read; sleep 0.6; pwd; exit 4";
    const outcome = await shell.runForPerson(line, on);
    equal(outcome, { kind: "ended", code: 4, output: `name: ${dir}\n` });
    equal(on.seen.join(""), `name: ${dir}\n`);
    equal(personResult(line, outcome, 100), {
      text: `[Shell] $ ${line}\nname: ${dir}\n(exit code 4)`,
      status: "exit code 4",
    });
  },
);

shellTest(
  "it is stopped by the person, and what it printed is kept",
  async ({ shell, processes }) => {
    const seconds = uniqueSeconds();
    const abort = new AbortController();
    const on = { signal: abort.signal, onOutput: () => setTimeout(() => abort.abort(), 10) };
    const started = performance.now();
    const outcome = await shell.runForPerson(`echo partial; sleep ${seconds}`, on);
    ok(performance.now() - started < 20_000);
    equal(outcome.kind, "aborted");
    match(
      personResult("x", outcome, 100).text,
      /^\[Shell\] \$ x\npartial\n\(stopped by the person\)$/,
    );
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  },
);

shellTest("what it leaves running has a handle", async ({ shell, processes }) => {
  const seconds = uniqueSeconds();
  const outcome = await shell.runForPerson(`sleep ${seconds} & echo up`, watch());
  match(
    personResult("x", outcome, 100).text,
    /^\[Shell\] \$ x\nup\n\(it left something running as s1; \/ps shows it\)$/,
  );
  equal((await shell.list()).map(({ session, state, last }) => [session, state, last]), [
    ["s1", "background", "up"],
  ]);
  equal(["s1", "s2", undefined].map((session) => shell.isOfPerson(session)), [true, false, false]);
  await shell.end("s1");
  equal(await livingWith(processes, `sleep ${seconds}`), []);
});

Deno.test({
  name: "it has the person's environment, and the model's commands have not",
  ignore: Deno.build.os === "windows",
}, () =>
  withProcesses(async (processes) => {
    const person = { processes, env: { SOME_TOKEN: "t0ken", LD_MARK: "x" } };
    const shell = new Shell({ processes, workspace: "/", limits: () => LIMITS, person });
    const line = 'echo "$SOME_TOKEN $LD_MARK"';
    equal((await shell.runForPerson(line, watch())).output, "t0ken x\n");
    equal((await shell.run({ command: line }, watch())).output, " \n");
  }, { SOME_TOKEN: "t0ken" }));

shellTest("tail() shows the end of what was printed, whoever has read it", async ({ shell }) => {
  const run = await shell.run({
    command: "echo one; printf '\\033[31mtwo\\033[0m\\n'; sleep 60",
    background: true,
  }, watch());
  ok(run.kind === "running");
  equal(run.output, "one\ntwo\n");
  equal(shell.tail("s1"), "one\ntwo\n");
  equal((await shell.list())[0]?.last, "two");
  throws(() => shell.tail("s2"), ShellError);
  await shell.close();
});

let isWrapped = true;
shellTest("isInside() knows on which side of the boundary a command runs", async ({ shell }) => {
  await shell.run({ command: "printf 'a: '; read x" }, watch());
  equal([shell.isInside("s1"), shell.isInside(undefined), shell.isInside("s9")], [
    true,
    true,
    true,
  ]);
  isWrapped = false;
  await shell.run({ command: "printf 'b: '; read x" }, watch());
  equal([shell.isInside("s1"), shell.isInside(" s2 "), shell.isInside("")], [true, false, false]);
  await shell.close();
}, { wrap: () => isWrapped ? (inner) => inner : undefined });

Deno.test("personResult() says what wants a terminal, and cuts what is long", () => {
  const outcome = {
    kind: "ended",
    code: 1,
    output: "Error opening terminal: not a terminal",
  } as const;
  match(
    personResult("vi", outcome, 100).text,
    /\(exit code 1; it wants a terminal, and commands typed here have none/,
  );
  const long = { kind: "ended", code: 0, output: "x".repeat(1_000) } as const;
  const { text, status } = personResult("y", long, 100);
  match(text, /^\[Shell\] \$ y\nx{33}\n\[1 lines \(900 characters\) left out\]\nx{67}$/);
  equal(status, "");
  equal(
    personResult("true", { kind: "ended", code: 0, output: "" }, 9).text,
    "[Shell] $ true\n(no output)",
  );
});
