/** Many processes on one board, and some of them killed: one holder at a time, and nothing that was said is lost. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import type { Member } from "@/channel/member.ts";
import { channelChild, withBoards } from "../support/channel.ts";
import { until } from "../support/until.ts";

/** `CHANNEL_STRESS=8x500` for the whole of it: as many processes, and as many claims each. */
const [PROCESSES = 4, CLAIMS = 60] = (Deno.env.get("CHANNEL_STRESS") ?? "4x60").split("x").map(
  Number,
);
const FILES = 20;
const KILLED_FIRST_MS = 300;

for (const isKilling of [false, true]) {
  const name = isKilling ? "of which some are killed at random points, " : "";
  Deno.test(`processes that claim and release, ${name}have one holder a file and lose no message`, () =>
    withBoards(async ({ dir, top, clock, join: onBoard, open }) => {
      clock.ms = Date.now();
      const listener = await onBoard("listener");
      equal(listener.id, "a1");
      const log = join(dir, "log");
      await Deno.writeTextFile(log, "");
      const start = (seed: number) =>
        channelChild("work", dir, top, log, `${CLAIMS}`, `${FILES}`, `${seed}`);
      const killed = new Set<string>();
      const children = Array.from({ length: PROCESSES }, (_, at) => start(at + 1));
      if (isKilling) {
        for (let at = 0; at < PROCESSES; at += 2) {
          const victim = children[at];
          if (victim === undefined) continue;
          // Not before all of them are at work.
          await until(async () => (await Deno.readTextFile(log)).includes(`${victim.pid} got`));
          await new Promise((done) => setTimeout(done, Math.random() * KILLED_FIRST_MS));
          killed.add(`${victim.pid}`);
          victim.kill("SIGKILL");
          children.push(start(100 + at));
        }
      }
      const heard = new Set<string>();
      const all = Promise.all(children.map(async (child) => {
        const { code } = await child.output();
        await Promise.allSettled([child.stdin.close()]); // Those that were killed have closed their end.
        if (!killed.has(`${child.pid}`)) equal(code, 0);
      }));
      await hearUntil(all, listener, heard);
      await all;
      await hear(listener, heard);
      const lines = (await Deno.readTextFile(log)).trim().split("\n");
      equal(overlaps(lines, killed), []);
      const said = lines.flatMap((line) => /said (.*)/.exec(line)?.[1] ?? []);
      ok(said.length > 0);
      equal(said.filter((text) => !heard.has(text)), []);
      const standing = await (await open()).look();
      equal(standing.claims, []);
      equal(standing.agents.map(({ id }) => id), ["a1"]);
      const left = [...Deno.readDirSync(dir)].filter(({ name }) => name.includes("damaged"));
      equal(left, []);
    }));
}

async function hearUntil(end: Promise<unknown>, listener: Member, heard: Set<string>) {
  let isOver = false;
  void end.then(() => isOver = true, () => isOver = true);
  while (!isOver) {
    await hear(listener, heard);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function hear(listener: Member, heard: Set<string>): Promise<void> {
  for (const { text } of await listener.hear("told")) {
    ok(!heard.has(text) || !/^\d+\//.test(text), `${text} came twice`);
    heard.add(text);
  }
}

/** Files that somebody got while somebody else had them; whoever was killed has nothing any more. */
function overlaps(lines: readonly string[], killed: ReadonlySet<string>): string[] {
  const holders = new Map<string, string>();
  const wrong: string[] = [];
  for (const line of lines) {
    const [who = "", what, path = ""] = line.split(" ");
    const holder = holders.get(path);
    if (what === "got") {
      if (holder !== undefined && !killed.has(holder)) wrong.push(`${line}, which ${holder} had`);
      holders.set(path, who);
    }
    if (what === "gives" && holder === who) holders.delete(path);
  }
  return wrong;
}
