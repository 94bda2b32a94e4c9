import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { DurableEvent } from "@/protocol/event.ts";
import type { Approval, GuardedCall } from "@/protocol/policy.ts";
import { loop, say } from "../support/loop.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";

type Ran = { decisions: unknown[]; result: { status: string; text: string }; log: DurableEvent[] };

async function runOne(
  call: { name: string; input?: unknown },
  options: Omit<Parameters<typeof loop>[0], "provider"> = {},
): Promise<Ran> {
  const { harness, log } = loop({
    provider: scriptedProvider([calls([call]), says("ok")]),
    ...options,
  });
  await say(harness);
  const decisions = log.flatMap((event) =>
    event.type === "decision" ? [[event.decision.verdict, event.decision.by, event.asked]] : []
  );
  const message = log.find((event) => event.type === "message" && event.message.role === "tool");
  if (message?.type !== "message" || message.message.role !== "tool") throw new Error("no result");
  return { decisions, result: message.message.result, log };
}

const CHANGE = { name: "change", input: { filepath: "a.ts" } };
const ask = () => ({ verdict: "ask", by: "guard", reason: "nothing allows it" }) as const;
const approve = (approval: Approval) => () => Promise.resolve(approval);

Deno.test("run() asks once and runs after a yes", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: approve({ answer: "yes" }),
  });
  equal([decisions, result.status], [[["allow", "person", true]], "ok"]);
});

Deno.test("run() does nothing after a no and gives its reason to the model", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: approve({ answer: "no", reason: "use b.ts" }),
  });
  equal(decisions, [["deny", "person", true]]);
  equal(result, { status: "denied", text: "Nothing was done: the person said no: use b.ts" });
});

Deno.test("run() refuses when nobody can be asked", async () => {
  const { decisions, result } = await runOne(CHANGE, { guards: [ask] });
  equal([decisions, result.status], [[["deny", "nobody", true]], "denied"]);
});

Deno.test("run() never asks where a guard denies", async () => {
  let isAsked = false;
  const { decisions } = await runOne(CHANGE, {
    guards: [() => ({ verdict: "deny", by: "rule", reason: "no" }), ask],
    approver: () => {
      isAsked = true;
      return Promise.resolve({ answer: "yes" });
    },
  });
  equal([decisions, isAsked], [[["deny", "rule", false]], false]);
});

Deno.test("run() takes the first guard that answers and asks when none does", async () => {
  const { decisions } = await runOne(CHANGE, {
    guards: [() => undefined, () => ({ verdict: "allow", by: "grant", reason: "g" }), ask],
  });
  equal(decisions, [["allow", "grant", false]]);
  equal((await runOne(CHANGE, { guards: [] })).decisions, [["deny", "nobody", true]]);
});

Deno.test("run() refuses a path that must not be touched before any guard is asked", async () => {
  const { decisions, result } = await runOne({ name: "change", input: { filepath: "dangling" } });
  equal(decisions, [["deny", "guard", false]]);
  match(result.text, /dangling link/);
});

Deno.test("run() hands guards the real path of the subject", async () => {
  let seen: GuardedCall | undefined;
  await runOne(CHANGE, {
    guards: [(call) => {
      seen = call;
      return { verdict: "allow", by: "rule", reason: "r" };
    }],
  });
  equal(seen?.subject, { kind: "path", paths: ["/ws/a.ts"] });
  equal([seen?.effect, seen?.outside], ["changes", false]);
});

Deno.test("run() tells hooks about a call that ran and not about one that did not", async () => {
  const told: string[] = [];
  const hook = {
    name: "h",
    afterTool: (call: GuardedCall) => {
      told.push(call.tool.name);
      return Promise.resolve();
    },
  };
  await runOne(CHANGE, { hooks: [hook] });
  await runOne(CHANGE, { hooks: [hook], guards: [ask] });
  equal(told, ["change"]);
});

Deno.test("run() says when an always could not be kept, and goes on", async () => {
  const reach = {
    kind: "literal",
    preview: "this",
    rule: { tool: "change", literal: "a.ts" },
  } as const;
  const { harness, log } = loop({
    provider: scriptedProvider([calls([CHANGE]), says("ok")]),
    guards: [ask],
    approver: approve({ answer: "always", reach, scope: "project" }),
    remember: () => Promise.reject(new Error("disk full")),
  });
  await say(harness);
  ok(log.some((event) => event.type === "notice" && /disk full/.test(event.text)));
  ok(log.some((event) => event.type === "decision" && event.decision.verdict === "allow"));
});

Deno.test("run() turns an approver that throws into a failed result with one decision", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: () => Promise.reject(new Error("screen gone")),
  });
  equal(decisions, [["deny", "guard", false]]);
  equal(result, { status: "failed", text: "screen gone" });
});

Deno.test("run() shows the tail of what the tool printed on its card", async () => {
  const { harness, log } = loop({
    provider: scriptedProvider([calls([{ name: "hang" }])]),
    sink: (event) => {
      if (event.type === "tool_output") harness.interrupt();
    },
  });
  await say(harness);
  ok(log.some((event) => event.type === "tool_end" && event.shown === "half of it"));
});
