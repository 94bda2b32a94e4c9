import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { statePaths } from "@/settings/paths.ts";
import { sweepDaily } from "@/compose/sweep_undo.ts";
import { undoDir } from "@/workspace/journal_store.ts";
import { withWorkspace } from "../support/workspace.ts";

const LIMITS = { daysMax: 30, bytesMax: 1, allBytesMax: 1 };

Deno.test("sweepDaily() runs once a day", () =>
  withWorkspace(async (dir) => {
    await Deno.mkdir(join(dir, "undo"));
    const stamp = join(dir, "undo", ".swept");
    const problems: string[] = [];
    const options = { limits: LIMITS, onProblem: (text: string) => void problems.push(text) };
    const now = new Date();
    await sweepDaily(dir, { ...options, now });
    const first = Deno.readTextFileSync(stamp);
    equal(first, `${now.toISOString()}\n`);
    await sweepDaily(dir, { ...options, now: new Date(now.getTime() + 1000) });
    equal(Deno.readTextFileSync(stamp), first);
    const tomorrow = new Date(now.getTime() + 90_000_000);
    await sweepDaily(dir, { ...options, now: tomorrow });
    equal([Deno.readTextFileSync(stamp), problems], [`${tomorrow.toISOString()}\n`, []]);
    // By a clock that was a year ahead.
    await Deno.utime(stamp, now, new Date(now.getTime() + 365 * 86_400_000));
    await sweepDaily(dir, { ...options, now });
    equal(Deno.readTextFileSync(stamp), first);
  }));

Deno.test("sweepDaily() reports what it cannot do and throws nothing", () =>
  withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "undo"), "a file where the folder should be");
    const problems: string[] = [];
    await sweepDaily(dir, {
      limits: LIMITS,
      now: new Date(),
      onProblem: (text) => void problems.push(text),
    });
    equal(problems.length, 1);
  }));

Deno.test("undoDir() is where the state paths say that it is", () => {
  equal(undoDir("/state"), statePaths({ HARNESS_HOME: "/state" }, "/").undo);
});
