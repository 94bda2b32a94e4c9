/** JSON files that several processes change: settings, memory, rules, keys. No change is lost, no damaged file is overwritten. */
import { utf8Text } from "./bytes.ts";
import { isObject, jsonFaultPlace } from "@/lib/json.ts";
import { basename, dirname } from "@/lib/path.ts";
import { writeAll, writeFileAtomic } from "@/lib/atomic_write.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import { errorCode } from "@/lib/file_error.ts";
import { type LockOptions, withFileLock } from "@/lib/file_lock.ts";
import { nameTime } from "@/lib/name_time.ts";

/** How a JSON file is understood. */
export type JsonShape<T> = {
  /**
   * Checks what was parsed; throws (as zod's `parse` does) when it has the wrong shape. Keep unknown fields: a newer version
   * may own them. It may load what it checks with: most files are not there.
   */
  read(value: unknown): T | Promise<T>;
  /** What a missing file means. */
  empty(): T;
};

/** A file that cannot be understood: where it is, or was put, and what is wrong with it. */
export type DamagedFile = { path: string; keptAs: string; cause: string };

/**
 * What a JSON file says. With `damaged`, the value is the empty one and the file is untouched; `bytes` is what stands
 * there, absent when that is no file, or one too large to be read.
 */
export type JsonFile<T> = {
  value: T;
  damaged?: { path: string; cause: string; bytes?: Uint8Array };
};

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
const BYTES_MAX = 16 * 1024 * 1024;

/** Read a JSON file of at most 16 MB. Nothing is thrown for what stands there, or cannot be read. */
export async function readJsonFile<T>(path: string, shape: JsonShape<T>): Promise<JsonFile<T>> {
  const file = await readBounded(path, BYTES_MAX);
  switch (file.kind) {
    case "absent":
      return { value: shape.empty() };
    case "refused":
      return { value: shape.empty(), damaged: { path, cause: file.cause } };
    case "bytes":
      return await parsed(path, file.bytes, shape);
  }
}

async function parsed<T>(
  path: string,
  bytes: Uint8Array,
  shape: JsonShape<T>,
): Promise<JsonFile<T>> {
  const damaged = (cause: string): JsonFile<T> => ({
    value: shape.empty(),
    damaged: { path, cause, bytes },
  });
  const text = utf8Text(bytes);
  if (text === undefined) return damaged("it is not UTF-8 text");
  try {
    return { value: await shape.read(JSON.parse(text)) };
  } catch (error) {
    return damaged(causeOf(error));
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
  { path, cause, bytes }: { path: string; cause: string; bytes?: Uint8Array },
  { onDamaged, now }: AsideOptions,
): Promise<void> {
  if (onDamaged === undefined || bytes === undefined) {
    throw new Error(`Cannot change "${path}": it is damaged (${cause}). Repair it or move it away`);
  }
  const keptAs = await copyAside(bytes, `${path}.damaged-${nameTime(now?.() ?? new Date())}`);
  onDamaged({ path, keptAs, cause });
}

/** Copied, not moved: the file itself stays until the new one replaces it, so a crash between the two loses nothing. */
async function copyAside(bytes: Uint8Array, wanted: string): Promise<string> {
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
  throw new Error(`Cannot set "${basename(wanted)}" aside: every name for it is taken`);
}

/** What is wrong, without quoting the file: V8 puts a piece of the text into its message, and the text may be a key. */
function causeOf(error: unknown): string {
  if (error instanceof SyntaxError) {
    const place = jsonFaultPlace(error);
    return place === undefined ? "it is not valid JSON" : `it is not valid JSON at ${place}`;
  }
  return issueOf(error) ?? (error instanceof Error ? error.message : String(error));
}

/** The first thing that zod found wrong. By its form: its class would load zod with every start. */
function issueOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "issues" in error && Array.isArray(error.issues))) {
    return undefined;
  }
  const [issue]: unknown[] = error.issues;
  if (!isObject(issue)) return "wrong shape";
  const path = Array.isArray(issue.path) ? issue.path.join(".") : "";
  return [path, issue.message].filter(Boolean).join(": ");
}
