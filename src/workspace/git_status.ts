/** What git says about the state of a work tree: read from its stable form, told in a bounded text. */
import { type Git, operationInProgress } from "@/workspace/git.ts";
import type { Repository } from "@/workspace/git_place.ts";

/** Paths that are listed of each kind. */
const LISTED_MAX = 50;

/** One path. `from` is where a renamed or copied one came from. Paths are relative to the top. */
export type StatusChange = { path: string; how: string; from?: string };

/** The state of a work tree. */
export type GitStatus = {
  /** Undefined on a detached HEAD. */
  branch?: string;
  /** Commit id; undefined before the first commit. */
  head?: string;
  upstream?: { name: string; ahead: number; behind: number };
  /** What is in progress: "rebase", "merge" … */
  operation?: string;
  unmerged: StatusChange[];
  staged: StatusChange[];
  unstaged: StatusChange[];
  untracked: string[];
  /** False when there was more than could be read. */
  isComplete: boolean;
};

const ARGUMENTS = ["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal"];

/** Reads the state. A submodule counts as changed only by its commit: looking inside would obey its own config. */
export async function readStatus(
  git: Git,
  repository: Repository,
  signal: AbortSignal,
): Promise<GitStatus> {
  const args = [...ARGUMENTS, "--ignore-submodules=dirty"];
  const { stdout } = await git.answer(repository, args, { signal });
  const whole = new TextDecoder().decode(stdout.dropped === 0 ? stdout.kept() : stdout.head());
  const status = parseStatus(whole.slice(0, whole.lastIndexOf("\0") + 1));
  status.isComplete = stdout.dropped === 0;
  const operation = await operationInProgress(repository);
  return operation === undefined ? status : { ...status, operation };
}

/** Parses `git status --porcelain=v2 -z --branch`. */
export function parseStatus(text: string): GitStatus {
  const status: GitStatus = {
    ...{ unmerged: [], staged: [], unstaged: [], untracked: [], isComplete: true },
  };
  const records = text.split("\0");
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? "";
    switch (record[0]) {
      case "#":
        readHeader(status, record);
        break;
      case "1":
        addChange(status, record, 8);
        break;
      case "2":
        at += 1; // The old path is a record of its own.
        addChange(status, record, 9, records[at]);
        break;
      case "u":
        status.unmerged.push({
          path: fieldsFrom(record, 10),
          how: conflictWord(record.slice(2, 4)),
        });
        break;
      case "?":
        status.untracked.push(record.slice(2));
        break;
    }
  }
  return status;
}

function readHeader(status: GitStatus, record: string): void {
  const [, name, ...values] = record.split(" ");
  const value = values.join(" ");
  if (name === "branch.oid" && value !== "(initial)") status.head = value;
  if (name === "branch.head" && value !== "(detached)") status.branch = value;
  if (name === "branch.upstream") status.upstream = { name: value, ahead: 0, behind: 0 };
  if (name !== "branch.ab" || status.upstream === undefined) return;
  const [ahead = "", behind = ""] = values;
  status.upstream.ahead = Math.abs(Number(ahead));
  status.upstream.behind = Math.abs(Number(behind));
}

/** Adds a record "1 XY …" or "2 XY …", whose path begins after `before` fields. */
function addChange(status: GitStatus, record: string, before: number, from?: string): void {
  const path = fieldsFrom(record, before);
  const [staged = ".", unstaged = "."] = record.slice(2, 4);
  const more = from === undefined ? {} : { from };
  if (staged !== ".") status.staged.push({ path, how: word(staged), ...more });
  if (unstaged !== ".") status.unstaged.push({ path, how: word(unstaged) });
}

/** What stands after so many fields; a path may contain spaces. */
function fieldsFrom(record: string, before: number): string {
  return record.split(" ").slice(before).join(" ");
}

function word(letter: string): string {
  const words: Record<string, string> = {
    ...{ M: "modified", A: "new file", D: "deleted", R: "renamed", C: "copied", T: "type changed" },
  };
  return words[letter] ?? letter;
}

function conflictWord(letters: string): string {
  const words: Record<string, string> = {
    DD: "deleted by both",
    AU: "added by us",
    UD: "deleted by them",
    UA: "added by them",
    DU: "deleted by us",
    AA: "added by both",
    UU: "changed by both",
  };
  return words[letters] ?? letters;
}

/**
 * The state in words. With `within` (relative to the top, "" for all) only paths below it are listed; what lies elsewhere
 * in the repository is counted.
 */
export function statusText(status: GitStatus, within = ""): string {
  const isHere = (path: string) => within === "" || path.startsWith(`${within}/`);
  const shown = (path: string) => within === "" ? path : path.slice(within.length + 1);
  let elsewhere = 0;
  const section = (title: string, changes: readonly StatusChange[]) => {
    const here = changes.filter(({ path }) => isHere(path));
    elsewhere += changes.length - here.length;
    if (here.length === 0) return [];
    const rows = here.slice(0, LISTED_MAX).map(({ path, how, from }) =>
      `  ${how === "" ? "" : `${how}: `}${from === undefined ? "" : `${from} -> `}${shown(path)}`
    );
    const more = here.length - rows.length;
    return [`${title} (${here.length}):`, ...rows, ...(more > 0 ? [`  … and ${more} more`] : [])];
  };
  const sections = [
    ...section("Conflicts", status.unmerged),
    ...section("Staged for the next commit", status.staged),
    ...section("Not staged", status.unstaged),
    ...section("Untracked", status.untracked.map((path) => ({ path, how: "" }))),
  ];
  if (sections.length === 0) sections.push("Nothing is changed, staged or untracked here");
  if (elsewhere > 0) {
    sections.push(
      `${elsewhere} more changed or untracked outside the workspace, in the same repository`,
    );
  }
  if (!status.isComplete) {
    sections.push("There was more than could be read: the counts are too low");
  }
  return [headText(status), ...sections].join("\n");
}

function headText({ branch, head, upstream, operation }: GitStatus): string {
  const where = branch === undefined
    ? `Detached HEAD at ${head?.slice(0, 12)}`
    : `On branch ${branch}${head === undefined ? ", no commit yet" : ""}`;
  const distance = upstream === undefined ? "" : `, ${distanceText(upstream)}`;
  return where + distance + (operation === undefined ? "" : `; a ${operation} is in progress`);
}

function distanceText({ name, ahead, behind }: { name: string; ahead: number; behind: number }) {
  if (ahead === 0 && behind === 0) return `level with ${name}`;
  const parts = [
    ...(ahead > 0 ? [`${ahead} ahead of`] : []),
    ...(behind > 0 ? [`${behind} behind`] : []),
  ];
  return `${parts.join(" and ")} ${name}`;
}
