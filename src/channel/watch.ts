/** Files that an agent is holding: what changes one without its doing is noticed, whatever it was. */
import { sha256Hex } from "@/lib/hash.ts";

/** Larger ones are told apart by size and time alone, in bytes. */
const HASHED_BYTES_MAX = 1_000_000;

type Stamp = { sign: string; hash?: string };

/** What its files were like when it last had to do with them. */
export class Watch {
  readonly #stamps = new Map<string, Stamp>();

  /** Files as they are now are how they are meant to be. */
  async note(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#stamps.set(path, await stampOf(path));
  }

  /** Those of `held` that have changed since they were noted; once each. Those that are not noted are noted now. */
  async changes(held: readonly string[]): Promise<string[]> {
    for (const path of [...this.#stamps.keys()]) {
      if (!held.includes(path)) this.#stamps.delete(path);
    }
    const changed: string[] = [];
    for (const path of held) {
      const before = this.#stamps.get(path);
      const sign = await signOf(path);
      if (before?.sign === sign) continue;
      const now = await stampOf(path);
      this.#stamps.set(path, now);
      // Touched, or written again with the same content: nothing is lost.
      const isSame = now.hash !== undefined && now.hash === before?.hash;
      if (before !== undefined && !isSame) changed.push(path);
    }
    return changed;
  }
}

async function stampOf(path: string): Promise<Stamp> {
  const sign = await signOf(path);
  const bytes = await content(path);
  return { sign, ...(bytes === undefined ? {} : { hash: sha256Hex(bytes) }) };
}

/** "" for what is not there. What is in a directory does not count. */
async function signOf(path: string): Promise<string> {
  try {
    const { isDirectory, mtime, size, ino } = await Deno.lstat(path);
    return isDirectory ? "directory" : `${mtime?.getTime()}:${size}:${ino}`;
  } catch (error) {
    if (error instanceof Error) return "";
    throw error;
  }
}

async function content(path: string): Promise<Uint8Array | undefined> {
  try {
    const { isFile, size } = await Deno.lstat(path);
    return isFile && size <= HASHED_BYTES_MAX ? await Deno.readFile(path) : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
