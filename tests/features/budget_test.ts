import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import type { RunOptions } from "@/compose/options.ts";
import { NO_USAGE } from "@/protocol/provider.ts";
import { BudgetKeeper } from "@/features/budget/keeper.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type WholeApp, withApp } from "../support/whole_app.ts";

// A request of this costs $1 (5 dollars for a million).
const DOLLAR: ScriptedReply = { text: "ok", usage: { input: 200_000, output: 0 } };

type Asked = { texts: string[]; answer: string };

/** A program with a budget, and what the person was asked. */
async function withBudget(
  run: RunOptions,
  body: (whole: WholeApp, asked: Asked) => Promise<void>,
  more: { isInteractive?: boolean } = {},
): Promise<void> {
  const asked: Asked = { texts: [], answer: "yes, go on" };
  await withApp(() => DOLLAR, (whole) => body(whole, asked), {
    isClaude: true,
    isInteractive: more.isInteractive ?? true,
    run: { auto: true, ...run },
    screen: {
      asker: (questions) => {
        asked.texts.push(...questions.map(({ text }) => text));
        return Promise.resolve([asked.answer]);
      },
    },
  });
}

Deno.test("a session's budget pauses and asks, and a yes is good for as much again", () =>
  withBudget({ budget: "1.50" }, async ({ app, api }, asked) => {
    for (const text of ["one", "two"]) equal((await app.say(text)).stop, "end");
    equal(asked.texts, []);
    equal((await app.say("three")).stop, "end");
    equal(asked.texts, [
      "The budget of $1.50 for this session is used up: $2.00 spent. Go on, for $1.50 more?",
    ]);
    equal((await app.say("four")).stop, "end");
    equal(asked.texts.length, 1);
    asked.answer = "no, stop here";
    equal([(await app.say("five")).stop, asked.texts.length, api.bodies.length], ["limit", 2, 4]);
  }));

Deno.test("without anybody to ask a budget ends the turn with a limit", () =>
  withBudget({ budget: "1" }, async ({ app, api, events }, asked) => {
    equal((await app.say("one")).stop, "end");
    const { stop, error } = await app.say("two");
    equal([stop, error, api.bodies.length, asked.texts], ["limit", undefined, 1, []]);
    const last = events.findLast((event) => event.type === "notice");
    match(
      last?.type === "notice" ? last.text : "",
      /budget of \$1\.00 for this session is used up: \$1\.00 spent.*--budget raises it/,
    );
  }, { isInteractive: false }));

Deno.test("the budget of a day counts what other sessions have spent today", () =>
  withBudget({ budget: "3/day" }, async ({ app, home }, asked) => {
    const now = new Date();
    const two = (n: number) => String(n).padStart(2, "0");
    const today = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.txt`;
    await Deno.mkdir(join(home, "spending"));
    await Deno.writeTextFile(join(home, "spending", today), "2\n");
    await Deno.writeTextFile(join(home, "spending", "2020-01-01.txt"), "9\n");
    await app.say("one");
    equal(asked.texts, []);
    await app.say("two");
    equal(asked.texts.length, 1);
    match(
      (await app.slash("/budget")).text,
      /This session: \$2\.00 of no limit\nThis day: \$4\.00 of \$6\.00/,
    );
  }));

Deno.test("/budget sets and takes away a limit, and refuses what is none", () =>
  withBudget({}, async ({ app }) => {
    match((await app.slash("/budget 2")).text, /asked when this session has cost \$2\.00/);
    match((await app.slash("/budget")).text, /This session: \$0\.00 of \$2\.00/);
    match((await app.slash("/budget $10 a day")).text, /asked when this day has cost \$10\.00/);
    match((await app.slash("/budget off")).text, /no limit any more/);
    const refused = await app.slash("/budget much");
    equal(refused.ok, false);
    match(refused.text, /write an amount as 2\.50, 10\/day, or off/);
  }));

Deno.test("a budget says that it cannot count what has no price", async () => {
  await withApp(() => ({ text: "ok" }), async ({ app, events }) => {
    for (const text of ["one", "two", "three"]) equal((await app.say(text)).stop, "end");
    const told = events.flatMap((event) => event.type === "notice" ? [event.text] : [])
      .filter((text) => text.includes("does not count"));
    equal(told.length, 1);
  }, { run: { auto: true, budget: "1" } });
});

Deno.test("what a session had cost before this run is counted for it, and not written down again", () =>
  withWorkspace(async (home) => {
    let spent = 0;
    const parts = {
      live: { emit: () => {} },
      settings: { current: { BUDGET_SESSION: 9, BUDGET_DAY: 9 } },
      place: { paths: { home } },
      isInteractive: true,
    } as unknown as ConstructorParameters<typeof BudgetKeeper>[0];
    const keeper = new BudgetKeeper(parts, () => ({ dollars: spent, unpriced: 0 }));
    const usage = { type: "usage", usage: NO_USAGE, purpose: "turn", model: "m" } as const;
    spent = 2;
    keeper.past(usage);
    spent = 3;
    keeper.take(usage);
    equal(await keeper.mayGoOn(new AbortController().signal), true);
    match(await keeper.standing(), /This session: \$3\.00 of \$9\.00\nThis day: \$1\.00 of/);
  }));

Deno.test("those that reach a budget while the person is asked share the answer", () =>
  withWorkspace(async (home) => {
    for (const [answer, mayGoOn] of [["yes, go on", true], ["no, stop here", false]] as const) {
      let asked = 0;
      const asker = async () => {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, 0));
        return [answer];
      };
      const parts = {
        live: { screen: { asker }, emit: () => {} },
        settings: { current: { BUDGET_SESSION: 1, BUDGET_DAY: 0 } },
        place: { paths: { home } },
        isInteractive: true,
      } as unknown as ConstructorParameters<typeof BudgetKeeper>[0];
      const keeper = new BudgetKeeper(parts, () => ({ dollars: 1.5, unpriced: 0 }));
      const { signal } = new AbortController();
      const all = await Promise.all([1, 2, 3].map(() => keeper.mayGoOn(signal)));
      equal([asked, all], [1, [mayGoOn, mayGoOn, mayGoOn]]);
    }
  }));

Deno.test("a budget that is used up makes no summary either: /compact leaves the conversation as it is", () =>
  withBudget({ budget: "3" }, async ({ app, api }) => {
    for (const text of ["one", "two", "three"]) await app.say(`${text} ${"word ".repeat(2_000)}`);
    const before = app.harness.messages().length;
    const { text } = await app.slash("/compact");
    equal(text, "The conversation stays as it is: what a summary costs may not be spent (/budget)");
    equal([api.bodies.length, app.harness.messages().length], [3, before]);
  }, { isInteractive: false }));

Deno.test("once the budget is used up there is room for nothing beside the turns, and nobody is asked", () =>
  withWorkspace(async (home) => {
    let spent = 0.5;
    const parts = {
      live: {},
      settings: { current: { BUDGET_SESSION: 1, BUDGET_DAY: 0 } },
      place: { paths: { home } },
      isInteractive: true,
    } as unknown as ConstructorParameters<typeof BudgetKeeper>[0];
    const keeper = new BudgetKeeper(parts, () => ({ dollars: spent, unpriced: 0 }));
    const below = await keeper.hasRoom();
    spent = 1;
    equal([below, await keeper.hasRoom()], [true, false]);
  }));
