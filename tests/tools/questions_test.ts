import { deepStrictEqual as equal, match } from "node:assert/strict";
import type { Question } from "@/protocol/policy.ts";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { bind } from "@/agent/bind.ts";
import { getUserInput } from "@/tools/get_user_input.ts";
import { submitPlan } from "@/tools/submit_plan.ts";
import { testHost } from "../support/tool_host.ts";

/** Runs a call as dispatch does; the person answers from the list, and then not at all. */
async function run(
  tool: ToolSpec,
  input: unknown,
  answers: readonly string[],
): Promise<{ result: ToolResult; asked: Question[] }> {
  const asked: Question[] = [];
  const host = testHost("/ws", {
    ask: (questions) => {
      asked.push(...questions);
      const answer = answers[asked.length - 1];
      return Promise.resolve(answer === undefined ? undefined : [answer]);
    },
  });
  const bound = bind(tool, input);
  if (!bound.ok) throw new Error(bound.problem);
  return { result: await tool.run(bound.input, host), asked };
}

Deno.test("get_user_input asks each question with its options, and lists the answers", async () => {
  const questions = [{ question: "Which?", options: ["a", "b"] }, { question: "Why?" }];
  const { result, asked } = await run(getUserInput, { questions }, ["b", " because "]);
  equal(asked, [
    { text: "(1 of 2) Which?", options: ["a", "b"], freeText: true },
    { text: "(2 of 2) Why?", options: [], freeText: true },
  ]);
  equal([result.status, result.text], ["ok", "1. Which?: b\n2. Why?: because"]);
  equal(getUserInput.summary({ questions }), "ask 2 questions");
  equal(getUserInput.summary({ questions }, result), "asked 2 questions: b; because");
});

Deno.test("get_user_input gives the answer to one question bare, however the question was written", async () => {
  for (
    const input of [
      { questions: [{ question: "Name?" }] },
      { questions: ["Name?"] },
      { questions: { question: "Name?" } },
      { questions: '[{"question": "Name?"}]' },
      { questions: "Name?" },
      { prompt: "Name?" },
      { what_do: "Name?" },
    ]
  ) {
    const { result, asked } = await run(getUserInput, input, ["Kim"]);
    equal(asked.map(({ text }) => text), ["Name?"], JSON.stringify(input));
    equal([result.status, result.text], ["ok", "Kim"]);
    const bound = bind(getUserInput, input);
    equal(bound.ok && getUserInput.summary(bound.input, result), 'asked "Name?": Kim');
  }
});

Deno.test("get_user_input keeps what was answered when the person stops midway", async () => {
  const { result, asked } = await run(getUserInput, { questions: ["A?", "B?", "C?"] }, ["one"]);
  equal([asked.length, result.status], [2, "denied"]);
  match(result.text, /did not answer "B\?", "C\?".*did answer:\n1\. A\?: one$/s);
});

Deno.test("get_user_input asks nothing where there is no question", async () => {
  equal((await run(getUserInput, { questions: [] }, [])).result.status, "failed");
});

const PLAN = {
  context_discovered: "a.ts has it",
  diff_blueprint: "change a.ts",
  verification_steps: "run the tests",
};

async function submitted(answer?: string) {
  let approved = 0;
  const tool = submitPlan({ onApproved: () => void approved++ });
  const { result, asked } = await run(tool, PLAN, answer === undefined ? [] : [answer]);
  return { ...result, approved, asked };
}

Deno.test("submit_plan_for_approval shows the whole plan, and an approved one is no refusal", async () => {
  const { status, approved, asked } = await submitted("approve: carry it out");
  equal([status, approved], ["ok", 1]);
  for (const part of Object.values(PLAN)) match(asked[0]?.text ?? "", new RegExp(part));
});

Deno.test("submit_plan_for_approval changes nothing without a clear yes", async () => {
  const rejected = await submitted("reject");
  equal([rejected.status, rejected.approved], ["denied", 0]);
  const silent = await submitted();
  equal([silent.status, silent.approved], ["denied", 0]);
  match(silent.text, /not approved/);
  const revised = await submitted("approve, but leave b.ts alone");
  equal([revised.status, revised.approved], ["ok", 0]);
  match(revised.text, /wants the plan changed.*approve, but leave b\.ts alone.*submit it again/s);
});
