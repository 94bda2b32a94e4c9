/** `/agents say`, `/agents release` and `/agents on|off`: the person's word on the board. */
import { seenFrom } from "@/lib/path_within.ts";
import { isNotThere } from "@/lib/file_error.ts";
import { basename, dirname, join, resolve } from "@/lib/path.ts";
import { type CommandResult, done, refused } from "@/terminal/commands/spec.ts";
import type { Desk } from "./desk.ts";

const OFF = "This session is off the board; /agents on (or CHANNEL_ENABLED) puts it there";

/** Say something to all others or to one, in the person's name. */
export async function say(desk: Desk, text: string, to = "all"): Promise<CommandResult> {
  const member = await desk.join();
  if (member === undefined) return refused(OFF);
  const { ok, here } = await member.say(to, text, { voice: "person" });
  if (ok) return done(`said to ${to === "all" ? here.join(", ") : to}`);
  return refused(here.length === 0 ? "Nobody else is here" : `${to} is not here any more`);
}

/** Take a file away from whoever holds it, and tell them. */
export async function release(desk: Desk, path: string): Promise<CommandResult> {
  const [board, member] = [await desk.board(), await desk.join()];
  const real = await realPath(resolve(desk.parts.place.workspace, path));
  const taken = await board.free(real);
  const shown = seenFrom(board.top, real);
  if (taken.length === 0) return refused(`Nobody holds "${shown}"; /agents says who holds what`);
  const holders = [...new Set(taken.map(({ holder }) => holder))];
  for (const holder of holders) {
    const text = `took "${shown}" from you, as the user said: read it again before you change it`;
    await member?.say(holder, text, { voice: "board" });
  }
  const names = taken.map((claim) => `"${seenFrom(board.top, claim.path)}"`).join(", ");
  return done(`${names} is no longer held by ${holders.join(" and ")}`);
}

/** Be on the board, or not. */
export async function turn(desk: Desk, isOn: boolean): Promise<CommandResult> {
  await desk.turn(isOn);
  if (!isOn) {
    return done("This session is off the board: what it held is free, and others do not see it");
  }
  const { member } = desk;
  return member === undefined
    ? refused("CHANNEL_ENABLED is off: /set CHANNEL_ENABLED on puts this session on the board")
    : done(`This session is on the board, as ${member.id}`);
}

/** What a path leads to; of one that is not there, as far as there is something. */
async function realPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!isNotThere(error) || dirname(path) === path) throw error;
    return join(await realPath(dirname(path)), basename(path));
  }
}
