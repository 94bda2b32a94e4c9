import { deepStrictEqual as equal } from "node:assert/strict";
import { Spending } from "@/session/spending.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("Spending knows of today after the clock was wrong for a moment, and keeps a week", () =>
  withWorkspace(async (dir) => {
    const spending = new Spending(dir);
    const day = (n: number) => new Date(2026, 10, n, 12);
    for (let n = 1; n <= 20; n += 1) await spending.add(n, day(n));
    await spending.add(1, new Date(2038, 0, 19));
    await spending.sweep();
    equal([await spending.ofDay(day(20)), await spending.ofDay(day(14))], [20, 0]);
    equal([...Deno.readDirSync(dir)].length, 7);
  }));
