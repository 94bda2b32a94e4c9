/**
 * Repositories below a workspace that a command has made or changed so that git runs a program there. The one around the
 * workspace is held in place; another one cannot be, because commands make, move and remove such. But the person's own git
 * obeys it, and does so for a mere `git status` of the project around it once it is staged as a submodule (git 2.39). So
 * they are told.
 */
import { sha256Hex } from "@/lib/hash.ts";
import { isWithin } from "@/lib/path_within.ts";
import { basename, dirname, join, resolve } from "@/lib/path.ts";
import { kindAt, namesIn, statOf } from "@/sandbox/look.ts";

const TEXT_BYTES_MAX = 256 * 1024;

/** Keys whose value is a program, or a file with more keys. Sections and keys in lower case; `*` is any subsection. */
const KEYS: Readonly<Record<string, RegExp>> = {
  core:
    /^(fsmonitor|hookspath|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand|worktree)$/,
  include: /^path$/,
  "includeif.*": /^path$/,
  "filter.*": /^(clean|smudge|process)$/,
  diff: /^external$/,
  "diff.*": /^(command|textconv)$/,
  "merge.*": /^driver$/,
  "difftool.*": /^(cmd|path)$/,
  "mergetool.*": /^(cmd|path)$/,
  gpg: /^program$/,
  "gpg.*": /^(program|defaultkeycommand)$/,
  credential: /^helper$/,
  "credential.*": /^helper$/,
  alias: /./,
  pager: /./,
  sequence: /^editor$/,
  interactive: /^difffilter$/,
  uploadpack: /^packobjectshook$/,
  "remote.*": /^(uploadpack|receivepack|vcs)$/,
  "submodule.*": /^update$/,
  "trailer.*": /^(command|cmd)$/,
};

/** They are switches as well, and say nothing then. */
const SWITCH = /^(|true|false|yes|no|on|off|0|1|checkout|rebase|merge|none)$/i;

/** What git would run in the repository of a folder, by name, and as a text that is another one when any of it changes. */
export type GitRuns = { names: readonly string[]; state: string };

/**
 * Look at the repository whose work tree, or whose own directory, a folder is. `isHeld`: nobody inside can change that
 * directory, but hooks that its config keeps among the files of the project they can (husky).
 */
export function gitRuns(folder: string, isHeld = false): GitRuns {
  const gitDir = gitDirOf(folder);
  const keys = ["config", "config.worktree"].flatMap((name) =>
    programKeys(textAt(join(gitDir, name)))
  );
  const paths = keys.filter(({ name }) => name === "core.hookspath");
  const elsewhere = paths.flatMap(({ value }) => hooksBelow(folder, value.replaceAll('"', "")));
  const all = isHeld ? elsewhere : [...keys, ...hooksIn(join(gitDir, "hooks")), ...elsewhere];
  return { names: [...new Set(all.map(({ name }) => name))], state: JSON.stringify(all) };
}

function hooksBelow(folder: string, named: string): Entry[] {
  const path = resolve(folder, named);
  if (!isWithin(path, folder)) return [];
  // What husky has in there runs the file of the same name above, which need not be executable.
  return basename(path) === "_"
    ? [...hooksIn(path), ...hooksIn(dirname(path), false)]
    : hooksIn(path);
}

function hooksIn(dir: string, executableOnly = true): Entry[] {
  const names = namesIn(dir).filter((name) => !/\.sample$|^\./.test(name)).sort();
  return names.flatMap((name) => {
    const info = statOf(() => Deno.statSync(join(dir, name)));
    const isRun = info?.isFile === true && (!executableOnly || ((info.mode ?? 0) & 0o111) !== 0);
    return isRun ? [{ name: `the hook ${name}`, value: sha256Hex(textAt(join(dir, name))) }] : [];
  });
}

function gitDirOf(folder: string): string {
  const marker = join(folder, ".git");
  switch (kindAt(marker)) {
    case "none":
      return folder;
    case "file":
      return resolve(folder, /^gitdir: (.+)/.exec(textAt(marker))?.[1]?.trim() ?? ".");
    default:
      return marker;
  }
}

type Entry = { name: string; value: string };

/** Entries of a config that name a program. What git would not read either may be among them. */
export function programKeys(config: string): Entry[] {
  const entries: Entry[] = [];
  let section = "";
  for (const line of config.replaceAll(/\\\r?\n/g, "").split("\n")) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (head !== null) {
      const [main = "", below] = (head[1] ?? "").toLowerCase().split(".");
      section = head[2] === undefined && below === undefined ? main : `${main}.*`;
    }
    const [, key = "", value = ""] =
      /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*(.*?))?\s*$/i.exec(head === null ? line : head[3] ?? "") ??
        [];
    if (key === "" || KEYS[section]?.test(key.toLowerCase()) !== true) continue;
    if (SWITCH.test(value) || section === "alias" && !/^"?!/.test(value)) continue;
    entries.push({ name: `${section.replace(".*", "")}.${key.toLowerCase()}`, value });
  }
  return entries;
}

/** A small file; "" where there is none. */
function textAt(path: string): string {
  const info = statOf(() => Deno.statSync(path));
  if (info?.isFile !== true || info.size > TEXT_BYTES_MAX) return "";
  return statOf(() => Deno.readTextFileSync(path)) ?? "";
}

/** Remembers what was there at first, and tells what came since. */
export class PlantedGit {
  readonly #isHeld: (folder: string) => boolean;
  readonly #onNotice: (text: string) => void;
  /** Folder → what git would run there. */
  readonly #known = new Map<string, string>();
  /** Those that were held from the beginning. */
  #held: ReadonlySet<string> | undefined;

  /** `isHeld`: the repository there is held in place. One that a command has made is so only afterwards. */
  constructor(isHeld: (folder: string) => boolean, onNotice: (text: string) => void) {
    this.#isHeld = isHeld;
    this.#onNotice = onNotice;
  }

  /** All folders with a repository, as they are now. The first time is what the person has brought. */
  see(folders: readonly string[]): void {
    const isFirst = this.#held === undefined;
    const held = this.#held ??= new Set(folders.filter(this.#isHeld));
    for (const folder of folders) {
      const { names, state } = gitRuns(folder, held.has(folder));
      const isSame = this.#known.get(folder) === state;
      this.#known.set(folder, state);
      if (isFirst || isSame || names.length === 0) continue;
      this.#onNotice(
        `The repository "${folder}" was changed while commands ran: git would run a program there (${
          names.join(", ")
        }), your own git too, and outside the sandbox. Look at it before you use git here`,
      );
    }
  }
}
