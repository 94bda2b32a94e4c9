/** What git knows about the paths of an edit, and what it would store of their bytes. */
import { dirname, relative } from "@/lib/path.ts";
import type { BlobStore } from "@/workspace/blob_store.ts";
import { lstat } from "@/workspace/entry.ts";
import { type Git, GitError, type GitSession } from "@/workspace/git.ts";
import type { Repository } from "@/workspace/git_place.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { PathRecord, Stored } from "@/workspace/journal_record.ts";
import type { GitEntry, GitFacts } from "./git_entry.ts";
import {
  type Attributes,
  attributesOf,
  type Head,
  indexEntries,
  treeEntries,
} from "./repo_state.ts";
import type { IndexEntry } from "./repo_state.ts";
import { Skipped } from "./skip.ts";
import { blobId, type Form, formOf, isConverted } from "./stored_form.ts";

/** One path of an edit as git sees it. Forms are null where there is no file. */
export type PathFacts = {
  path: string;
  record: PathRecord;
  head: GitEntry;
  index: IndexEntry;
  attributes: Attributes;
  before: Form | null;
  after: Form | null;
  /** What would be staged without the edit, where the person has staged it while its commit was made. */
  without?: GitEntry;
};

/** The repository of an edit's files. Throws Skipped where they are in none, or in several. */
export async function repositoryOf(git: Git, edit: Edit): Promise<Repository> {
  const found = new Map<string, Repository>();
  const files = filesOf(edit);
  if (files.length === 0) throw new Skipped("git keeps no directories", undefined);
  for (const { p, rel } of files) {
    const place = await git.place(nearestDir(p));
    if (place.kind === "outside") throw new Skipped(`${rel} is in no git repository`, undefined);
    if (place.kind === "refused") throw new Skipped(lowered(place.reason), "refused");
    found.set(place.repository.gitDir, place.repository);
  }
  const [first, ...more] = found.values();
  if (first === undefined || more.length > 0) {
    throw new Skipped("its files are in several repositories", "several");
  }
  return first;
}

/** The paths of an edit that git could have. */
function filesOf({ paths }: Edit): PathRecord[] {
  return paths.filter(({ b, a }) => b.k !== "dir" && a.k !== "dir");
}

/** The directory of a path, or the nearest above it that is there. */
export function nearestDir(path: string): string {
  let dir = dirname(path);
  while (lstat(dir)?.isDirectory !== true && dirname(dir) !== dir) dir = dirname(dir);
  return dir;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** A path as git writes it. */
export function pathInGit({ repository, config }: GitSession, path: string): string {
  const rel = relative(repository.top, path).replaceAll("\\", "/");
  return config.get("core.precomposeunicode") === "true" ? rel.normalize("NFC") : rel;
}

/** Read everything about the paths of an edit. Throws GitError, BlobGone and Skipped. */
export async function readFacts(
  session: GitSession,
  { edit, head, blobs }: { edit: Edit; head: Head; blobs: BlobStore },
): Promise<PathFacts[]> {
  const files = filesOf(edit);
  const paths = files.map(({ p }) => pathInGit(session, p));
  const [tree, index, attributes] = await Promise.all([
    treeEntries(session, head.commit, paths),
    indexEntries(session, paths),
    attributesOf(session, paths),
  ]);
  return await Promise.all(files.map(async (record, at): Promise<PathFacts> => {
    const path = paths[at] ?? "";
    const facts = {
      path,
      record,
      head: tree.get(path) ?? null,
      index: index.get(path) ?? noIndex(path),
      attributes: attributes.get(path) ?? new Map(),
    };
    return { ...facts, ...await formsOf(session, facts, blobs) };
  }));
}

/** Facts read again, which say what of the edit was staged since `first`: an undo is to take that out of the index too. */
export function stagedSince(first: readonly PathFacts[], now: readonly PathFacts[]): PathFacts[] {
  return now.map((facts, at) => {
    const { index: { entry }, before, after } = facts;
    const isNew = entry !== null && entry[1] === after?.id &&
      first[at]?.index.entry?.[1] !== entry[1];
    return isNew ? { ...facts, without: before && [entry[0], before.id] } : facts;
  });
}

function noIndex(path: string): never {
  throw new GitError(`git ls-files did not answer about "${path}"`);
}

async function formsOf(
  session: GitSession,
  { path, record, head, attributes }: Omit<PathFacts, "before" | "after">,
  blobs: BlobStore,
): Promise<Pick<PathFacts, "before" | "after">> {
  const [before, after] = await Promise.all(
    [record.b, record.a].map(async (stored) => await bytesOf(stored, blobs)),
  );
  const { objectFormat } = session.repository;
  // What was committed with its line endings as they are is stored so again.
  const isAsItIs = before !== undefined && head !== null &&
    blobId(before, objectFormat) === head[1];
  const converted = !isFiltered(attributes) && isConverted(session, attributes) && !isAsItIs;
  const form = async (bytes: Uint8Array | undefined) =>
    bytes === undefined ? null : await formOf(session, bytes, { path, converted });
  return { before: await form(before), after: await form(after) };
}

async function bytesOf(stored: Stored, blobs: BlobStore): Promise<Uint8Array | undefined> {
  switch (stored.k) {
    case "file":
      if (stored.big) throw new Skipped("it is over the size that is kept", "big");
      return await blobs.get(stored.h, stored.n);
    case "link":
      return new TextEncoder().encode(stored.h);
    default:
      return undefined;
  }
}

/** Whether a filter driver stores something else than the file's bytes. */
export function isFiltered(attributes: Attributes): boolean {
  return (attributes.get("filter") ?? "unset") !== "unset";
}

/** The facts as the journal keeps them; with `written`, what a commit left in the index. */
export function toRecord(
  { repository }: GitSession,
  facts: readonly PathFacts[],
  written?: ReadonlyMap<string, GitEntry>,
): GitFacts {
  return {
    repository,
    paths: facts.map(({ path, record, head, index, before, after, without }) => ({
      path,
      p: record.p,
      h0: head,
      i0: without === undefined ? index.entry : without,
      before: before?.id ?? null,
      after: after?.id ?? null,
      ...(written === undefined ? {} : { i1: written.get(path) ?? null }),
      ...(record.skipw ? { skipw: true as const } : {}),
    })),
  };
}
