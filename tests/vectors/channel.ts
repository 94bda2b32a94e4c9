/** The `channel` vectors against real boards. */
import { z } from "zod";
import { lowestFree } from "@/channel/member.ts";
import type { Member } from "@/channel/member.ts";
import { pathKey, splitPaths } from "@/channel/path_key.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { type BoardWorld, channelChild, withBoards, withPeer } from "../support/channel.ts";
import { sent } from "../support/whole_app.ts";
import type { Adapter, Adapters } from "./adapter.ts";

const input = z.object({
  workspace: z.string().optional(),
  path: z.string().default(""),
  paths: z.string().optional(),
  agents: z.array(z.string()).optional(),
  held: z.record(z.string(), z.string()).optional(),
  claim: z.union([z.array(z.string()), z.string()]).optional(),
  as: z.string().default("a1"),
  pid_alive: z.literal(false).optional(),
  to: z.string().optional(),
  here: z.array(z.string()).optional(),
  from: z.string().optional(),
  direct: z.number().optional(),
  broadcast: z.number().default(0),
  messages: z.number().optional(),
});
type Input = z.infer<typeof input>;

const channel: Adapter = async (raw) => {
  const given = input.parse(raw);
  const { workspace, path, paths, agents, direct, broadcast } = given;
  if (workspace !== undefined) return { key: pathKey(workspace, path) };
  if (paths !== undefined) return { split: splitPaths(paths) };
  if (agents !== undefined) return { next: lowestFree(agents) };
  if (direct !== undefined) return { nudges: await chasesOf({ direct, broadcast }) };
  let outcome: unknown;
  await withBoards(async (world) => {
    outcome = await onBoards(world, given);
  });
  return outcome;
};

async function onBoards(world: BoardWorld, given: Input): Promise<unknown> {
  const { held, claim, here, from, to, messages } = given;
  if (given.pid_alive === false) return await ofTheDead(world);
  if (Array.isArray(claim)) return await several(world, { ...given, held, claim });
  if (claim !== undefined) return await own(world, { claim, as: given.as });
  if (here !== undefined) return await toSomebody(world, { to: to ?? "all", here });
  if (from !== undefined) return await toItself(world, { from, as: given.as });
  if (messages !== undefined) return await many(world, messages);
  return undefined;
}

/** Agents up to a name, which is the last of them. */
async function upTo(world: BoardWorld, name: string): Promise<Member[]> {
  const members: Member[] = [];
  while (members.at(-1)?.id !== name) members.push(await world.join());
  return members;
}

async function several(
  world: BoardWorld,
  { held = {}, claim, as }: { held: Input["held"]; claim: string[]; as: string },
) {
  const members = await upTo(world, as);
  for (const [name, id] of Object.entries(held)) {
    const terms = { kind: "claim", reason: "", ttlS: DEFAULT_SETTINGS.CHANNEL_CLAIM_TTL } as const;
    await members.find((member) => member.id === id)?.claim([world.path(name)], terms);
  }
  const me = members.at(-1);
  const terms = { kind: "claim", reason: "", ttlS: 60 } as const;
  const taken = await me?.claim(claim.map(world.path), terms);
  const refused = taken?.ok === false ? taken.held.map(({ key }) => key) : [];
  return { taken: (await me?.claims() ?? []).map(({ key }) => key), refused };
}

async function own(world: BoardWorld, { claim, as }: { claim: string; as: string }) {
  const members = await upTo(world, as > claim ? as : claim);
  const find = (id: string) => members.find((member) => member.id === id);
  await find(claim)?.claim([world.path("f")], { kind: "claim", reason: "", ttlS: 60 });
  const taken = await find(as)?.claim([world.path("f")], { kind: "write", reason: "", ttlS: 60 });
  return { refused: taken?.ok !== true };
}

async function ofTheDead(world: BoardWorld) {
  world.clock.ms = Date.now();
  const child = channelChild("hold", world.dir, world.top, world.path("f"));
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGKILL");
  await child.status;
  await Promise.all([reader.cancel(), child.stdin.close()]);
  return { held: (await (await world.open()).held([world.path("f")])).length > 0 };
}

async function toSomebody(world: BoardWorld, { to, here }: { to: string; here: string[] }) {
  const sender = await world.join();
  for (const _ of here) await world.join();
  const sent = await sender.say(to, "hello");
  return { sent: sent.ok, mentions: sent.here };
}

async function toItself(world: BoardWorld, { from, as }: { from: string; as: string }) {
  const members = [await world.join(), await world.join()];
  const find = (id: string) => members.find((member) => member.id === id);
  await find(from)?.say("all", "hello");
  const heard = await find(as)?.hear("told") ?? [];
  return { delivered: heard.some(({ text }) => text === "hello") };
}

async function many(world: BoardWorld, count: number) {
  const [one] = [await world.join(), await world.join()];
  for (let n = 0; n < count; n += 1) await one.say("all", `${n}`);
  return { kept: (await (await world.open()).look()).messages.length };
}

/** How often a model that answers nobody is told to, in a turn that begins with so many messages. */
async function chasesOf({ direct, broadcast }: { direct: number; broadcast: number }) {
  let nudges = 0;
  await withPeer(() => ({ text: "done" }), async ({ app, api, peer }) => {
    const [self] = await peer.peers();
    for (let n = 0; n < direct; n += 1) await peer.say(self?.id ?? "", "finished?");
    for (let n = 0; n < broadcast; n += 1) await peer.say("all", "news");
    await app.say("go on");
    const texts = api.bodies.flatMap((body) => sent(body).texts.at(-1) ?? "");
    nudges = texts.filter((text) => text.includes("waiting on an answer")).length;
  });
  return nudges;
}

export const adapters: Adapters = { channel };
