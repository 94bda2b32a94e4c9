/** JSON files that several processes change: settings, memory, rules, keys. No change is lost, no damaged file is overwritten. */
import { basename, dirname } from "node:path";
import { z } from "zod";
import { writeAll, writeFileAtomic } from "@/lib/atomic_write.ts";
import { errorCode } from "@/lib/file_error.ts";
import { type LockOptions, withFileLock } from "@/lib/file_lock.ts";

/** How a JSON file is understood. */
export type JsonShape<T> = {
  /** Checks what was parsed; throws (as zod's `parse` does) when it has the wrong shape. Keep unknown fields: a newer version may own them. */
  read(value: unknown): T;
  /** What a missing file means. */
  empty(): T;
};

/** A file that cannot be understood: where it is, or was put, and what is wrong with it. */
export type DamagedFile = { path: string; keptAs: string; cause: string };

/** What a JSON file says. With `damaged`, the value is the empty one and the file is untouched. */
export type JsonFile<T> = { value: T; damaged?: { path: string; cause: string } };

/** How a JSON file is changed. */
export type JsonUpdate<T> = JsonShape<T> & LockOptions & {
  /** The new content, or undefined to leave the file alone. */
  change(current: T): T | undefined;
  /** 0600 from creation, in a directory of 0700. */
  private?: boolean;
  /** Told when a damaged file was set aside. Without it, a damaged file stops the update with an error. */
  onDamaged?(file: DamagedFile): void;
  now?(): Date;
};

const ASIDE_MAX = 1000;

/** Read a JSON file. Only file errors other than "no such file" are thrown. */
export async function readJsonFile<T>(path: string, shape: JsonShape<T>): Promise<JsonFile<T>> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { value: shape.empty() };
    throw error;
  }
  try {
    return { value: shape.read(JSON.parse(text.replace(/^\uFEFF/, ""))) };
  } catch (error) {
    return { value: shape.empty(), damaged: { path, cause: causeOf(error) } };
  }
}

/**
 * Change a JSON file: lock it, read it again, change that, write it atomically. Returns what the file says afterwards.
 * A damaged file is set aside as `<name>.damaged-<time>` first and reported; its bytes are never lost.
 */
export async function updateJsonFile<T>(path: string, update: JsonUpdate<T>): Promise<T> {
  // A directory that is there keeps its mode: HARNESS_HOME may name one with other uses, and the file is 0600 by itself.
  await Deno.mkdir(dirname(path), { recursive: true, ...(update.private ? { mode: 0o700 } : {}) });
  return await withFileLock(path, async () => {
    const { value, damaged } = await readJsonFile(path, update);
    const next = update.change(value);
    if (next === undefined) return value;
    if (damaged !== undefined) await setAside(damaged, update);
    await writeFileAtomic(path, `${JSON.stringify(next, null, 2)}\n`, modeOf(update));
    return next;
  }, update);
}

function modeOf(update: { private?: boolean }): { private?: boolean } {
  return update.private === undefined ? {} : { private: update.private };
}

type AsideOptions = { onDamaged?(file: DamagedFile): void; now?(): Date };

async function setAside(
  { path, cause }: { path: string; cause: string },
  { onDamaged, now }: AsideOptions,
): Promise<void> {
  if (onDamaged === undefined) {
    throw new Error(`Cannot change "${path}": it is damaged (${cause}). Repair it or move it away`);
  }
  const time = (now?.() ?? new Date()).toISOString().replace(/\.\d+Z$/, "Z").replaceAll(":", "-");
  const keptAs = await copyAside(path, `${path}.damaged-${time}`);
  onDamaged({ path, keptAs, cause });
}

/** Copied, not moved: the file itself stays until the new one replaces it, so a crash between the two loses nothing. */
async function copyAside(path: string, wanted: string): Promise<string> {
  const bytes = await Deno.readFile(path);
  for (let number = 1; number < ASIDE_MAX; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    try {
      using file = await Deno.open(name, { createNew: true, write: true, mode: 0o600 });
      await writeAll(file, bytes);
      await file.sync();
      return name;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
  throw new Error(`Cannot set "${basename(path)}" aside: every name for it is taken`);
}

/** What is wrong, without quoting the file: V8 puts a piece of the text into its message, and the text may be a key. */
function causeOf(error: unknown): string {
  if (error instanceof SyntaxError) {
    const place = /line \d+ column \d+/.exec(error.message);
    return place ? `not valid JSON at ${place[0]}` : "not valid JSON";
  }
  if (error instanceof z.ZodError) {
    const issue = error.issues[0];
    return issue ? [issue.path.join("."), issue.message].filter(Boolean).join(": ") : "wrong shape";
  }
  return error instanceof Error ? error.message : String(error);
}
