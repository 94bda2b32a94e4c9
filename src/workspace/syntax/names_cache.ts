/** Where names stand in files, kept by the content of the file: in the state directory, and never more than a bound. */
import * as z from "zod";
import { ensureDir } from "@/lib/atomic_write.ts";
import { hashHex } from "@/lib/hash.ts";
import { join } from "@/lib/path.ts";
import { randomHex } from "@/lib/random.ts";
import type { Names, Source } from "@/workers/syntax/answer.ts";

/** Another number for another form of what is kept, or another way to find names. */
const FORM = 1;

/** What is kept at most (until the next look a quarter more); with more, the oldest quarter goes. */
export type CacheLimits = { filesMax: number; bytesMax: number };

const LIMITS: CacheLimits = { filesMax: 4_000, bytesMax: 64 * 1024 * 1024 };

const namesShape = z.object({
  definitions: z.array(z.object({
    name: z.string(),
    kind: z.string(),
    line: z.int(),
    column: z.int(),
    within: z.string().exactOptional(),
  })),
  uses: z.record(z.string(), z.array(z.int())),
  clipped: z.boolean(),
});

/** One directory. What cannot be read or written there is found anew, and nobody is told. */
export class NamesCache {
  readonly #dir: string;
  readonly #limits: CacheLimits;
  /** So many more may be kept before the directory is looked at. */
  #room = 0;

  constructor(dir: string, limits: CacheLimits = LIMITS) {
    this.#dir = dir;
    this.#limits = limits;
  }

  /** The names of a source, as they were kept or as `find` finds them. */
  async get(source: Source, find: () => Promise<Names>): Promise<Names> {
    const path = join(
      this.#dir,
      `${hashHex("sha256", `${FORM} ${source.language}\n`, source.text)}.json`,
    );
    const kept = await read(path);
    if (kept !== undefined) return kept;
    const names = await find();
    await this.#keep(path, names);
    return names;
  }

  async #keep(path: string, names: Names): Promise<void> {
    const temp = join(this.#dir, `${randomHex(8)}.tmp`);
    try {
      if (this.#room <= 0) await this.#sweep();
      this.#room -= 1;
      // Not synced to the disk: a file that is cut short is no JSON, and is found anew.
      await Deno.writeTextFile(temp, JSON.stringify(names), { mode: 0o600 });
      await Deno.rename(temp, path);
    } catch (error) {
      if (!isOfDisk(error)) throw error;
    }
  }

  async #sweep(): Promise<void> {
    await ensureDir(this.#dir, { mode: 0o700 });
    const files: { path: string; size: number; at: number }[] = [];
    for await (const { name, isFile } of Deno.readDir(this.#dir)) {
      if (!isFile) continue;
      const path = join(this.#dir, name);
      const { size, mtime } = await Deno.lstat(path);
      files.push({ path, size, at: mtime?.getTime() ?? 0 });
    }
    files.sort((one, other) => one.at - other.at);
    let [count, bytes] = [files.length, files.reduce((sum, { size }) => sum + size, 0)];
    const { filesMax, bytesMax } = this.#limits;
    const isFull = count > filesMax || bytes > bytesMax;
    for (const { path, size } of files) {
      if (!isFull || count <= filesMax * 3 / 4 && bytes <= bytesMax * 3 / 4) break;
      await Deno.remove(path);
      count -= 1;
      bytes -= size;
    }
    this.#room = filesMax / 4;
  }
}

async function read(path: string): Promise<Names | undefined> {
  try {
    return namesShape.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || isOfDisk(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Errors of the system: no room, no rights, somebody else was faster. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && ("code" in error || error.constructor.name in Deno.errors);
}
