import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { resultText } from "@/lib/tool_result.ts";
import { outcomeResult } from "@/shell/outcome_text.ts";
import type { Outcome } from "@/shell/outcome.ts";

const call = { name: "run_cmd", input: { command: "x" } };
const said = (outcome: Outcome) => resultText(outcomeResult(outcome, 600), call);

Deno.test("outcomeResult() says how a command ended", () => {
  equal(said({ kind: "ended", code: 0, output: "42\n" }), "42");
  match(said({ kind: "ended", code: 0, output: "" }), /no output/);
  equal(
    said({ kind: "ended", code: 3, output: "oops\n" }),
    "[Error] run_cmd(command='x'): Command failed (exit code 3).\noops",
  );
  match(
    said({ kind: "ended", code: 139, signal: "SIGSEGV", output: "" }),
    /ended by SIGSEGV \(exit code 139\)/,
  );
});

Deno.test("outcomeResult() says what is waiting, why, and how to answer", () => {
  const text = said({
    ...{ kind: "waiting", session: "s1", command: "python3 game.py", why: "prompt", quietS: 0.61 },
    ...{ output: "추측: ", closed: ["s0 (old)"] },
  });
  match(
    text,
    /^추측:\n\n\[Waiting\] 'python3 game\.py' is still running and has printed nothing for 0\.6 s, /,
  );
  match(
    text,
    /waiting for input\. .*\n {4}\{"name":"send_input","arguments":\{"session":"s1"\}\}\n/,
  );
  match(text, /Ended, because it waited longest for an answer: s0 \(old\)$/);
});

Deno.test("outcomeResult() says what goes on in the background", () => {
  const left = { session: "s2", processes: 3 };
  match(
    said({ kind: "ended", code: 0, output: "up\n", left }),
    /^up\n\n\[Running\] It left 3 processes running as s2\. send_input with session s2 and no stdin/,
  );
  match(
    said({ kind: "running", session: "s1", command: "serve", output: "ready\n" }),
    /^ready\n\n\[Running\] 'serve' goes on in the background\. /,
  );
  equal(
    said({ kind: "stopped", session: "s1", command: "serve", output: "bye\n" }),
    "s1 ('serve') was ended. It printed:\nbye",
  );
});

Deno.test("outcomeResult() keeps what was printed before a stop", () => {
  const late = outcomeResult({ kind: "late", seconds: 120, output: "so far\n" }, 600);
  equal(late.status, "failed");
  match(
    late.text,
    /^The command was stopped after 120 s, with everything it started\. .*\nso far$/s,
  );
  const aborted = outcomeResult({ kind: "aborted", seconds: 1.234, output: "" }, 600);
  equal(aborted, { status: "interrupted", text: "Interrupted after 1.2 s. It printed no output" });
});

Deno.test("outcomeResult() clips long output from the middle, and keeps more of its end", () => {
  const output = Array.from({ length: 500 }, (_, n) => `line ${n}\n`).join("");
  const { text } = outcomeResult({ kind: "ended", code: 0, output }, 600);
  ok(text.length < 700);
  match(text, /^line 0\n.*\[\d+ lines \(\d+ characters\) left out\]\n.*line 499$/s);
  ok(text.indexOf("left out") < text.length / 2);
});

Deno.test("outcomeResult() tells a program that wants a terminal from one that fails", () => {
  const wants = [
    "sudo: a terminal is required to read the password",
    "the input device is not a TTY",
    "Vim: Warning: Output is not to a terminal",
    "stty: 'standard input': Inappropriate ioctl for device",
  ];
  for (const output of wants) {
    match(said({ kind: "ended", code: 1, output }), /It wants a terminal/, output);
  }
  const editor = said({
    kind: "ended",
    code: 1,
    output: "error: There was a problem with the editor 'false'.",
  });
  match(editor, /It wants an editor/);
  ok(!editor.includes("gives it a terminal"), editor);
  ok(
    !said({ kind: "ended", code: 1, output: "terminal.ts:3: error" }).includes("wants a terminal"),
  );
});
