/**
 * Follows a path the way the kernel does: link by link, with `..` taken from where a link really led.
 * `node:path` cannot do this: it removes `link/..` as text, and the kernel does not.
 */
import { dirname, isAbsolute, join, rootOf, sep } from "@/lib/path.ts";
import { fileErrorReason } from "@/lib/file_error.ts";

/**
 * What the walk asks of the file system; tests put another kind of disk behind it. Looks are made on the spot: each is a
 * few µs of the kernel, and going through a thread costs 100. A whole directory is read beside everything else.
 */
export type Disk = {
  lstat(path: string): Deno.FileInfo;
  readLink(path: string): string;
  realPath(path: string): string;
  readDir(path: string): AsyncIterable<{ name: string }>;
};

/** What is at the end of a path. */
export type WalkEnd = "file" | "dir" | "link" | "special" | "missing";

/** Where a path leads. */
export type Walk = {
  /** Real absolute path; parts that do not exist yet stand as they were written. */
  real: string;
  end: WalkEnd;
  /** Real places of the links that were followed, in order. */
  links: readonly string[];
  /** The link whose target does not exist. */
  dangling?: string;
  /** `device:inode` of what was passed. */
  inodes: readonly string[];
  /** Says that a name was taken in another Unicode spelling. */
  note?: string;
};

/** A path that leads nowhere; the message is the end of a sentence: "it …". */
export class NoWay extends Error {
  override readonly name = "NoWay";
}

/** As in Linux, which answers ELOOP after 40 links. */
const LINKS_MAX = 40;
const SAME_NAME_ENTRIES_MAX = 100_000;
const KERNEL_PLACES = ["/proc", "/dev", "/sys"];

/** The real file system. */
export const REAL_DISK: Disk = {
  lstat: Deno.lstatSync,
  readLink: Deno.readLinkSync,
  realPath: Deno.realPathSync,
  readDir: Deno.readDir,
};

/**
 * Walk `path` from the real directory `from`. With `keepLeaf`, a link at the very end is not followed.
 * Throws `NoWay` for loops, files used as directories, kernel file systems and what cannot be looked at.
 */
export async function walk(
  path: string,
  { from, keepLeaf, disk }: { from: string; keepLeaf: boolean; disk: Disk },
): Promise<Walk> {
  const walker = new Walker(disk, keepLeaf && !path.endsWith(sep));
  const found = await walker.run(...startOf(path, from));
  return canonical(found, disk);
}

/** A path below the real starting directory need not be looked at from the root again. */
function startOf(path: string, from: string): [start: string, parts: string[]] {
  if (!isAbsolute(path)) return [from, partsOf(path)];
  const prefix = from.endsWith(sep) ? from : from + sep;
  if (path.startsWith(prefix)) return [from, partsOf(path.slice(prefix.length))];
  const root = rootOf(path);
  return [root, partsOf(path.slice(root.length))];
}

function partsOf(path: string): string[] {
  const parts = (sep === "/" ? path.split("/") : path.split(/[\\/]/)).filter((part) => part !== "");
  // A slash at the end says "the directory": as in the kernel, the same as "/." there.
  return /[^\\/][\\/]+$/.test(path) && path.endsWith(sep) ? [...parts, "."] : parts;
}

type Found = Walk & { existing: string; rest: readonly string[] };

class Walker {
  #at = "";
  #end: WalkEnd = "dir";
  #missing: string[] = [];
  #links: string[] = [];
  #inodes: string[] = [];
  /** For each link followed: how many parts stood behind it. */
  #behind: { link: string; parts: number }[] = [];
  #dangling: string | undefined;
  #note: string | undefined;

  constructor(readonly disk: Disk, readonly keepLeaf: boolean) {}

  async run(start: string, parts: string[]): Promise<Found> {
    this.#at = start;
    const pending = parts.toReversed();
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      await this.#step(part, pending);
    }
    return {
      real: this.#real(),
      end: this.#end,
      links: this.#links,
      inodes: this.#inodes,
      existing: this.#end === "link" ? dirname(this.#at) : this.#at,
      rest: this.#end === "link" ? [this.#at.slice(dirname(this.#at).length)] : this.#missing,
      ...(this.#dangling === undefined ? {} : { dangling: this.#dangling }),
      ...(this.#note === undefined ? {} : { note: this.#note }),
    };
  }

  #real(): string {
    return this.#missing.length === 0 ? this.#at : join(this.#at, ...this.#missing);
  }

  async #step(part: string, pending: string[]): Promise<void> {
    if (this.#end === "missing") return this.#stepBeyond(part);
    if (this.#end !== "dir") {
      throw new NoWay(`passes through "${this.#at}", which is not a directory`);
    }
    if (part === ".") return;
    if (part === "..") {
      this.#at = dirname(this.#at);
      return;
    }
    await this.#enter(part, pending);
  }

  #stepBeyond(part: string): void {
    if (part === "..") {
      throw new NoWay(`goes back with ".." from "${this.#real()}", which does not exist`);
    }
    if (part !== ".") this.#missing.push(part);
  }

  async #enter(part: string, pending: string[]): Promise<void> {
    const next = join(this.#at, part);
    refuseKernelPlace(next);
    const info = this.#look(next);
    if (info === undefined) return await this.#enterMissing(part, pending);
    this.#inodes.push(`${info.dev}:${info.ino}`);
    const isLast = pending.length === 0;
    if (info.isSymlink && !(isLast && this.keepLeaf)) return this.#follow(next, pending);
    this.#at = next;
    this.#end = endOf(info);
  }

  #look(path: string): Deno.FileInfo | undefined {
    try {
      return this.disk.lstat(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw new NoWay(`cannot be looked at ("${path}": ${fileErrorReason(error)})`);
    }
  }

  /** NFC and NFD spellings of a name are two files on most disks, and look the same to everybody (measured on ext4). */
  async #enterMissing(part: string, pending: string[]): Promise<void> {
    const twins = await this.#sameName(part);
    if (twins.length > 1) {
      throw new NoWay(
        `could be any of ${twins.length} names that differ only in their Unicode form`,
      );
    }
    const [twin] = twins;
    if (twin !== undefined) {
      this.#note = `"${part}" is spelled in another Unicode form on disk; that one is used`;
      return await this.#enter(twin, pending);
    }
    this.#dangling = this.#behind.findLast(({ parts }) => pending.length >= parts)?.link;
    this.#missing.push(part);
    this.#end = "missing";
  }

  async #sameName(part: string): Promise<string[]> {
    // deno-lint-ignore no-control-regex
    if (/^[\x00-\x7f]*$/.test(part)) return [];
    const wanted = part.normalize("NFC");
    const twins: string[] = [];
    let entries = 0;
    try {
      for await (const { name } of this.disk.readDir(this.#at)) {
        if (++entries > SAME_NAME_ENTRIES_MAX) break;
        if (name !== part && name.normalize("NFC") === wanted) twins.push(name);
      }
    } catch (error) {
      throw new NoWay(`cannot be looked at ("${this.#at}": ${fileErrorReason(error)})`);
    }
    return twins;
  }

  #follow(link: string, pending: string[]): void {
    this.#links.push(link);
    if (this.#links.length > LINKS_MAX) {
      throw new NoWay(`leads through links in a circle ("${link}")`);
    }
    this.#behind.push({ link, parts: pending.length });
    const target = this.disk.readLink(link);
    pending.push(
      ...partsOf(isAbsolute(target) ? target.slice(rootOf(target).length) : target)
        .toReversed(),
    );
    if (isAbsolute(target)) this.#at = rootOf(target);
  }
}

function endOf(info: Deno.FileInfo): WalkEnd {
  if (info.isDirectory) return "dir";
  if (info.isSymlink) return "link";
  return info.isFile ? "file" : "special";
}

/** Deno refuses these too, under any scoped grant; we say it first, and for links that lead there. */
function refuseKernelPlace(path: string): void {
  if (sep === "/" && KERNEL_PLACES.includes(path)) {
    throw new NoWay(`leads into ${path}, which belongs to the system and which no tool touches`);
  }
}

/** The disk's own spelling of what exists: on a disk that folds case, "SRC" is found and is called "src". */
function canonical({ existing, rest, ...found }: Found, disk: Disk): Walk {
  try {
    const named = disk.realPath(existing);
    return named === existing ? found : { ...found, real: join(named, ...rest) };
  } catch (error) {
    throw new NoWay(`cannot be looked at ("${existing}": ${fileErrorReason(error)})`);
  }
}
