/**
 * Whole-file writes that either happen or do not: a temporary file in the same directory, fsync, rename.
 * A reader, a crash or a full disk never meets half a file.
 */
import { closing } from "@/lib/closing.ts";
import { dirname, join } from "@/lib/path.ts";
import { errorCode, fileErrorReason, withSentence } from "@/lib/file_error.ts";
import { randomHex } from "@/lib/random.ts";

/** Which mode a written file gets. By default an existing file keeps its own and the umask decides for a new one. */
export type WriteMode = {
  /** Exact mode afterwards, whether the file is new or not. */
  mode?: number;
  /** Mode asked for a file that is new; the umask takes its bits away. */
  newMode?: number;
  /** 0600 from creation: nobody else can read it at any moment. */
  private?: boolean;
  /** User and group of a file that is new, as far as this process may give files away. */
  owner?: readonly [number, number];
};

/** What `replaceFile` lets its caller look at on the way. */
export type ReplaceOptions = WriteMode & {
  /** Name of the temporary file, for a caller that has to find it again after a crash. */
  temp?: string;
  /** On macOS a file that is replaced keeps its tags, its access list and its date of creation. */
  keepsAttributes?: boolean;
  /** Runs when the temporary file exists and is still empty. Throwing stops the write. */
  landed?(temp: string, info: Deno.FileInfo): void;
  /** Runs last, right before the rename. Throwing stops the write and leaves the old file. */
  ready?(): void | Promise<void>;
  /** Puts the temporary file in its place, where a plain rename is not enough. */
  rename?(temp: string, path: string): void;
  /** Removes the temporary file after a failure, where a plain remove is not enough. Throws nothing. */
  discard?(temp: string): void;
};

/** An asynchronous call costs 80 µs, writing this much into the page cache about as much (measured, Deno 2.9.6). */
const AT_ONCE_BYTES_MAX = 256 * 1024;
const IS_WINDOWS = Deno.build.os === "windows";
const IS_MAC = Deno.build.os === "darwin";

/**
 * Write a file atomically. Where `path` is a link, the file it leads to is replaced and the link stays.
 * Throws Deno's own errors, with a sentence in front; the old file is then as it was.
 */
export async function writeFileAtomic(
  path: string,
  content: Uint8Array | string,
  options: WriteMode = {},
): Promise<void> {
  await replaceFile(followLinks(path), content, options);
}

/** As `writeFileAtomic`, but a link at `path` is itself replaced: nothing is followed. */
export async function replaceFile(
  path: string,
  content: Uint8Array | string,
  options: ReplaceOptions = {},
): Promise<void> {
  const temp = join(dirname(path), options.temp ?? tempName());
  try {
    const old = lstat(path);
    if (old?.isDirectory) throw new Deno.errors.IsADirectory("a directory is there");
    await fillTemp(temp, content, { path, old: old?.isFile ? old : undefined, options });
    await putInPlace(temp, path, options);
  } catch (error) {
    throw withSentence(error, `Cannot write "${path}"`);
  }
  await syncDir(dirname(path));
}

/** Make a directory and those above it. With `mode`, one that exists loses the rights that go beyond it. */
export async function ensureDir(path: string, options: { mode?: number } = {}): Promise<void> {
  await Deno.mkdir(path, { recursive: true, ...options });
  if (options.mode === undefined || IS_WINDOWS) return;
  const now = (await Deno.stat(path)).mode;
  if (now === null || (now & 0o777 & ~options.mode) === 0) return;
  await Deno.chmod(path, now & 0o7777 & options.mode);
}

/** A name for a temporary file that nobody can predict. */
function tempName(): string {
  return `.harness-${randomHex(12)}.tmp`;
}

/** Make a rename in this directory survive a power cut. Where the system has no such thing, nothing happens. */
export async function syncDir(dir: string): Promise<boolean> {
  if (IS_WINDOWS) return false;
  try {
    await closing(Deno.openSync(dir), (handle) => handle.sync());
    return true;
  } catch (error) {
    // The file is in place already: a directory that cannot be opened or synced does not undo that.
    if (errorCode(error) === "") throw error;
    return false;
  }
}

/** Write all of the bytes; one `write` may take only some of them. */
export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let done = 0;
  if (bytes.length <= AT_ONCE_BYTES_MAX) {
    while (done < bytes.length) done += file.writeSync(bytes.subarray(done));
  } else {
    while (done < bytes.length) done += await file.write(bytes.subarray(done));
  }
}

type Fill = { path: string; old: Deno.FileInfo | undefined; options: ReplaceOptions };

async function fillTemp(
  temp: string,
  content: Uint8Array | string,
  { path, old, options }: Fill,
): Promise<void> {
  const exact = exactMode(old, options);
  // Closed to others until it has its final mode, unless the umask is to decide.
  const mode = exact === undefined ? options.newMode ?? 0o666 : 0o600;
  const isCopied = old !== undefined && options.keepsAttributes === true && IS_MAC;
  const file = openTemp(temp, { path, old, isCopied, mode });
  try {
    const info = file.statSync();
    options.landed?.(temp, info);
    const owner = old === undefined ? options.owner : [old.uid, old.gid] as const;
    const keepsGroup = keepOwner(temp, { info, owner });
    const kept = exact === undefined || keepsGroup ? exact : withoutGroup(exact);
    if (kept !== undefined && !IS_WINDOWS) Deno.chmodSync(temp, kept);
    await writeAll(file, typeof content === "string" ? new TextEncoder().encode(content) : content);
    // Writing takes these rights away, unless root writes.
    if (kept !== undefined && (kept & 0o6000) !== 0 && !IS_WINDOWS) Deno.chmodSync(temp, kept);
    await file.sync();
  } catch (error) {
    (options.discard ?? removeTemp)(temp);
    throw error;
  } finally {
    file.close();
  }
}

type NewFile = Pick<Fill, "path" | "old"> & { isCopied: boolean; mode: number };

function openTemp(temp: string, { path, old, isCopied, mode }: NewFile): Deno.FsFile {
  try {
    if (!isCopied) return Deno.openSync(temp, { write: true, createNew: true, mode });
    // The system's own copy there is a clone, with everything a file has; elsewhere it is of bytes and mode alone.
    Deno.copyFileSync(path, temp);
    Deno.chmodSync(temp, 0o600);
    return Deno.openSync(temp, { write: true, truncate: true });
  } catch (error) {
    if (isCopied) removeTemp(temp);
    if (old === undefined || !(error instanceof Deno.errors.PermissionDenied)) throw error;
    // Without a code, so that nobody says in its place what the system said.
    throw new Deno.errors.PermissionDenied(
      `Cannot write "${path}": a file is replaced whole, which takes the right to write in its directory as well; ` +
        "chmod u+w on that gives it, where it is yours",
      { cause: error },
    );
  }
}

async function putInPlace(temp: string, path: string, options: ReplaceOptions): Promise<void> {
  try {
    const pause = options.ready?.();
    if (pause !== undefined) await pause;
    // Synchronous, so that nothing of ours runs between the caller's last look and the rename.
    (options.rename ?? Deno.renameSync)(temp, path);
  } catch (error) {
    (options.discard ?? removeTemp)(temp);
    throw error;
  }
}

function exactMode(old: Deno.FileInfo | undefined, options: WriteMode): number | undefined {
  if (options.mode !== undefined) return options.mode & 0o7777;
  if (options.private) return 0o600;
  return old?.mode === null || old?.mode === undefined ? undefined : old.mode & 0o7777;
}

/**
 * Root replacing somebody's file must not take it from them; anybody else may at least keep the group. Gives whether the
 * group is as it should be.
 */
function keepOwner(
  temp: string,
  { info, owner }: {
    info: Deno.FileInfo;
    owner: readonly [number | null, number | null] | undefined;
  },
): boolean {
  if (owner === undefined || IS_WINDOWS) return true;
  const [uid, gid] = owner;
  if (info.uid === uid && info.gid === gid) return true;
  return isGiven(temp, { uid, gid }) || info.gid === gid || isGiven(temp, { uid: null, gid });
}

type Owner = { uid: number | null; gid: number | null };

function isGiven(path: string, { uid, gid }: Owner): boolean {
  try {
    Deno.chownSync(path, uid, gid);
    return true;
  } catch (error) {
    if (!["EPERM", "EINVAL", "ENOSYS", "ENOTSUP"].includes(errorCode(error))) throw error;
    return false;
  }
}

/** Rights of the group are not for another one; whoever is in it keeps what everybody has. */
function withoutGroup(mode: number): number {
  return mode & ~0o2070 | (mode & 0o007) << 3;
}

function removeTemp(temp: string): void {
  try {
    Deno.removeSync(temp);
  } catch (error) {
    if (errorCode(error) === "") throw error; // What cannot be removed is left; the first error is the news.
  }
}

function lstat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The path of the file itself. A link that dangles is refused: where it would write is not what anybody chose. */
function followLinks(path: string): string {
  if (!lstat(path)?.isSymlink) return path;
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    const cause = error instanceof Deno.errors.NotFound
      ? `it is a link to "${Deno.readLinkSync(path)}", which does not exist`
      : fileErrorReason(error);
    if (error instanceof Error) error.message = `Cannot write "${path}": ${cause}`;
    throw error;
  }
}
