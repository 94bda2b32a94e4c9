import { deepStrictEqual as equal } from "node:assert/strict";
import { PersonError } from "@/protocol/error.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import type { DecidedBy } from "@/protocol/policy.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { errorOf, exitCodeOf, resultDocument, UsageFold } from "@/terminal/result.ts";

function outcome(stop: TurnOutcome["stop"], by: DecidedBy[] = [], error?: unknown): TurnOutcome {
  const calls = by.map((by, n) => ({
    call: { type: "tool_call", id: `${n}`, name: "edit_file", input: {} } as const,
    result: { status: "ok", text: "", changed: ["/ws/src/a.ts", "/other/b"] } as const,
    decision: { verdict: by === "nobody" ? "deny" : "allow", by, reason: "r" } as const,
    asked: by === "nobody",
    ms: 4,
  }));
  return { stop, answer: "said", requests: 1, calls, ...(error === undefined ? {} : { error }) };
}

Deno.test("exitCodeOf() follows the contract", () => {
  const cases: [TurnOutcome, number][] = [
    [outcome("end"), 0],
    [outcome("end", ["rule", "guard"]), 0],
    [outcome("end", ["rule", "nobody"]), 4],
    [outcome("refusal"), 1],
    [outcome("error", ["nobody"], new Error("x")), 1],
    [outcome("length"), 3],
    [outcome("limit"), 3],
    [outcome("limit", ["nobody"]), 4],
    [outcome("limit", [], new ProviderError("overflow", "too long")), 3],
    [outcome("abort"), 130],
  ];
  equal(cases.map(([one]) => exitCodeOf(one)), cases.map(([, code]) => code));
});

Deno.test("resultDocument() holds every field, and paths of the workspace relative to it", () => {
  const usage = new UsageFold();
  usage.sink({
    type: "usage",
    purpose: "turn",
    model: "m",
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  });
  usage.sink({
    type: "usage",
    purpose: "title",
    model: "m",
    usage: { input: 9, output: 0, cacheRead: 0, cacheWrite: 0 },
  });
  const document = resultDocument(outcome("end", ["rule"]), {
    session: "0199",
    id: "fix",
    model: "ollama/m",
    durationMs: 12.6,
    usage,
    workspace: "/ws",
    cost: ({ input }) => input * 2,
  });
  equal(document, {
    version: 1,
    session: "0199",
    id: "fix",
    model: "ollama/m",
    answer: "said",
    stop: "end",
    exitCode: 0,
    requests: 1,
    durationMs: 13,
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    otherUsage: { input: 9, output: 0, cacheRead: 0, cacheWrite: 0 },
    cost: 2,
    calls: [
      {
        id: "0",
        name: "edit_file",
        verdict: "allow",
        by: "rule",
        asked: false,
        status: "ok",
        ms: 4,
      },
    ],
    changed: ["src/a.ts", "/other/b"],
  });
});

Deno.test("errorOf() names kind, message and hint", () => {
  equal(errorOf(new ProviderError("auth", "no", { hint: "look" })), {
    kind: "auth",
    message: "no",
    hint: "look",
  });
  equal(errorOf(new PersonError("state", "s")), { kind: "state", message: "s", hint: "" });
  equal(errorOf(new TypeError("bug")), { kind: "internal", message: "bug", hint: "" });
});
