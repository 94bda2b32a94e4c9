/**
 * The one place that says where a path really leads and whether a tool may go there.
 *
 * What it is worth: links, `..`, other spellings and special files are seen through, and dispatch asks again after a
 * question. Deno has no openat, so a process that swaps a directory for a link between that look and the system call
 * cannot be shut out here (place.ts makes such a write miss); an OS sandbox has to keep hostile processes from the tree.
 * A file inside with a second hard link outside cannot be told from any other: reading it reads the outside file.
 * A change is harmless, because files are replaced by rename, which parts the two.
 */
import type { ResolvedPath } from "@/protocol/policy.ts";
import type { Effect } from "@/protocol/tool.ts";
import { isWithin } from "@/lib/path_within.ts";
import { basename, dirname, isAbsolute, join, sep } from "@/lib/path.ts";
import { type Disk, NoWay, REAL_DISK, type Walk, walk } from "./walk.ts";

/** Whether a link at the end of a path stands for what it leads to ("follow") or for itself ("keep", to delete it). */
export type LeafOptions = { leaf?: "follow" | "keep" };

/** What a workspace is made of. */
export type ConfineOptions = {
  workspace: string;
  /** Further directories that count as inside. */
  added: readonly string[];
  /** What `~` stands for; without it, a path that begins with it is refused. */
  home?: string;
  /** Directories that no tool may touch, inside or outside: the state directory. */
  forbidden?: readonly string[];
  disk?: Disk;
};

const PATH_BYTES_MAX = 4095;
const NAME_BYTES_MAX = 255;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Says where paths lead, for one workspace. */
export class Confine {
  readonly workspace: string;
  readonly #roots: readonly string[];
  readonly #home: string | undefined;
  readonly #forbidden: readonly string[];
  readonly #disk: Disk;

  constructor({ workspace, added, home, forbidden = [], disk = REAL_DISK }: ConfineOptions) {
    this.workspace = realIfThere(workspace);
    this.#roots = [this.workspace, ...added.map(realIfThere)];
    this.#home = home;
    this.#forbidden = forbidden;
    this.#disk = disk;
  }

  /** Where a path leads and whether that is inside. Never throws: what cannot be resolved is refused. */
  async resolve(
    path: string,
    effect: Effect,
    { leaf = "follow" }: LeafOptions = {},
  ): Promise<ResolvedPath> {
    const refuse = (refusal: string): ResolvedPath => ({
      real: path,
      outside: true,
      refusal: `Cannot use ${quote(path)}: ${refusal}`,
    });
    const unusable = spellingProblem(path);
    if (unusable !== undefined) return refuse(unusable);
    const expanded = this.#expand(path);
    if (expanded === undefined) {
      return refuse('the home directory that "~" stands for is not known');
    }
    try {
      const options = { from: this.workspace, keepLeaf: leaf === "keep", disk: this.#disk };
      const found = await walk(expanded, options);
      const refusal = this.#refusal(found, effect);
      if (refusal !== undefined) return { ...refuse(refusal), real: found.real };
      return {
        real: found.real,
        outside: !this.isInside(found.real),
        ...(found.note === undefined ? {} : { note: found.note }),
      };
    } catch (error) {
      return refuse(
        `it ${error instanceof NoWay ? error.message : `cannot be resolved (${error})`}`,
      );
    }
  }

  /** Whether a real path lies in the workspace or an added directory. */
  isInside(real: string): boolean {
    return this.#roots.some((root) => isWithin(real, root));
  }

  /** Whether a real path lies in a directory that no tool may touch; for tools that walk a tree. */
  isForbidden(real: string): boolean {
    return this.#forbidden.some((dir) => isWithin(real, realIfThere(dir)));
  }

  #expand(path: string): string | undefined {
    if (path !== "~" && !path.startsWith(`~${sep}`) && !path.startsWith("~/")) return path;
    return this.#home === undefined ? undefined : join(this.#home, path.slice(1));
  }

  #refusal(found: Walk, effect: Effect): string | undefined {
    // By name, and by inode, so that another name for the same directory (a bind mount, other case) does not help.
    const isForbidden = (dir: string) =>
      isWithin(found.real, dir) || found.inodes.includes(inodeOf(dir) ?? "");
    if (this.#forbidden.some((dir) => isForbidden(realIfThere(dir)))) {
      return "it leads into the directory where harness keeps its own state, which no tool touches";
    }
    if (found.end === "special") {
      return "it is a named pipe, a socket or a device, not a file, and is never opened";
    }
    if (effect === "reads") return undefined;
    if (found.dangling !== undefined) {
      return `"${found.dangling}" is a link to something that does not exist, and nothing is written through it`;
    }
    const link = found.links.find((at) => this.isInside(at));
    if (link === undefined || this.isInside(found.real)) return undefined;
    return `the link "${link}" leads outside the workspace, to "${found.real}", and nothing is written through it`;
  }
}

/** `device:inode` of what is there. */
function inodeOf(path: string): string | undefined {
  try {
    const { dev, ino } = Deno.lstatSync(path);
    return ino === null ? undefined : `${dev}:${ino}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** What is wrong with the text of a path, before any file system is asked. */
function spellingProblem(path: string): string | undefined {
  if (path === "") return "it is empty; name a file or directory";
  if (path.includes("\0")) return "it contains a NUL character";
  if (!path.isWellFormed()) return "it contains half of a surrogate pair, which no file name can";
  if (/^\\\\/.test(path) || (sep === "/" && /^[A-Za-z]:[\\/]/.test(path))) {
    return "network and drive paths are not opened; name a path in the workspace";
  }
  const names = path.split(sep === "/" ? "/" : /[\\/]/);
  if (bytesOf(path) > PATH_BYTES_MAX) return "it is too long for the system";
  if (names.some((name) => bytesOf(name) > NAME_BYTES_MAX)) return "a name in it is too long";
  if (sep === "\\" && names.some(isWindowsTrap)) return "a name in it means a device or a stream";
  return undefined;
}

function isWindowsTrap(name: string, index: number): boolean {
  return WINDOWS_DEVICE.test(name) ||
    name.replace(index === 0 ? /^[A-Za-z]:/ : "", "").includes(":");
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function quote(path: string): string {
  return JSON.stringify(
    path.length > 200 ? `${path.slice(0, 100)}…${basename(path).slice(-60)}` : path,
  );
}

/** The real path of a directory that may not exist yet, by way of its deepest parent that does. */
function realIfThere(path: string): string {
  if (!isAbsolute(path)) throw new TypeError(`"${path}" is not an absolute path`);
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return join(realIfThere(dirname(path)), basename(path));
  }
}
