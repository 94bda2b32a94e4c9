import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { guardList, type GuardParts } from "@/agent/guards/mod.ts";
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import { commandCall, pathCall } from "../../support/guarded_call.ts";

/** A run without rules, in which nothing is special. */
const PLAIN = {
  policy: {
    denied: () => undefined,
    asked: () => undefined,
    allowed: () => undefined,
    whyNotAllowed: () => undefined,
  },
  deniesReading: () => undefined,
  isSandboxed: () => false,
  isSandboxOff: () => false,
  isAuto: () => false,
};

async function decide(call: GuardedCall, parts: Partial<GuardParts>): Promise<Decision> {
  const all: GuardParts = { ...PLAIN, ...parts };
  for (const guard of guardList(all)) {
    const decision = await guard(call);
    if (decision !== undefined) return decision;
  }
  throw new Error("No guard answered");
}

Deno.test("a command waits until it is known whether a sandbox holds, and then goes by that", async () => {
  let isProven = false;
  const parts: Partial<GuardParts> = {
    sandboxReady: async () => {
      await Promise.resolve();
      isProven = true;
    },
    isSandboxed: () => isProven,
  };
  equal((await decide(commandCall("ls"), parts)).by, "sandbox");
});

Deno.test("what starts no process waits for nothing", async () => {
  const parts = { sandboxReady: () => Promise.reject(new Error("asked too early")) };
  equal((await decide(pathCall("write_file", ["/work/shop/a"]), parts)).verdict, "ask");
  await rejects(decide(commandCall("ls"), parts), /asked too early/);
});

Deno.test("the question says why no sandbox holds the command", async () => {
  const parts = { sandboxProblem: () => "bubblewrap (bwrap) is not installed" };
  const { verdict, reason } = await decide(commandCall("ls"), parts);
  equal(verdict, "ask");
  match(reason, /no sandbox holds it \(bubblewrap \(bwrap\) is not installed\)/);
});

Deno.test("commands inside are asked about when the person wants it so; automode covers them still", async () => {
  const parts = { isSandboxed: () => true, asksInside: () => true };
  equal((await decide(commandCall("ls"), parts)).verdict, "ask");
  equal((await decide(commandCall("ls"), { ...parts, isAuto: () => true })).by, "automode");
});
