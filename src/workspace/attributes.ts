/**
 * What a file has beside its bytes, mode and owner, and a new file in its place would not: extended attributes, an access
 * list, a label of its own. Deno knows none of them (2.9.6), so GNU tar is asked to list them, into no archive; it takes
 * no bytes of the file for that. Where there is no such tar, files are taken to have nothing of the kind.
 */
import { dirname } from "@/lib/path.ts";
import { StartError } from "@/sandbox/spawn.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { lstat } from "./entry.ts";
import type { Placing } from "./place.ts";

const LIST_MS = 5_000;
const KNOWN_MAX = 10_000;
const IS_LINUX = Deno.build.os === "linux";

/**
 * A label is listed by itself, because a new file mostly gets the same one from its directory. Of a second name of a file
 * (a hard link) nothing but that would be listed; and a name is what it is, whatever backslashes it has.
 */
const LIST = [
  ...["--create", "--file=/dev/null", "--absolute-names", "--no-recursion", "-vvv"],
  ...["--hard-dereference", "--no-unquote"],
  ...["--acls", "--selinux", "--xattrs", "--xattrs-include=*", "--xattrs-exclude=security.selinux"],
];

/** How long after a reading or an edit files are asked about, while the model thinks, and how many of them at once. */
const AHEAD_MS = 300;
const AHEAD_MAX = 200;
/** How often a file is looked at whose last change is too new: one that keeps changing is asked about when it must be known. */
const LOOKS_MAX = 5;
/** Deno gives the time of a change in whole seconds (2.9.6): until one is over, another change may not show. */
const CLOCK_MS = 1_020;

type Listed = { entries: readonly string[]; isWhole: boolean };

/** Which files have such attributes. A file is asked about once, as long as nothing of it changes. */
export class Attributes {
  readonly #processes: Pick<Processes, "run" | "ownPath">;
  /** What is known of files, each with the time of its last change of any kind: setting an attribute is one. */
  readonly #known = new Map<string, { state: string; has: boolean }>();
  /** With how often each was looked at. */
  readonly #expected = new Map<string, number>();
  #asking: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether anything was edited. A conversation that only reads pays for no program: one costs ten such waits of CPU. */
  #isUsed = false;
  #isClosed = false;

  constructor(processes: Pick<Processes, "run" | "ownPath">) {
    this.#processes = processes;
  }

  /** A file was read or written, and may be edited next: by then it is to be known, because asking takes 10 ms. */
  expect(path: string): void {
    if (!IS_LINUX || this.#isClosed || this.#expected.size >= AHEAD_MAX) return;
    if (!this.#expected.has(path)) this.#expected.set(path, 0);
    this.#askSoon();
  }

  /** Whether the file at a real path has any. */
  async has(path: string): Promise<boolean> {
    if (!IS_LINUX) return false;
    this.#isUsed = true;
    this.#askSoon();
    await this.#asking;
    return this.#of(path) ?? (await this.#ask([path])).get(path) ?? false;
  }

  /** A placing whose files are expected to be edited again. */
  expecting(placing: Placing): Placing {
    const file: Placing["file"] = async (path, bytes, options) => {
      await placing.file(path, bytes, options);
      this.expect(path);
    };
    return { ...placing, file };
  }

  /** Nothing is asked any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #askSoon(): void {
    if (!this.#isUsed || this.#isClosed || this.#expected.size === 0) return;
    if (this.#timer !== undefined) return;
    const timer = this.#timer = setTimeout(() => this.#askAhead(), AHEAD_MS);
    Deno.unrefTimer(timer);
  }

  #askAhead(): void {
    this.#timer = undefined;
    const expected = [...this.#expected].filter(([path]) => this.#of(path) === undefined);
    this.#expected.clear();
    const now = Date.now();
    const ready: string[] = [];
    for (const [path, looks] of expected) {
      if (isOver(lstat(path), now)) ready.push(path);
      else if (looks + 1 < LOOKS_MAX) this.#expected.set(path, looks + 1);
    }
    this.#askSoon();
    // What cannot be asked now is asked when it must be known.
    if (ready.length > 0) this.#asking = Promise.allSettled([this.#ask(ready)]);
  }

  #of(path: string): boolean | undefined {
    const info = lstat(path);
    if (info?.isFile !== true) return false;
    const known = this.#known.get(path);
    return known?.state === stateOf(info) ? known.has : undefined;
  }

  /** Where the answer is not about exactly these, or never came, nothing is known of any; of one alone, that it has some. */
  async #ask(paths: readonly string[]): Promise<Map<string, boolean>> {
    const answers = new Map<string, boolean>();
    const [infos, now] = [paths.map(lstat), Date.now()];
    const listed = await this.#list(paths.flatMap((path) => [dirname(path), path]));
    const isExact = listed?.isWhole === true && listed.entries.length === 2 * paths.length;
    if (listed === undefined || !isExact && paths.length > 1) return answers;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    for (const [index, path] of paths.entries()) {
      const [dir = "", file = ""] = listed.entries.slice(2 * index);
      const has = !isExact || isListed(dir, file);
      answers.set(path, has);
      const info = infos[index];
      if (isOver(info, now)) this.#known.set(path, { state: stateOf(info), has });
    }
    return answers;
  }

  /** What tar says of each, and whether it could say it of all; undefined where there is no such tar. */
  async #list(paths: readonly string[]): Promise<Listed | undefined> {
    try {
      const { ended, code, stdout } = await this.#processes.run({
        program: "tar",
        args: [...LIST, "--", ...paths],
        cwd: "/",
        env: { LC_ALL: "C", TAR_OPTIONS: "", PATH: this.#processes.ownPath },
      }, { timeoutMs: LIST_MS });
      const entries = stdout.text().split(/^(?=\S)/m).filter((entry) => entry !== "");
      // Another tar knows none of these options.
      if (ended === "exited" && code !== 0 && entries.length === 0) return undefined;
      return { entries, isWhole: ended === "exited" && code === 0 };
    } catch (error) {
      if (error instanceof StartError) return undefined;
      throw error;
    }
  }
}

function stateOf(info: Deno.FileInfo): string {
  return `${info.dev} ${info.ino} ${info.ctime?.getTime()}`;
}

/** Whether a change of this file after `now` will show. */
function isOver(info: Deno.FileInfo | undefined, now: number): info is Deno.FileInfo {
  return info?.isFile === true && now - (info.ctime?.getTime() ?? now) > CLOCK_MS;
}

/**
 * An entry has lines for an access list (a), attributes (x) and a label (s). A directory may give a list to each file that
 * is made in it: having none is something to be kept there.
 */
function isListed(dir: string, file: string): boolean {
  return /^ {2}[ax]: /m.test(file) || /^ {2}a: .*\bdefault:/m.test(dir) ||
    labelOf(file) !== labelOf(dir);
}

function labelOf(entry: string): string | undefined {
  return /^ {2}s: (.*)$/m.exec(entry)?.[1];
}
