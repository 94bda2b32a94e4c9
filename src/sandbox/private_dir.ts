/**
 * The directory of one run under the temp directory: the home and tmp that commands see, and the files that bubblewrap
 * reads. For the person alone, removed at the end; what a killed run left is removed by the next one.
 */
import { closing } from "@/lib/closing.ts";
import { isWithin } from "@/lib/path_within.ts";
import { dirname, join } from "@/lib/path.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { SandboxOptions } from "@/sandbox/boundary_options.ts";
import { isDirectory, realPath } from "@/sandbox/look.ts";

const PREFIX = "harness-sandbox-";
const LOCK = "lock";

/** A directory without a lock that is younger may be somebody's who is just making it, in milliseconds. */
const NEW_MS = 60_000;

const TRIES_MAX = 5;

/** What an end waits for a sweep to stop, in milliseconds. */
const SWEEP_WAIT_MS = 200;

/** Made by `create`, removed by `remove`. Everything in it is 0700 or 0600. */
export class PrivateDir {
  readonly path: string;
  readonly #lock: Deno.FsFile;
  readonly #files = new Map<string, string>();
  #sweep: Promise<void> = Promise.resolve();
  #isOver = false;

  private constructor(path: string, lock: Deno.FsFile) {
    this.path = path;
    this.#lock = lock;
  }

  /** Make one below `parent`, a real path. Throws when that cannot be written. */
  static async create(parent: string): Promise<PrivateDir> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const path = await Deno.makeTempDir({ dir: parent, prefix: PREFIX });
      const lock = await Deno.open(join(path, LOCK), { createNew: true, write: true, mode: 0o600 });
      // Somebody who sweeps may hold it for a moment, and removes the directory then: before our lock, or with it.
      if (await lock.tryLock(true) && isDirectory(path)) return new PrivateDir(path, lock);
      lock.close();
    }
    throw new Error(`Cannot keep a directory of our own in "${parent}"`);
  }

  /** A directory in it; made if it is not there. */
  dir(name: string): string {
    const path = join(this.path, name);
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  /** The directory that commands see, writable, at a path of theirs. */
  ownDir(at: string): string {
    return this.dir(`own-${sha256Hex(at).slice(0, 16)}`);
  }

  /** A file with this content. The same content gives the same file, which is never written again. */
  file(content: Uint8Array): string {
    const name = sha256Hex(content);
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const path = join(this.dir("files"), name);
    Deno.writeFileSync(path, content, { createNew: true, mode: 0o600 });
    this.#files.set(name, path);
    return path;
  }

  /** Remove what runs that were killed left beside it, with nobody waiting. `uid`: ours. */
  sweepBeside(uid: number | null, onProblem: (error: unknown) => void): void {
    this.#sweep = sweepPrivateDirs(dirname(this.path), uid, () => this.#isOver).catch(onProblem);
  }

  /** Remove it with all that commands left in it. */
  async remove(): Promise<void> {
    this.#isOver = true;
    await settlesWithin(this.#sweep, SWEEP_WAIT_MS);
    await removeTree(this.path);
    this.#lock.close();
  }
}

/** A directory of our own where commands cannot see it, and whose it is. */
export async function openPrivateDir(
  roots: readonly string[],
  { env, onNotice }: Pick<SandboxOptions, "env" | "onNotice">,
): Promise<{ dir: PrivateDir; uid: number | null } | { problem: string }> {
  const isSeen = (path: string) => roots.some((root) => isWithin(path, root));
  const parent = ["/tmp", "/var/tmp", env["TMPDIR"] ?? ""].map((path) => realPath(path))
    .find((path) => path !== undefined && isDirectory(path) && !isSeen(path));
  if (parent === undefined) {
    return { problem: "there is no temporary directory outside the workspace" };
  }
  const dir = await PrivateDir.create(parent);
  // Asking for our own number would take a permission more.
  const { uid } = await Deno.lstat(dir.path);
  dir.sweepBeside(uid, (error) => {
    onNotice(`Cannot look for what earlier runs left in "${parent}": ${error}`);
  });
  return { dir, uid };
}

/** Remove what runs that were killed left below `parent`, until `isOver`. `uid`: whose; those of others are not touched. */
export async function sweepPrivateDirs(
  parent: string,
  uid: number | null,
  isOver: () => boolean = () => false,
): Promise<void> {
  for await (const entry of Deno.readDir(parent)) {
    if (isOver()) return;
    if (!entry.isDirectory || !entry.name.startsWith(PREFIX)) continue;
    const path = join(parent, entry.name);
    try {
      const info = await Deno.lstat(path);
      if (!info.isDirectory || info.uid !== uid) continue;
      await sweepOne(path, Date.now() - (info.mtime?.getTime() ?? 0));
    } catch (error) {
      // Somebody else sweeps as well, or it holds what we may not remove: it is no worse for staying.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}

async function sweepOne(path: string, ageMs: number): Promise<void> {
  let lock: Deno.FsFile;
  try {
    lock = await Deno.open(join(path, LOCK), { write: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    if (ageMs > NEW_MS) await removeTree(path);
    return;
  }
  await closing(lock, async (held) => {
    if (await held.tryLock(true)) await removeTree(path);
  });
}

/** Links are removed and never followed. Directories that a command made unwritable are opened first. */
async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    await openTree(path);
    await Deno.remove(path, { recursive: true });
  }
}

async function openTree(path: string): Promise<void> {
  await Deno.chmod(path, 0o700);
  for await (const entry of Deno.readDir(path)) {
    if (entry.isDirectory) await openTree(join(path, entry.name));
  }
}
