import { deepStrictEqual as equal } from "node:assert/strict";
import type { ToolResult } from "@/protocol/tool.ts";
import { causeOf, spokenCall } from "@/terminal/call_text.ts";

const asIs = (text: string) => text;

Deno.test("spokenCall() names the tool and says its sentence, without the name twice", () => {
  const cases:
    readonly (readonly [name: string, summary: string, tool: string, sentence: string])[] = [
      ["read_file", "read a.ts", "read_file", "read a.ts"],
      ["nothing", "nothing", "nothing", ""],
      ["x", "x: not run", "x", "not run"],
      ["run", "running late", "run", "running late"],
      ["!", "$ make", "", "$ make"],
      ["", "did x", "", "did x"],
    ];
  for (const [name, summary, tool, sentence] of cases) {
    equal(spokenCall({ name, summary }, asIs), { name: tool, sentence });
  }
  const { name } = spokenCall({ name: "x".repeat(500), summary: "y" }, asIs);
  equal(name.length < 80, true);
});

Deno.test("causeOf() is the first line of what failed, without a sentence that only announces more", () => {
  const cause = (result: ToolResult) => causeOf(result, undefined, asIs);
  equal(cause({ status: "ok", text: "fine" }), undefined);
  equal(cause({ status: "failed", text: "No such file" }), {
    text: "No such file",
    hasMore: false,
  });
  equal(cause({ status: "failed", text: "It is not there. It reads:\n38: x" }), {
    text: "It is not there.",
    hasMore: true,
  });
  equal(cause({ status: "failed", text: "These are there:\na" }), {
    text: "These are there:",
    hasMore: true,
  });
  const decision = { verdict: "deny", by: "person", reason: "the person said no" } as const;
  equal(causeOf({ status: "denied", text: "Nothing was done" }, decision, asIs), {
    text: "the person said no",
    hasMore: false,
  });
});
