import { deepStrictEqual as equal } from "node:assert/strict";
import { repl } from "@/repl.ts";

Deno.test("repl() gives the terminal back when it owes no answer any more, whichever way it ends", async () => {
  const app = {
    canTellLater: () => Promise.resolve(true),
    lateNotices: () => Promise.resolve([]),
    interrupt: () => false,
    makeReady: () => {},
  };
  for (const leavesByKey of [false, true]) {
    const steps: string[] = [];
    const code = await repl({ app } as never, {
      line: () => leavesByKey ? new Promise(() => {}) : Promise.resolve(undefined),
      onLeave: (leave: (code: number) => void) => void (leavesByKey && leave(130)),
      settled: () => Promise.resolve().then(() => void steps.push("settled")),
      close: () => void steps.push("closed"),
    } as never);
    equal([code, steps], [leavesByKey ? 130 : 0, ["settled", "closed"]]);
  }
});
