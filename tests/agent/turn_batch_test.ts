/** Calls that run at once. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { z } from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { Approver, Guard } from "@/protocol/policy.ts";
import { defineTool, ok } from "@/tools/spec.ts";
import { loop, say, TOOLS } from "../support/loop.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";

/** Each waits until as many as `together` have begun. */
function meeting(together: number): ToolSpec {
  let begun = 0;
  const met = Promise.withResolvers<void>();
  return defineTool({
    name: "meet",
    description: "Wait for the others.",
    input: z.object({ who: z.string() }),
    sideBySide: true,
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: ({ who }) => `meet ${who}`,
    async run({ who }) {
      begun += 1;
      if (begun === together) met.resolve();
      await met.promise;
      return ok(who);
    },
  });
}

const meet = (who: string) => ({ name: "meet", input: { who } });

Deno.test("calls in a row that may run at once do, and each has one result in its place", async () => {
  const provider = scriptedProvider([
    calls([meet("a"), meet("b"), { name: "echo", input: { text: "between" } }, meet("c")]),
    says("ok"),
  ]);
  const { harness } = loop({ provider, tools: [...TOOLS, meeting(2)] });
  const { stop, calls: made } = await say(harness);
  equal([stop, made.map(({ result }) => result.text)], ["end", ["a", "b", "between", "c"]]);
});

Deno.test("of calls that run at once no more run than a turn may make", async () => {
  const provider = scriptedProvider([calls([meet("a"), meet("b"), meet("c")]), says("never")]);
  const { harness } = loop({ provider, tools: [meeting(2)], callsMax: 2 });
  const { stop, calls: made } = await say(harness);
  equal(stop, "limit");
  equal(made.map(({ result }) => result.status), ["ok", "ok", "not_run"]);
});

Deno.test("questions of calls that run at once come one after another, and an answer may answer the next", async () => {
  let isOpen = false;
  let isAlways = false;
  const asked: string[] = [];
  const guard: Guard = () =>
    isAlways ? { verdict: "allow", by: "grant", reason: "always" } : undefined;
  const approver: Approver = async ({ input }) => {
    equal(isOpen, false);
    isOpen = true;
    await new Promise((resolve) => setTimeout(resolve, 0));
    asked.push((input as { who: string }).who);
    isAlways = asked.length === 2;
    isOpen = false;
    return { answer: "yes" };
  };
  const provider = scriptedProvider([calls([meet("a"), meet("b"), meet("c")]), says("ok")]);
  const { harness } = loop({ provider, tools: [meeting(3)], guards: [guard], approver });
  const { calls: made } = await say(harness);
  equal(asked, ["a", "b"]);
  equal(made.map(({ decision, asked }) => [decision.by, asked]), [
    ["person", true],
    ["person", true],
    ["grant", false],
  ]);
});
