/** Entries of an index or a tree, as the journal keeps them. */
import { once } from "@/lib/once.ts";
import * as z from "zod";

/** Mode and object id, as git prints them; null where there is no entry. */
export const entryShape = once(() => z.tuple([z.string(), z.string()]).nullable());

/** An entry. */
export type GitEntry = z.infer<ReturnType<typeof entryShape>>;

/** What git knew about a path around an edit: in HEAD, in the index before, and in the index as a commit of ours left it. */
export const gitPathShape = once(() =>
  z.looseObject({
    /** Relative to the top of the repository. */
    path: z.string(),
    /** Real absolute path. */
    p: z.string(),
    h0: entryShape(),
    i0: entryShape(),
    i1: entryShape().optional(),
    /** Stored forms of the bytes before and after; null for no file. */
    before: z.string().nullable(),
    after: z.string().nullable(),
    /** The flag that a sparse checkout had set. */
    skipw: z.literal(true).optional(),
  })
);

/** See gitPathShape. */
export type GitPath = z.infer<ReturnType<typeof gitPathShape>>;

const repositoryShape = once(() =>
  z.object({
    top: z.string(),
    gitDir: z.string(),
    commonDir: z.string(),
    index: z.string(),
    objectFormat: z.enum(["sha1", "sha256"]),
  })
);

/** What git knew about the paths of an edit. */
export const gitFactsShape = once(() =>
  z.looseObject({
    repository: repositoryShape(),
    paths: z.array(gitPathShape()),
  })
);

/** See gitFactsShape. */
export type GitFacts = z.infer<ReturnType<typeof gitFactsShape>>;

/** One change of a branch and of entries of an index, forth or back. */
export const repoMoveShape = once(() =>
  z.looseObject({
    repository: repositoryShape(),
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
      from: entryShape(),
      to: entryShape(),
      skipw: z.literal(true).optional(),
    })),
    /** Git has thrown the commit away that was to come back: it is made anew from the edits, behind the move. */
    anew: z.literal(true).optional(),
  })
);

/** See repoMoveShape. */
export type RepoMove = z.infer<ReturnType<typeof repoMoveShape>>;

/** Whether two entries are the same. */
export function isSameEntry(one: GitEntry, other: GitEntry): boolean {
  if (one === null || other === null) return one === other;
  return one[0] === other[0] && one[1] === other[1];
}

/** The id that says "nothing" in this repository. */
export function zeros(objectFormat: "sha1" | "sha256"): string {
  return "0".repeat(objectFormat === "sha1" ? 40 : 64);
}
