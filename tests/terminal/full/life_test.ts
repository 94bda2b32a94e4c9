/** What happens from outside to a program that has the terminal, with real signals. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { watchOver } from "@/terminal/full/life.ts";
import { until } from "../../support/until.ts";

/** A screen that tells what was done to it; `answered` lets the terminal answer. */
function screen() {
  const done: string[] = [];
  const answers = Promise.withResolvers<void>();
  const watched = {
    isOwned: true,
    close: () => void done.push("closed"),
    resize: () => void done.push("resized"),
    resume: () => void done.push("resumed"),
    settled: async () => {
      done.push("asked");
      await answers.promise;
    },
  };
  return { done, watched, answered: answers.resolve };
}

for (const signal of ["SIGTERM", "SIGHUP"] as const) {
  Deno.test(`${signal} gives the terminal back when it owes no answer that the shell would be typed`, async () => {
    const { done, watched, answered } = screen();
    using _watch = watchOver(watched, { restore: () => {} });
    Deno.kill(Deno.pid, signal);
    await until(() => done.length > 0);
    equal(done, ["asked"]);
    answered();
    await until(() => done.length > 1);
    equal(done, ["asked", "closed"]);
  });
}
