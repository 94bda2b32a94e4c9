import { deepStrictEqual as equal } from "node:assert/strict";
import { guardList } from "@/agent/guards/mod.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { guardedCall } from "../../support/guarded_call.ts";

type Process = ReturnType<NonNullable<ToolSpec["process"]>>;

function callTo(process: Process): GuardedCall {
  const call = guardedCall({ kind: "none" }, { tool: "run_python" });
  return { ...call, tool: { ...call.tool, process: () => process } };
}

async function outcome(
  call: GuardedCall,
  { isSandboxed = false, isAuto = false, isOff = false, isDenied = false },
): Promise<string> {
  const guards = guardList({
    deniesReading: () => undefined,
    policy: {
      denied: () => isDenied ? { verdict: "deny", by: "rule", reason: "test" } : undefined,
      asked: () => undefined,
      allowed: () => undefined,
      whyNotAllowed: () => undefined,
    },
    isSandboxed: () => isSandboxed,
    isAuto: () => isAuto,
    isSandboxOff: () => isOff,
  });
  for (const guard of guards) {
    const decision = await guard(call);
    if (decision !== undefined) return `${decision.verdict} ${decision.by}: ${decision.reason}`;
  }
  return "none";
}

Deno.test("guardList() holds code like a command", async () => {
  const code = callTo("inside");
  equal(await outcome(code, {}), "ask guard: no sandbox holds it");
  equal(await outcome(code, { isAuto: true }), "ask guard: no sandbox holds it");
  equal(
    await outcome(code, { isAuto: true, isOff: true }),
    "allow automode: automode is on",
  );
  equal(await outcome(code, { isSandboxed: true }), "allow sandbox: it runs inside the sandbox");
  equal(await outcome(code, { isSandboxed: true, isDenied: true }), "deny rule: test");
});

Deno.test("guardList() asks about what is typed into a program outside the sandbox", async () => {
  const typed = callTo("outside");
  const why = "ask guard: it asks to run outside the sandbox";
  equal(await outcome(typed, { isSandboxed: true }), why);
  equal(await outcome(typed, { isSandboxed: true, isAuto: true }), why);
});

Deno.test("guardList() asks nothing about ending what was started here", async () => {
  const end = callTo("ends");
  equal(await outcome(end, {}), "allow guard: it only ends what was started here");
  equal(await outcome(end, { isDenied: true }), "deny rule: test");
});
