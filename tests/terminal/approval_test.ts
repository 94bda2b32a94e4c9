import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { z } from "zod";
import type { GuardedCall, Reach } from "@/protocol/policy.ts";
import { questionText, readAnswer, readReach } from "@/terminal/approval.ts";
import { defineTool, ok as okResult } from "@/tools/spec.ts";

const REACHES: readonly Reach[] = [
  { kind: "literal", preview: "exactly this", rule: { tool: "run_cmd", literal: "git log" } },
  { kind: "prefix", preview: "git log and its options", rule: "run_cmd(git log *)" },
];

function commandCall(command: string): GuardedCall {
  const tool = defineTool({
    name: "run_cmd",
    description: "Run.",
    input: z.object({ command: z.string() }),
    effect: () => "changes",
    subject: (input) => ({ kind: "command", text: input.command }),
    summary: (input) => `run ${input.command.slice(0, 10)}`,
    run: () => Promise.resolve(okResult("")),
  });
  return {
    id: "1",
    tool,
    input: { command },
    effect: "changes",
    subject: { kind: "command", text: command },
    outside: false,
  };
}

Deno.test("questionText() shows the whole command and draws hidden characters", () => {
  const command = `echo ${"a".repeat(500)}; rm -rf x\u001b[2K\u202e`;
  const text = questionText(commandCall(command), "nothing allows it", undefined);
  ok(text.includes("a".repeat(500) + "; rm -rf x"));
  // deno-lint-ignore no-control-regex -- The control byte is what must not be there.
  ok(!/[\u001b\u202e]/.test(text));
  match(text, /why you are asked: nothing allows it/);
});

Deno.test("questionText() shows every row of a preview", () => {
  const text = questionText(commandCall("x"), "r", "-old\n+new");
  match(text, /^ {4}-old$/m);
  match(text, /^ {4}\+new$/m);
});

Deno.test("readAnswer() takes exactly y and a, and everything else as no", () => {
  equal(["y", " Y ", "a", "A"].map(readAnswer), ["yes", "yes", "always", "always"]);
  equal(readAnswer(""), { no: "" });
  equal(readAnswer(undefined), { no: "" });
  equal(readAnswer("n"), { no: "" });
  equal(readAnswer("no, use pnpm"), { no: "use pnpm" });
  equal(readAnswer("yes"), { no: "yes" });
  equal(readAnswer("yn"), { no: "yn" });
});

Deno.test("readReach() takes Enter as the literal reach in this project", () => {
  equal(readReach("", REACHES), { answer: "always", reach: REACHES[0], scope: "project" });
  equal(readReach("2r", REACHES), { answer: "always", reach: REACHES[1], scope: "run" });
  equal(readReach("1 e", REACHES), { answer: "always", reach: REACHES[0], scope: "everywhere" });
});

Deno.test("readReach() refuses what names no reach", () => {
  equal(["3", "0", "x", "1 2", undefined].map((line) => readReach(line, REACHES)), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
