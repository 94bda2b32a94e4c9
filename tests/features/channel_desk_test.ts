/** The board as a conversation reaches it that is not on it, or that cannot reach it. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { Desk, type DeskParts } from "@/features/channel/desk.ts";
import type { Event } from "@/protocol/event.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { withBoards } from "../support/channel.ts";

function deskOf({ dir, top }: { dir: string; top: string }, events: Event[] = []) {
  return new Desk({
    place: { workspace: top, env: {}, paths: { channel: dir } },
    settings: { current: DEFAULT_SETTINGS },
    model: { current: { name: { provider: "ollama", model: "m" } } },
    live: { emit: (event: Event) => void events.push(event) },
  } as unknown as DeskParts);
}

Deno.test("what others hold counts for a run of one command too, which is not on the board", () =>
  withBoards(async (world) => {
    world.clock.ms = Date.now();
    const member = await world.join();
    await member.claim([world.path("a.py")], { kind: "claim", reason: "mine", ttlS: 600 });
    const desk = deskOf(world);
    match(
      await desk.holdForPerson([world.path("a.py")]) ?? "",
      /"a\.py" is held by a1, who says: "mine"/,
    );
    equal(await desk.holdForPerson([world.path("b.py")]), undefined);
    match(await desk.describe(), /a1 +ollama\/m\n.*holding a\.py/);
    equal(await member.peers(), []);
    await desk.close();
  }));

Deno.test("who looks while another look is under way sees the same: the first request offers the tools", () =>
  withBoards(async (world) => {
    world.clock.ms = Date.now();
    await world.join();
    const desk = deskOf(world);
    const first = desk.refresh();
    await desk.refresh();
    equal(desk.peers.map(({ model }) => model), ["ollama/m"]);
    await first;
    await desk.close();
  }));

Deno.test("a board that cannot be opened hinders nobody, and is told of once", () =>
  withBoards(async (world) => {
    const events: Event[] = [];
    const dir = world.path("a-file");
    await Deno.writeTextFile(dir, "");
    const desk = deskOf({ dir: join(dir, "channel"), top: world.top }, events);
    for (let n = 0; n < 2; n += 1) {
      equal(await desk.holdForPerson([world.path("a.py")]), undefined);
      await desk.tolerant(() => desk.refresh(), undefined);
    }
    equal(events.length, 1);
    match(JSON.stringify(events), /what other agents hold is not known: /);
    await desk.close();
  }));

Deno.test("a session is on the board under its title, or what was asked first", () =>
  withBoards(async (world) => {
    world.clock.ms = Date.now();
    const member = await world.join();
    const desk = deskOf(world);
    const asked = (text: string): Event => ({
      type: "message",
      message: { role: "user", content: [{ type: "text", text }], origin: "person" },
    });
    const label = async () => {
      await desk.refresh();
      return (await member.peers()).map((peer) => [peer.id, peer.model, peer.label]);
    };
    desk.sink(asked("fix the parser\nof CSV"));
    equal(await label(), [["a2", "ollama/m", "fix the parser"]]);
    desk.sink(asked("go on"));
    desk.sink({ type: "title", title: "The CSV parser" });
    equal(await label(), [["a2", "ollama/m", "The CSV parser"]]);
    await desk.close();
    equal(await label(), []);
  }));
