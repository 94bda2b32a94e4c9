/** `/agents` with a picker, beside another agent on the same board. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import type { ScreenParts } from "@/compose/parts.ts";
import { runCommand } from "@/terminal/commands/mod.ts";
import type { Picked, Picking } from "@/terminal/full/picker.ts";
import { NOBODY } from "@/talk/nobody.ts";
import { type PeerWorld, withPeer } from "../support/channel.ts";

const CLAIM = { kind: "claim", reason: "the parser", ttlS: 600 } as const;

/** A person who picks what stands in the list, and what they were shown. */
function picking(answers: Picked[], words: string): { screen: ScreenParts; shown: Picking[] } {
  const shown: Picking[] = [];
  const screen: ScreenParts = {
    ...NOBODY,
    sinks: [],
    asker: () => Promise.resolve([words]),
    pick: (asked) => {
      shown.push(asked);
      return Promise.resolve(answers.shift() ?? { isCancelled: true });
    },
  };
  return { screen, shown };
}

const at = (row: number, action: number): Picked => ({ isCancelled: false, row, dial: 0, action });

async function agents({ app }: PeerWorld): Promise<string> {
  return (await runCommand("/agents", await app.commandHost())).text;
}

Deno.test("/agents lets the person choose an agent to talk to, or a file to take away", async () => {
  const { screen, shown } = picking([at(0, 0), at(0, 1), at(1, 1)], "stop, please");
  await withPeer([], async (world) => {
    const { dir, peer } = world;
    await Deno.writeTextFile(join(dir, "theirs.txt"), "theirs\n");
    await peer.claim([join(dir, "theirs.txt")], CLAIM);
    equal(await agents(world), "said to a1");
    equal((await peer.unread("told")).at(-1)?.text, "stop, please");
    const [first] = shown;
    equal(first?.rows.map(({ label }) => label), ["a1", "  theirs.txt"]);
    match(first?.rows[1]?.detail ?? "", /^held by a1 for \d+ s, the parser$/);
    equal(await agents(world), "a1 is not a file; choose one that it holds");
    match(await agents(world), /"theirs\.txt" is no longer held by a1/);
    // What is called off leaves the list as text.
    match(await agents(world), /^Agents in /);
  }, { screen });
});

Deno.test("/agents asks nothing where nobody else is here", async () => {
  const { screen, shown } = picking([], "");
  await withPeer([], async (world) => {
    match(await agents(world), /\(you\)/);
    equal(shown, []);
  }, { screen, isAlone: true });
});
