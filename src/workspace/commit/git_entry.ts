/** Entries of an index or a tree, as the journal keeps them. */
import * as z from "zod";

/** Mode and object id, as git prints them; null where there is no entry. */
export const EntryShape = z.tuple([z.string(), z.string()]).nullable();

/** An entry. */
export type GitEntry = z.infer<typeof EntryShape>;

/** What git knew about a path around an edit: in HEAD, in the index before, and in the index as a commit of ours left it. */
export const GitPathShape = z.looseObject({
  /** Relative to the top of the repository. */
  path: z.string(),
  /** Real absolute path. */
  p: z.string(),
  h0: EntryShape,
  i0: EntryShape,
  i1: EntryShape.optional(),
  /** Stored forms of the bytes before and after; null for no file. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The flag that a sparse checkout had set. */
  skipw: z.literal(true).optional(),
});

/** See GitPathShape. */
export type GitPath = z.infer<typeof GitPathShape>;

const RepositoryShape = z.object({
  top: z.string(),
  gitDir: z.string(),
  commonDir: z.string(),
  index: z.string(),
  objectFormat: z.enum(["sha1", "sha256"]),
});

/** What git knew about the paths of an edit. */
export const GitFactsShape = z.looseObject({
  repository: RepositoryShape,
  paths: z.array(GitPathShape),
});

/** See GitFactsShape. */
export type GitFacts = z.infer<typeof GitFactsShape>;

/** One change of a branch and of entries of an index, forth or back. */
export const RepoMoveShape = z.looseObject({
  repository: RepositoryShape,
  /** Full name of the branch, or "HEAD" where it is detached; absent when no commit is concerned. */
  head: z.object({
    ref: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    /** What the reflog says. */
    why: z.string(),
  }).optional(),
  entries: z.array(z.looseObject({
    path: z.string(),
    from: EntryShape,
    to: EntryShape,
    skipw: z.literal(true).optional(),
  })),
  /** Git has thrown the commit away that was to come back: it is made anew from the edits, behind the move. */
  anew: z.literal(true).optional(),
});

/** See RepoMoveShape. */
export type RepoMove = z.infer<typeof RepoMoveShape>;

/** Whether two entries are the same. */
export function isSameEntry(one: GitEntry, other: GitEntry): boolean {
  if (one === null || other === null) return one === other;
  return one[0] === other[0] && one[1] === other[1];
}

/** The id that says "nothing" in this repository. */
export function zeros(objectFormat: "sha1" | "sha256"): string {
  return "0".repeat(objectFormat === "sha1" ? 40 : 64);
}
