/** The full screen in a real terminal (tmux) that changes its size. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { fullWorld as world } from "../support/full_world.ts";
import type { Terminal } from "../support/tmux.ts";
import { until } from "../support/until.ts";

/** Forty sizes, 30 to 70 ms apart, then rest. */
async function storm(screen: Terminal): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await screen.resize(60 + (n * 37) % 71, 20 + (n * 13) % 26);
    if (n % 3 === 0) await screen.keys(n % 2 === 0 ? "C-a" : "C-e");
    await new Promise((resolve) => setTimeout(resolve, 30 + (n * 17) % 40));
  }
  await screen.resize(100, 40);
}

type Seen = {
  /** With what was scrolled out of sight. */
  all: string;
  inSight: string;
};

/** It comes to be so, and is still so once `drawn` has seen a later frame. */
async function holds(
  screen: Terminal,
  check: (seen: Seen) => void,
  drawn: () => Promise<unknown>,
): Promise<void> {
  const now = async () => check({ all: await screen.all(), inSight: await screen.screen() });
  let last: unknown;
  const isSo = () => now().then(() => true, (error) => (last = error, false));
  await until(isSo).catch(() => {
    throw last;
  });
  await drawn();
  await now();
}

/** One tail, whose input holds the text. */
function oneTail(all: string, text: string): void {
  equal(all.match(new RegExp(`❯ ${text}`, "g"))?.length, 1, all);
  equal(all.match(/^──$/gm)?.length, 1, all);
  equal(all.match(/^ ollama\/m/gm)?.length, 1, all);
}

const typed = (screen: Terminal) => async () => {
  await screen.keys("C-e");
  await screen.type("!");
  await screen.until(/text in the input!/);
};

Deno.test("a storm of sizes loses no line, shows none twice and leaves no ghosts", () =>
  world([], async ({ screen }) => {
    await screen.type("text in the input");
    await screen.until(/text in the input/);
    await storm(screen);
    await screen.until(/notice 48 of 49/);
    await holds(screen, ({ all }) => {
      const notices = all.match(/notice \d+ of 49/g) ?? [];
      equal(notices, Array.from({ length: 49 }, (_, n) => `notice ${n} of 49`), all);
      oneTail(all, "text in the input");
    }, typed(screen));
  }, { args: ["-m", "ollama/m", "--notices", "49"] }));

const COMMAND = `echo ${"a-long-word ".repeat(30)}`;
const ASKS = {
  text: Array.from({ length: 12 }, (_, n) => `- row ${n} of the reply.`).join("\n"),
  calls: [{ name: "run_cmd", arguments: { command: COMMAND, outside_sandbox: "why ".repeat(40) } }],
};

/** Every row of the reply, and one question that can be answered. */
function everyRow({ all, inSight }: Seen): void {
  const found = all.match(/row \d+ of the reply/g) ?? [];
  equal(found, Array.from({ length: 12 }, (_, n) => `row ${n} of the reply`), all);
  equal(inSight.match(/y once/g)?.length, 1, inSight);
  equal(inSight.match(/^──$/gm)?.length, 1, inSight);
}

Deno.test("a storm of sizes takes no line away that stands above a question as wide as the window", () =>
  world([ASKS], async ({ screen }) => {
    await screen.type("ask me");
    await screen.keys("Enter");
    await screen.until(/y once/);
    for (let times = 0; times < 2; times++) {
      await storm(screen);
      await screen.until(/y once/);
      // A frame that falls between two sizes may leave the top of a question: too little is taken back, never too much.
      await holds(screen, everyRow, async () => {
        const clock = async () => /waiting for you · \d+s/.exec(await screen.screen())?.[0];
        const before = await clock();
        await until(async () => await clock() !== before);
      });
    }
  }, { columns: 120, rows: 40 }));

/** Longer than the changes of a window that is being dragged lie apart. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));

Deno.test("a question that was drawn in a narrow and low window stands once in the larger one", () =>
  world([ASKS], async ({ screen }) => {
    await screen.type("ask me");
    await screen.keys("Enter");
    await screen.until(/y once/);
    for (const [low, high] of [[42, 128], [34, 130], [60, 100]] as const) {
      await screen.resize(low, 16);
      await screen.until(/^ {4}y · n/m);
      await pause();
      await screen.resize(high, 48);
      await screen.until(/y once/);
      const seen = { all: await screen.all(), inSight: await screen.screen() };
      everyRow(seen);
      equal(seen.inSight.match(/◆ run_cmd/g)?.length, 1, seen.inSight);
      await pause();
    }
  }, { columns: 120, rows: 40 }));

Deno.test("a storm of sizes leaves no ghosts on a screen that is nearly empty", () =>
  world([], async ({ screen }) => {
    await screen.type("text in the input");
    await screen.until(/text in the input/);
    await storm(screen);
    await holds(screen, ({ all }) => {
      oneTail(all, "text in the input");
      equal(all.match(/harness in/g)?.length, 1, all);
    }, typed(screen));
  }));
