/** The journal's line format. Unknown fields and unknown kinds of lines are kept out of the way, never an error: a newer version may own them. */
import { parsedJson } from "@/lib/json.ts";
import { once } from "@/lib/once.ts";
import * as z from "zod";
import { gitFactsShape, repoMoveShape } from "./commit/git_entry.ts";

/**
 * An entry by its content: `h` is the SHA-256 of a file's bytes or a link's target, `m` the mode (0: left to the umask), `n`
 * the size, `o` user and group of a file that was there.
 */
const storedShape = once(() =>
  z.discriminatedUnion("k", [
    z.object({ k: z.literal("absent") }),
    z.object({ k: z.literal("dir") }),
    z.object({ k: z.literal("link"), h: z.string() }),
    z.object({
      k: z.literal("file"),
      h: z.string().regex(/^[0-9a-f]{64}$/),
      m: z.int(),
      n: z.int(),
      o: z.tuple([z.int(), z.int()]).optional(),
      /** Over the size limit: the bytes were not kept. */
      big: z.literal(true).optional(),
    }),
  ])
);

const pathShape = once(() =>
  z.looseObject({
    /** Real absolute path. */
    p: z.string(),
    /** The same, as the person would write it: relative to `top` where it lies inside. */
    rel: z.string(),
    top: z.string(),
    b: storedShape(),
    a: storedShape(),
    /** Directories above it that the edit made, outermost first. */
    dirs: z.array(z.string()),
    skipw: z.boolean().optional(),
  })
);

/** The bytes of an edit are recorded and it is about to be written. */
const editShape = once(() =>
  z.looseObject({
    v: z.literal(1),
    op: z.literal("edit"),
    id: z.string(),
    session: z.string(),
    turn: z.int(),
    call: z.string(),
    tool: z.string(),
    agent: z.string().nullable(),
    pid: z.int(),
    start: z.string(),
    at: z.string(),
    /** Names the temporary files of this edit, so that they are found after a crash. */
    t: z.string(),
    paths: z.array(pathShape()),
  })
);

/** Modes of files that were not there before, as they came out: whoever changes one later is the person. */
const madeShape = once(() => z.record(z.string(), z.int()));

/** All files of an edit are written, except those of `drop`, which are as before. */
const doneShape = once(() =>
  z.looseObject({
    op: z.literal("done"),
    id: z.string(),
    drop: z.array(z.string()).optional(),
    made: madeShape().optional(),
  })
);

/** An edit, or the edits of a turn (`ids`, newest first), are about to be taken back or brought back. */
const moveShape = once(() =>
  z.looseObject({
    v: z.literal(1),
    op: z.enum(["undo", "redo"]),
    /** The newest edit of the move. */
    id: z.string(),
    ids: z.array(z.string()).optional(),
    session: z.string(),
    at: z.string(),
    t: z.string(),
    /** Modes of the files as they were right before. */
    modes: z.record(z.string(), z.int()),
    /** Directories that this has to make. */
    dirs: z.array(z.string()),
    /** What changes in git with it. */
    git: z.array(repoMoveShape()).optional(),
  })
);

/** An undo or redo is finished; `gone` are the directories it removed. */
const movedShape = once(() =>
  z.looseObject({
    op: z.literal("moved"),
    id: z.string(),
    gone: z.array(z.string()).optional(),
    made: madeShape().optional(),
  })
);

/** An undo or redo did not happen after all: everything is as it was before it. */
const stayedShape = once(() => z.looseObject({ op: z.literal("stayed"), id: z.string() }));

/** The bytes of these edits may be gone: they were too old or too many. */
const freedShape = once(() => z.looseObject({ op: z.literal("freed"), ids: z.array(z.string()) }));

/** An edit has a commit `c` on the branch `ref` ("HEAD" where it is detached), with the parent `p`. */
export const committedShape = once(() =>
  z.looseObject({
    op: z.literal("committed"),
    id: z.string(),
    c: z.string(),
    p: z.string().nullable(),
    ref: z.string(),
    git: gitFactsShape(),
  })
);

/** An edit has no commit, and why. */
const skippedShape = once(() =>
  z.looseObject({
    op: z.literal("skipped"),
    id: z.string(),
    why: z.string(),
    git: gitFactsShape().optional(),
  })
);

const recordShape = once(() =>
  z.discriminatedUnion("op", [
    editShape(),
    doneShape(),
    moveShape(),
    movedShape(),
    stayedShape(),
    freedShape(),
    committedShape(),
    skippedShape(),
  ])
);

/** An entry as the journal names it. */
export type Stored = z.infer<ReturnType<typeof storedShape>>;
/** One path of an edit. */
export type PathRecord = z.infer<ReturnType<typeof pathShape>>;
/** One tool call that changed files. */
export type EditRecord = z.infer<ReturnType<typeof editShape>>;
/** What became of an edit in git. */
export type CommitRecord =
  | z.infer<ReturnType<typeof committedShape>>
  | z.infer<ReturnType<typeof skippedShape>>;
/** An undo or redo. */
export type MoveRecord = z.infer<ReturnType<typeof moveShape>>;
/** One line of the journal. */
export type JournalRecord = z.infer<ReturnType<typeof recordShape>>;

/** The record of a line; undefined for a torn line, and for one that another version wrote. */
export function parseRecord(line: string): JournalRecord | undefined {
  const read = recordShape().safeParse(parsedJson(line));
  return read.success ? read.data : undefined;
}

/** One line, with its end. */
export function printRecord(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}
