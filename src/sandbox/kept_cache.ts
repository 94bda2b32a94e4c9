/**
 * Caches of compilers that are kept from run to run, in the state directory, one for each workspace: with an empty one Go
 * builds its whole library first (10 s of processor, a minute on a busy machine), and one that it may not write stops it
 * ("read-only file system", go 1.26). The person's own is neither shown nor written: what a command leaves in a cache is what
 * later builds of the same project get, in the sandbox, and nothing else.
 */
import { isDirectory, namesIn, statOf } from "@/sandbox/look.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { join } from "@/lib/path.ts";

/** `at`: where commands see it, below home. `from`: where it is kept. */
export type KeptCache = { at: string; from: string };

const CACHES: readonly { program: string; at: string; name: string }[] = [
  { program: "go", at: ".cache/go-build", name: "go-build" },
];

/** Of a project that is not worked on any more; Go trims what it still uses by itself. */
const KEEP_MS = 30 * 24 * 3_600_000;

export type KeptCacheOptions = {
  stateDir: string;
  workspace: string;
  /** Whether a program is there, so that its cache is worth having. */
  has(program: string): Promise<boolean>;
  now?(): number;
};

/** Make those that are of use; none where the state directory is not there or cannot be written. */
export async function openKeptCaches(options: KeptCacheOptions): Promise<KeptCache[]> {
  const { stateDir, workspace, has, now = Date.now } = options;
  if (!isDirectory(stateDir)) return [];
  const all = join(stateDir, "caches");
  const own = join(all, sha256Hex(workspace).slice(0, 16));
  const kept: KeptCache[] = [];
  for (const { program, at, name } of CACHES) {
    if (!await has(program)) continue;
    const from = join(own, name);
    statOf(() => Deno.mkdirSync(from, { recursive: true, mode: 0o700 }));
    if (isDirectory(from)) kept.push({ at, from });
  }
  const time = new Date(now());
  if (kept.length > 0) statOf(() => Deno.utimeSync(own, time, time));
  await sweep(all, now() - KEEP_MS);
  return kept;
}

/** Remove those that were last opened before a time. What cannot be removed now is tried the next time. */
async function sweep(all: string, before: number): Promise<void> {
  for (const name of namesIn(all)) {
    const path = join(all, name);
    const opened = statOf(() => Deno.lstatSync(path))?.mtime?.getTime() ?? before;
    if (opened >= before) continue;
    try {
      await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}
