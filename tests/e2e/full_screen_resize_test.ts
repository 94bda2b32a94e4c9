/** The full screen in a real terminal (tmux) that changes its size. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { fullWorld as world } from "../support/full_world.ts";
import type { Terminal } from "../support/tmux.ts";

/** Forty sizes, 30 to 70 ms apart, then rest. */
async function storm(screen: Terminal): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await screen.resize(60 + (n * 37) % 71, 20 + (n * 13) % 26);
    if (n % 3 === 0) await screen.keys(n % 2 === 0 ? "C-a" : "C-e");
    await new Promise((resolve) => setTimeout(resolve, 30 + (n * 17) % 40));
  }
  await screen.resize(100, 40);
}

Deno.test("a storm of sizes loses no line, shows none twice and leaves no ghosts", () =>
  world([], async ({ screen }) => {
    await screen.type("text in the input");
    await screen.until(/text in the input/);
    await storm(screen);
    await screen.until(/notice 48 of 49/);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const all = await screen.all();
    const notices = all.match(/notice \d+ of 49/g) ?? [];
    equal(notices, Array.from({ length: 49 }, (_, n) => `notice ${n} of 49`), all);
    equal(all.match(/❯ text in the input/g)?.length, 1, all);
    equal(all.match(/^──$/gm)?.length, 1, all);
    equal(all.match(/^ ollama\/m/gm)?.length, 1, all);
  }, { args: ["-m", "ollama/m", "--notices", "49"] }));

Deno.test("a storm of sizes takes no line away that stands above a question as wide as the window", () => {
  const rows = Array.from({ length: 12 }, (_, n) => `- row ${n} of the reply.`).join("\n");
  const command = `echo ${"a-long-word ".repeat(30)}`;
  const asks = {
    text: rows,
    calls: [{ name: "run_cmd", arguments: { command, outside_sandbox: "why ".repeat(40) } }],
  };
  return world([asks], async ({ screen }) => {
    await screen.type("ask me");
    await screen.keys("Enter");
    await screen.until(/y once/);
    for (let times = 0; times < 2; times++) {
      await storm(screen);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await screen.until(/y once/);
      const all = await screen.all();
      const found = all.match(/row \d+ of the reply/g) ?? [];
      equal(found, Array.from({ length: 12 }, (_, n) => `row ${n} of the reply`), all);
      equal(all.match(/◆ run_cmd/g)?.length, 1, all);
      equal(all.match(/^──$/gm)?.length, 1, all);
    }
  }, { columns: 120, rows: 40 });
});

Deno.test("a storm of sizes leaves no ghosts on a screen that is nearly empty", () =>
  world([], async ({ screen }) => {
    await screen.type("text in the input");
    await screen.until(/text in the input/);
    await storm(screen);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const all = await screen.all();
    equal(all.match(/❯ text in the input/g)?.length, 1, all);
    equal(all.match(/^──$/gm)?.length, 1, all);
    equal(all.match(/^ ollama\/m/gm)?.length, 1, all);
    equal(all.match(/harness in/g)?.length, 1, all);
  }));
