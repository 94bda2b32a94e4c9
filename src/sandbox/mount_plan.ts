/**
 * The mounts of one boundary, in order, as arguments of bubblewrap.
 *
 * bubblewrap resolves the place of a mount by its path, while the real root is still within reach, and makes what is
 * missing there. So no part of such a path may be under the control of a command, of this one or of one that still runs:
 * with a link planted in the private home, the next command's mounts would be made wherever it leads (tried: as root it
 * made a directory in /etc). Every directory on the way is therefore a mount point itself, which nobody inside can move,
 * remove or replace (EBUSY).
 */
import { isWithin } from "@/lib/path_within.ts";
import { basename, dirname, join } from "@/lib/path.ts";
import { isDirectory, kindAt, statOf } from "@/sandbox/look.ts";
import type { PrivateDir } from "@/sandbox/private_dir.ts";

/**
 * What is mounted somewhere. `system`: the root, read-only. `fresh`: empty and new for each command. `own`: kept in a
 * private directory for the run. `host`: a directory of the machine, as it is.
 */
type Cover =
  | { at: string; kind: "system" | "fresh" | "host"; isWritable?: boolean }
  | { at: string; kind: "own"; backing: string };

/** What the host must have before each start. */
type Expected = { path: string; kind: "file" | "dir" };

export class MountPlan {
  readonly #private: PrivateDir;
  readonly #covers: Cover[] = [];
  readonly #expected: Expected[] = [];
  readonly args: string[] = [];

  constructor(dir: PrivateDir) {
    this.#private = dir;
  }

  /** The whole machine, read-only. */
  system(): void {
    this.#add({ at: "/", kind: "system" }, "--ro-bind", "/", "/");
  }

  /** A file system of bubblewrap's own: "--dev" or "--proc". */
  special(option: string, at: string): void {
    this.#add({ at, kind: "fresh" }, option, at);
  }

  /** An empty directory. */
  empty(at: string): void {
    this.#place(at, "dir");
    this.#add({ at, kind: "fresh" }, "--tmpfs", at);
  }

  /** What was mounted last at this place, read-only. */
  freeze(at: string): void {
    this.args.push("--remount-ro", at);
  }

  /** A link where nothing of the machine is: only for names by which something is found, never on the way to a mount. */
  link(at: string, to: string): void {
    const cover = this.#cover(at);
    if (cover?.kind === "fresh") this.args.push("--symlink", to, at);
    if (cover?.kind !== "own") return;
    this.#ways(cover.at, at);
    const own = this.#cover(dirname(at));
    // Kept from one command to the next.
    if (own?.kind === "own") statOf(() => Deno.symlinkSync(to, join(own.backing, basename(at))));
  }

  /** A writable directory that keeps its content for the run. */
  own(at: string): void {
    this.#place(at, "dir");
    this.#ownHere(at);
  }

  /** A file or directory of the machine, read-only; `at`: where, if not in its own place. */
  show(from: string, at: string = from): void {
    this.#place(at, isDirectory(from) ? "dir" : "file");
    this.#add({ at, kind: "host" }, "--ro-bind", from, at);
  }

  /** `empty` over a file or socket of the machine, unless whoever is inside could change the way to it. */
  blank(at: string, empty: string): void {
    const cover = this.#cover(at);
    if (cover?.kind !== "system" && (cover?.kind !== "host" || cover.isWritable === true)) return;
    this.#add({ at, kind: "fresh" }, "--ro-bind", empty, at);
  }

  /** A directory of the machine in its own place, writable. */
  write(at: string): void {
    this.#place(at, "dir");
    this.#expected.push({ path: at, kind: "dir" });
    this.#add({ at, kind: "host", isWritable: true }, "--bind", at, at);
  }

  /** A directory of the machine in another place, writable. */
  keep(from: string, at: string): void {
    this.#place(at, "dir");
    this.#expected.push({ path: from, kind: "dir" });
    this.#add({ at, kind: "host", isWritable: true }, "--bind", from, at);
  }

  /** Whether a place is in what was shown, and not emptied. */
  isVisible(path: string): boolean {
    const cover = this.#cover(path);
    return cover?.kind === "system" || cover?.kind === "host";
  }

  /** What is not as it was when this plan was made, as a path; undefined when all is. */
  problem(): string | undefined {
    return this.#expected.find(({ path, kind }) => kindAt(path) !== kind)?.path;
  }

  #add(cover: Cover, ...args: readonly string[]): void {
    this.#covers.push(cover);
    this.args.push(...args);
  }

  /** The newest mount that has the path. */
  #cover(path: string): Cover | undefined {
    return this.#covers.filter(({ at }) => isWithin(path, at)).reduce<Cover | undefined>(
      (deepest, cover) =>
        deepest === undefined || cover.at.length >= deepest.at.length ? cover : deepest,
      undefined,
    );
  }

  #place(at: string, kind: "file" | "dir"): void {
    const cover = this.#cover(at);
    if (cover === undefined || cover.at === at) return;
    if (cover.kind === "own") {
      this.#ways(cover.at, at);
      this.#make(at, kind);
    } else if (cover.kind === "host") {
      for (const way of cover.isWritable ? between(cover.at, at) : []) this.write(way);
      this.#expected.push({ path: at, kind });
    }
  }

  /** Every directory between one of ours and a place in it becomes one of ours as well. */
  #ways(above: string, at: string): void {
    for (const way of between(above, at)) {
      this.#make(way, "dir");
      this.#ownHere(way);
    }
  }

  #ownHere(at: string): void {
    const backing = this.#private.ownDir(at);
    this.#add({ at, kind: "own", backing }, "--bind", backing, at);
  }

  /** The mount point in a private directory. */
  #make(at: string, kind: "file" | "dir"): void {
    const cover = this.#cover(dirname(at));
    if (cover?.kind !== "own") return;
    const path = join(cover.backing, basename(at));
    if (kind === "dir") statOf(() => Deno.mkdirSync(path, { mode: 0o700 }));
    else statOf(() => Deno.writeTextFileSync(path, "", { createNew: true, mode: 0o600 }));
    this.#expected.push({ path, kind });
  }
}

/** The directories strictly between one and another path below it, outermost first. */
function between(above: string, below: string): string[] {
  const ways: string[] = [];
  for (let at = dirname(below); at !== above && at !== "/"; at = dirname(at)) ways.unshift(at);
  return ways;
}
