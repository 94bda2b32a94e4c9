/** What a commit that holds an edit and nothing else would change, in HEAD and in the index; or why there can be none. */
import { errorCode } from "@/lib/file_error.ts";
import { ChangedSince, look, PlaceChanged } from "@/workspace/entry.ts";
import type { GitSession } from "@/workspace/git.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { TreeChange } from "./commit_object.ts";
import { isFiltered, type PathFacts } from "./edit_facts.ts";
import type { GitEntry } from "./git_entry.ts";
import { mergeChange } from "./merge_change.ts";
import {
  type Head,
  ignoredAmong,
  isUnderFile,
  operationName,
  otherSpelling,
} from "./repo_state.ts";
import { Skipped } from "./skip.ts";
import { blobBytes, blobId, type Form } from "./stored_form.ts";

/** See above. `more` are blobs that only the index names. */
export type CommitPlan = {
  changes: readonly TreeChange[];
  more: readonly Form[];
  index: ReadonlyMap<string, GitEntry>;
};

/** What the plan is made from. `scratch` is a directory of ours. */
export type PlanParts = {
  session: GitSession;
  edit: Edit;
  head: Head;
  facts: readonly PathFacts[];
  scratch: string;
};

/** Decide it. Throws Skipped and GitError; changes nothing. */
export async function planCommit(parts: PlanParts): Promise<CommitPlan> {
  await assertCommittable(parts);
  const changes: TreeChange[] = [];
  const more: Form[] = [];
  const index = new Map<string, GitEntry>();
  for (const facts of parts.facts) {
    const planned = await planPath(parts, facts);
    if (planned.head !== undefined) changes.push({ path: facts.path, to: planned.head });
    if (planned.staged !== undefined) more.push(planned.staged);
    index.set(facts.path, planned.index);
  }
  if (changes.length === 0) throw new Skipped("the last commit has it already", undefined);
  return { changes, more, index };
}

async function assertCommittable({ session, head, facts }: PlanParts): Promise<void> {
  const operation = await operationName(session);
  if (operation !== undefined) throw new Skipped(`${operation} is in progress`, "operation");
  const { superproject, top } = session.repository;
  if (superproject !== undefined && head.ref === "HEAD") {
    throw new Skipped(
      `the submodule "${top}" has no branch checked out, so that a commit would be lost`,
      "submodule",
    );
  }
  for (const one of facts) {
    assertPlain(one);
    await assertStands(session, one);
  }
  const made = facts.filter(({ before, head }) => before === null && head === null)
    .map(({ path }) => path);
  const ignored = await ignoredAmong(session, made);
  for (const path of made) {
    if (ignored.has(path)) throw new Skipped(`${path} is ignored by git`, "ignored");
    if (path.includes("\n")) throw new Skipped(`"${path}" has a line break in its name`, "name");
    const other = await otherSpelling(session, path);
    if (other !== undefined) throw new Skipped(`git knows ${path} as ${other}`, "spelling");
  }
  if (await isUnderFile(session, head.commit, made)) {
    throw new Skipped("a file of the last commit stands where its directory is", "shape");
  }
}

function assertPlain({ path, record, head, index, attributes }: PathFacts): void {
  if (index.isUnmerged) throw new Skipped(`${path} is in a merge conflict`, "conflict");
  if (isFiltered(attributes)) {
    const name = attributes.get("filter");
    throw new Skipped(
      `${path} is stored through the filter "${name}", a program that the repository names`,
      "filter",
    );
  }
  if (record.b.k === "link" || record.a.k === "link") {
    throw new Skipped(`${path} is a link`, "link");
  }
  if ([head, index.entry].some((entry) => entry !== null && !entry[0].startsWith("100"))) {
    throw new Skipped(`${path} is no file in git`, "link");
  }
  if (record.skipw || index.isSkipped) {
    throw new Skipped(`${path} is outside of the sparse checkout`, "flag");
  }
  if (index.isAssumed) throw new Skipped(`${path} is marked as assume-unchanged`, "flag");
}

/** Whoever has taken an edit back before it is committed (git stash, git restore) is not to have it in the branch. */
async function assertStands(session: GitSession, { path, record, head, after }: PathFacts) {
  const last = head?.[1] ?? null;
  if (last === (after?.id ?? null)) return;
  const { objectFormat } = session.repository;
  const now = (await formsNow(record.p)).map((bytes) => bytes && blobId(bytes, objectFormat));
  if (now.includes(last)) throw new Skipped(`${path} is again as the last commit has it`, "back");
}

const NOW_BYTES_MAX = 16 * 1024 * 1024;

/** What git may store of what stands at a path: as it is, or with its line endings; null of nothing. */
async function formsNow(path: string): Promise<(Uint8Array | null)[]> {
  try {
    const { stored, bytes } = await look(path, NOW_BYTES_MAX);
    if (stored.k === "absent") return [null];
    if (bytes === undefined) return [];
    return bytes.includes(0x0d) ? [bytes, withoutCr(bytes)] : [bytes];
  } catch (error) {
    // What cannot be looked at now is committed as the edit left it.
    const hasChanged = error instanceof ChangedSince || error instanceof PlaceChanged;
    if (hasChanged || errorCode(error) !== "") return [];
    throw error;
  }
}

function withoutCr(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== 0x0d || bytes[at + 1] !== 0x0a);
}

type PlannedPath = { head?: TreeChange["to"]; staged?: Form; index: GitEntry };

async function planPath(parts: PlanParts, facts: PathFacts): Promise<PlannedPath> {
  const { path, head, index: { entry: staged }, before, after } = facts;
  if (before === null && after !== null) {
    if (head !== null || staged !== null) throw ownChanges(path);
    const mode = newMode(parts, facts);
    return { head: { mode, form: after }, index: [mode, after.id] };
  }
  if (before === null) throw ownChanges(path);
  if (head === null) throw new Skipped(`${path} was never committed`, "never");
  if (after === null) {
    const isOnlyOurs = head[1] === before.id && staged !== null && staged[1] === before.id;
    if (!isOnlyOurs) throw ownChanges(path);
    return { head: null, index: null };
  }
  if (staged === null) throw ownChanges(path);
  const newHead = await changed(parts, { facts, mine: head[1] });
  const newStaged = staged[1] === head[1]
    ? newHead
    : await changed(parts, { facts, mine: staged[1] });
  return {
    ...(newHead.id === head[1] ? {} : { head: { mode: head[0], form: newHead } }),
    ...(newStaged.id === staged[1] || newStaged === newHead ? {} : { staged: newStaged }),
    index: [staged[0], newStaged.id],
  };
}

function ownChanges(path: string): Skipped {
  return new Skipped(`${path} has own uncommitted changes`, "own");
}

function newMode({ session, edit }: PlanParts, { record }: PathFacts): string {
  const mode = edit.made[record.p] ?? (record.a.k === "file" ? record.a.m : 0);
  const counts = session.config.get("core.filemode") !== "false";
  return counts && (mode & 0o100) !== 0 ? "100755" : "100644";
}

/** A version of the file, by its id, with the change of the edit. */
async function changed(
  { session, scratch }: PlanParts,
  { facts: { path, before, after }, mine }: { facts: PathFacts; mine: string },
): Promise<Form> {
  if (before === null || after === null) throw ownChanges(path);
  if (mine === before.id) return after;
  if (mine === after.id) return after;
  const bytes = await blobBytes(session, mine);
  const merged = await mergeChange(session, {
    mine: bytes,
    before: before.bytes,
    after: after.bytes,
  }, scratch);
  if (!merged.ok) {
    throw new Skipped(
      merged.why === "binary"
        ? `${path} is binary and has own uncommitted changes`
        : `${path} has own uncommitted lines next to this edit`,
      merged.why,
    );
  }
  const { objectFormat } = session.repository;
  return { id: blobId(merged.bytes, objectFormat), bytes: merged.bytes, isWritten: false };
}
