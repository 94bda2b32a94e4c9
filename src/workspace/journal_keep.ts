/** Puts what an undo of an edit needs on disk, while the new bytes are written beside their files. */
import { fileErrorReason, isDiskFull } from "@/lib/file_error.ts";
import { dropStaged, type StagedBlob } from "./blob_store.ts";
import type { Found } from "./entry.ts";
import type { EditRecord } from "./journal_record.ts";
import type { JournalStore } from "./journal_store.ts";

/** How far an edit got; for tests that end the process there. */
export type JournalStep = "blobs" | "recorded" | "file" | "written" | "done";

/** An edit cannot be recorded, so that it could not be taken back. Nothing was changed. */
export class Unrecordable extends Error {
  override readonly name = "Unrecordable";

  constructor(override readonly cause: unknown) {
    super(
      `Cannot record the edit for /undo: ${
        isDiskFull(cause) ? "disk full" : fileErrorReason(cause)
      }`,
    );
  }
}

/** A record on its way to the disk. */
export type Recorded = {
  /** Resolves when it is there, and so before anything of the person's may be touched. Rejects with Unrecordable. */
  settled: Promise<void>;
  /** Settled one way or the other, with nothing left open. Never rejects. */
  over: Promise<unknown>;
};

/** What is kept of an edit: its record, and the bytes that it names. */
export type KeepOptions = {
  record: EditRecord;
  bytes: readonly Found[];
  onStep?: ((step: JournalStep) => void) | undefined;
};

/**
 * Write the record and its bytes. The disk is waited for beside what comes next and not before it, so that an edit waits
 * for it once less: with everything else together it then takes half as long. Throws Unrecordable.
 */
export async function keepEdit(
  store: JournalStore,
  { record, bytes: all, onStep }: KeepOptions,
): Promise<Recorded> {
  const staged: StagedBlob[] = [];
  const drop = () => {
    for (const blob of staged) dropStaged(blob);
  };
  try {
    for (const { stored, bytes } of all) {
      if (stored.k !== "file" || stored.big || bytes === undefined) continue;
      if (staged.some(({ hash }) => hash === stored.h)) continue;
      const blob = await store.blobs.stage(stored.h, bytes);
      if (blob !== undefined) staged.push(blob);
    }
    onStep?.("blobs");
    store.append(record);
  } catch (error) {
    drop();
    throw new Unrecordable(error);
  }
  const settled = store.settle(staged).finally(drop).catch((error) => {
    throw new Unrecordable(error);
  });
  return { settled, over: Promise.allSettled([settled]) };
}
