/** Takes several paths from what they are to what they should be: all of them or none. */
import type { WriteMode } from "@/lib/atomic_write.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { join } from "@/lib/path.ts";
import { ChangedSince, difference, isSameContent, look, lstat, missingParents } from "./entry.ts";
import type { Stored } from "./journal_record.ts";
import {
  moveTempName,
  type PlaceOptions,
  type Placing,
  PLACING_HERE,
  removeEmptyDir,
} from "./place.ts";

/** One path, what it must be before and what it is to be after. */
export type Move = {
  path: string;
  from: Stored;
  to: Stored;
  /** Mode of a file that is not there before; one that is there keeps its own. */
  mode: WriteMode;
  /** Names its temporary files, with the token; no two moves of a transition share it. */
  number: number;
  /** Directories to make first, outermost first. */
  dirs: readonly string[];
  /** A directory that is to go stays if it is not empty. */
  keepFull?: true;
};

/** Chooses what makes a change at a real path; throws where nothing can without losing something. */
export type ChoosePlacing = (
  path: string,
  change: { removes: boolean; carrier?: string },
) => Placing | undefined | Promise<Placing | undefined>;

/** What a transition needs from its caller. */
export type TransitionHost = {
  /** Makes the names of temporary files unpredictable, and known to the caller. */
  token: string;
  /** Files above this size are compared by a hash read in a stream. */
  bytesMax: number;
  /** The bytes of a stored file. */
  bytes(stored: Stored & { k: "file" }): Promise<Uint8Array>;
  /** Waited for before the first change of anything that is there; when it throws, nothing was changed. */
  recorded?: Promise<void>;
  /** What puts an entry at a real path in its place; by default this process does. */
  placing?: ChoosePlacing;
  /** Where what removed files have beside bytes and mode is kept; one file each, without bytes. */
  carriers?: string;
  /** After each path; for tests that end the process there. */
  onStep?(): void;
  /** Belongs to it and comes last; when it throws, all paths are taken back. */
  last?(): Promise<void>;
};

/** A transition did not happen. `stuck` are the paths that could not be put back. */
export class TransitionFailed extends Error {
  override readonly name = "TransitionFailed";

  constructor(override readonly cause: unknown, readonly stuck: readonly string[]) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Directories that each move has to make, none twice, none that an earlier move makes itself. */
export function withDirs<T extends Omit<Move, "dirs">>(
  moves: readonly T[],
): (T & Pick<Move, "dirs">)[] {
  const made = new Set<string>();
  return moves.map((move) => {
    const dirs = move.to.k === "absent"
      ? []
      : missingParents(move.path).filter((dir) => !made.has(dir));
    for (const dir of dirs) made.add(dir);
    if (move.to.k === "dir") made.add(move.path);
    return { ...move, dirs };
  });
}

/** Make all moves, in order. If one fails, those before it are taken back; throws TransitionFailed. */
export async function transit(moves: readonly Move[], host: TransitionHost): Promise<void> {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      await makeDirs(move, host);
      await makeMove(move, host);
      done.push(move);
      host.onStep?.();
    }
    await host.last?.();
  } catch (error) {
    const failed = moves[done.length];
    const stuck = await takeBack(done, host);
    removeDirs(failed?.dirs ?? []);
    throw new TransitionFailed(error, stuck);
  }
}

/** Modes that the files which were not there before came out with, as far as there are any. */
export function modesMade(moves: readonly Move[]): { made?: Record<string, number> } {
  const made: Record<string, number> = {};
  for (const { path, from, to } of moves) {
    const mode = from.k !== "file" && to.k === "file" ? lstat(path)?.mode : undefined;
    if (typeof mode === "number") made[path] = mode & 0o7777;
  }
  return Object.keys(made).length === 0 ? {} : { made };
}

/** Remove those of these directories that are empty, innermost first. Gives the removed ones. */
export function removeDirs(dirs: readonly string[]): string[] {
  const inner = [...dirs].sort((one, other) => other.length - one.length);
  return inner.filter((dir) => removeEmptyDir(dir));
}

/** The last look before a change. Throws ChangedSince unless a path is what a move takes it from. */
async function assertFrom(
  { path, from }: Pick<Move, "path" | "from">,
  { bytesMax, recorded }: TransitionHost,
): Promise<Deno.FileInfo | undefined> {
  await recorded;
  const { stored, info } = await look(path, bytesMax);
  if (!isSameContent(stored, from)) throw new ChangedSince(path, difference(from, stored));
  return info;
}

async function makeDirs(move: Move, host: TransitionHost): Promise<void> {
  for (const [index, dir] of move.dirs.entries()) {
    const look = async () => await assertFrom({ path: dir, from: { k: "absent" } }, host);
    const placing = await placingOf(dir, host, { removes: false });
    await placing.dir(dir, {
      temp: moveTempName(host.token, `${move.number}d${index}`),
      look,
    });
  }
}

async function makeMove(move: Move, host: TransitionHost): Promise<void> {
  const { path, from, to } = move;
  const temp = moveTempName(host.token, move.number);
  const look = async () => await assertFrom(move, host);
  if (isSameContent(from, to)) return void await look();
  const carrier = carrierOf(move, host);
  const placing = await placingOf(path, host, { removes: to.k === "absent", ...carrier });
  switch (to.k) {
    case "absent":
      return await remove(move, { temp, look, placing, ...carrier });
    case "file": {
      if (from.k === "dir") throw new Error(`Cannot write "${path}": a directory is there`);
      const mode = from.k === "file" ? {} : move.mode;
      return await placing.file(path, await host.bytes(to), { temp, look, mode, ...carrier });
    }
    case "dir":
      if (from.k !== "absent") throw new Error(`Cannot make "${path}": a ${from.k} is there`);
      return await placing.dir(path, { temp, look });
    case "link":
      if (from.k === "dir") throw new Error(`Cannot make the link "${path}": a directory is there`);
      return await placing.link(path, to.h, { temp, look });
    default:
      to satisfies never;
  }
}

async function placingOf(
  path: string,
  host: TransitionHost,
  change: Parameters<ChoosePlacing>[1],
): Promise<Placing> {
  return await host.placing?.(path, change) ?? PLACING_HERE;
}

/** Named by path and bytes, so that what comes back gets what it had, and nothing else does. */
function carrierOf(
  { path, from, to }: Move,
  { carriers }: TransitionHost,
): { carrier?: string } {
  const file = from.k === "absent" ? to : to.k === "absent" ? from : undefined;
  if (carriers === undefined || file?.k !== "file") return {};
  return { carrier: join(carriers, `${file.h}-${sha256Hex(path).slice(0, 16)}`) };
}

/** The hash of the bytes that a carrier goes with, by its name. */
export function carrierHash(name: string): string {
  return name.split("-")[0] ?? "";
}

async function remove(
  { path, from, keepFull }: Move,
  { placing, ...options }: PlaceOptions & { placing: Placing },
): Promise<void> {
  if (from.k !== "dir") return await placing.away(path, options);
  await options.look();
  if (removeEmptyDir(path) || keepFull) return;
  throw new Error(`Cannot remove the directory "${path}": it is not empty`);
}

/** Undo moves that were made, newest first. What somebody changed meanwhile stays as they left it. */
async function takeBack(done: readonly Move[], host: TransitionHost): Promise<string[]> {
  const stuck: string[] = [];
  for (const move of done.toReversed()) {
    const back = { ...move, from: move.to, to: move.from, dirs: [], mode: exactMode(move.from) };
    try {
      if (!await isAt(move.path, { stored: move.from, bytesMax: host.bytesMax })) {
        await makeMove(back, host);
      }
      removeDirs(move.dirs);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      stuck.push(move.path);
    }
  }
  return stuck;
}

async function isAt(
  path: string,
  { stored, bytesMax }: { stored: Stored; bytesMax: number },
): Promise<boolean> {
  return isSameContent((await look(path, bytesMax)).stored, stored);
}

/** The mode and the owner with which a file comes back exactly as it was. */
export function exactMode(stored: Stored): WriteMode {
  if (stored.k !== "file") return {};
  return {
    ...(stored.m === 0 ? {} : { mode: stored.m }),
    ...(stored.o === undefined ? {} : { owner: stored.o }),
  };
}
