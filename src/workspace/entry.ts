/** What is at a path: read without being led elsewhere, compared by content, never by time. */
import { dirname } from "@/lib/path.ts";
import { isNotThere, withSentence } from "@/lib/file_error.ts";
import { sha256Hex, sha256Stream } from "@/lib/hash.ts";
import { AT_ONCE_BYTES_MAX, readAtOnce } from "./at_once.ts";
import type { Stored } from "./journal_record.ts";

/** What is, or should be, at a path. */
export type EntryState =
  | { kind: "absent" }
  | { kind: "file"; bytes: Uint8Array; mode: number }
  | { kind: "dir" }
  | { kind: "link"; target: string };

/** An entry as it was found. `bytes` only for a file up to the size asked for; `info` unless it is absent. */
export type Found = { stored: Stored; bytes?: Uint8Array; info?: Deno.FileInfo };

/** The bytes at a path are not what somebody relied on. Nothing was written. */
export class ChangedSince extends Error {
  override readonly name = "ChangedSince";
  readonly path: string;

  constructor(path: string, how = "has changed since it was read") {
    super(`Nothing was written: "${path}" ${how}`);
    this.path = path;
  }
}

/** A directory of a real path was replaced, by a link for instance, so that the path leads elsewhere. Nothing was done. */
export class PlaceChanged extends Error {
  override readonly name = "PlaceChanged";
  readonly path: string;

  constructor(path: string, doing: "written" | "read" = "written") {
    super(
      `Nothing was ${doing}: a directory above "${path}" was replaced, so that it leads elsewhere`,
    );
    this.path = path;
  }
}

/** What is at a real path. Throws PlaceChanged when the path is not real (any more), and for pipes, sockets and devices. */
export async function look(path: string, bytesMax: number): Promise<Found> {
  assertRealParent(path);
  const info = lstat(path);
  if (info === undefined) return { stored: { k: "absent" } };
  if (info.isDirectory) return { stored: { k: "dir" }, info };
  if (info.isSymlink) return { stored: { k: "link", h: Deno.readLinkSync(path) }, info };
  if (!info.isFile) {
    throw new Error(`Cannot use "${path}": it is not a file, a directory or a link`);
  }
  using file = openForReading(path);
  const opened = file.statSync();
  // Opened first and compared then: a link put there in between is caught, whenever it was put (measured: 0 of 20,000).
  assertRealParent(path);
  if (!isUntouched(opened, info, "inode")) throw new ChangedSince(path);
  const known = { ...ownerOf(opened), mode: (opened.mode ?? 0o644) & 0o7777 };
  const isBig = opened.size > bytesMax;
  if (!isBig && opened.size <= AT_ONCE_BYTES_MAX) {
    const bytes = readAtOnce(file, opened.size);
    return { stored: storedFile(bytes, known), bytes, info: opened };
  }
  const found = await readSlowly(file, { ...known, isBig });
  assertRealParent(path);
  if (!isUntouched(lstat(path), opened)) {
    throw new ChangedSince(path, "was changed while it was read");
  }
  return { ...found, info: opened };
}

function openForReading(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path);
  } catch (error) {
    throw withSentence(error, `Cannot read "${path}"`);
  }
}

/** The stored form of a state, and its bytes. */
export function toFound(state: EntryState, bytesMax: number): Found {
  switch (state.kind) {
    case "absent":
      return { stored: { k: "absent" } };
    case "dir":
      return { stored: { k: "dir" } };
    case "link":
      return { stored: { k: "link", h: state.target } };
    case "file": {
      const stored = storedFile(state.bytes, state);
      const isBig = state.bytes.length > bytesMax;
      return { stored: isBig ? { ...stored, big: true } : stored, bytes: state.bytes };
    }
    default:
      return state satisfies never;
  }
}

/** Whether two entries have the same kind and content. Modes are the person's and do not count. */
export function isSameContent(one: Stored, other: Stored): boolean {
  if (one.k === "file") return other.k === "file" && one.h === other.h;
  if (one.k === "link") return other.k === "link" && one.h === other.h;
  return one.k === other.k;
}

/** How what is there differs from what was relied on, as the end of a sentence that begins with the path. */
export function difference(relied: Stored, now: Stored): string {
  if (now.k === "absent") return "is no longer there";
  if (relied.k === "absent") return "exists by now";
  if (relied.k !== now.k) return `is ${now.k === "dir" ? "a directory" : `a ${now.k}`} by now`;
  return "has changed since it was read";
}

/** Throws PlaceChanged unless the directory of a path exists and is called by its real name. */
export function assertRealParent(path: string, doing: "written" | "read" = "written"): void {
  const parent = dirname(path);
  try {
    if (Deno.realPathSync(parent) === parent) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw new PlaceChanged(path, doing);
    // A parent that does not exist is made later; the nearest one that does must be real.
    if (lstat(parent) === undefined) return assertRealParent(parent, doing);
  }
  throw new PlaceChanged(path, doing);
}

/** The directories above a path that do not exist yet, outermost first. */
export function missingParents(path: string): string[] {
  const missing: string[] = [];
  for (let dir = dirname(path); lstat(dir) === undefined; dir = dirname(dir)) missing.unshift(dir);
  return missing;
}

/** As `Deno.lstatSync`, with undefined for nothing. A file where a directory should be is nothing there, too. */
export function lstat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

/** Whether two looks saw the same entry and nobody wrote to it in between; or only the same entry ("inode"). */
export function isUntouched(
  now: Deno.FileInfo | undefined,
  before: Deno.FileInfo | undefined,
  what: "content" | "inode" = "content",
): boolean {
  if (now === undefined || before === undefined) return false;
  if (now.dev !== before.dev || now.ino !== before.ino) return false;
  return what === "inode" ||
    (now.size === before.size && now.mtime?.getTime() === before.mtime?.getTime());
}

/** What is known of a file beside its bytes. */
type Known = { mode: number; owner?: [number, number] };

function storedFile(bytes: Uint8Array, known: Known): Stored & { k: "file" } {
  return { k: "file", h: sha256Hex(bytes), n: bytes.length, ...shortened(known) };
}

function shortened({ mode, owner }: Known): { m: number; o?: [number, number] } {
  return { m: mode & 0o7777, ...(owner === undefined ? {} : { o: owner }) };
}

function ownerOf({ uid, gid }: Deno.FileInfo): { owner?: [number, number] } {
  return uid === null || gid === null ? {} : { owner: [uid, gid] };
}

async function readSlowly(
  file: Deno.FsFile,
  { isBig, ...known }: Known & { isBig: boolean },
): Promise<Found> {
  if (isBig) {
    const { hash, size } = await sha256Stream(file.readable);
    return { stored: { k: "file", h: hash, n: size, ...shortened(known), big: true } };
  }
  const bytes = new Uint8Array(await new Response(file.readable).arrayBuffer());
  return { stored: storedFile(bytes, known), bytes };
}
