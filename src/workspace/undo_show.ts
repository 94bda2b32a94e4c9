/** What an edit changed, as a diff. */
import { BlobGone } from "./blob_store.ts";
import type { EditJournal } from "./journal.ts";
import type { Edit } from "./journal_fold.ts";
import type { PathRecord, Stored } from "./journal_record.ts";
import type { JournalStore } from "./journal_store.ts";
import { nameOf } from "./undo_plan.ts";

/** An edit as text, or why there is none. */
export type ShownEdit = { ok: true; text: string } | { ok: false; reason: string };

const SHOWN_CHARS_MAX = 100_000;

/** Which edit is shown: by its id, or its number in a session (by default the journal's); without either the newest there. */
export type ShowOptions = { id?: string | undefined; session?: string };

/** The diff of an edit. */
export async function showEdit(
  journal: EditJournal,
  { id, session = journal.session }: ShowOptions = {},
): Promise<ShownEdit> {
  return await journal.locked(async (store) => {
    const edit = id === undefined
      ? newest(store, session)
      : store.fold.edit(`${session}-${id}`) ?? store.fold.edit(id);
    if (edit === undefined) {
      const reason = id === undefined
        ? "No edit of this session stands."
        : `No edit is called "${id}". /undo list names them.`;
      return { ok: false, reason };
    }
    const parts = [`${nameOf(edit)}\n`];
    for (const path of edit.paths) parts.push(await showPath(store, path));
    const text = parts.join("\n");
    if (text.length <= SHOWN_CHARS_MAX) return { ok: true, text };
    return {
      ok: true,
      text: `${text.slice(0, SHOWN_CHARS_MAX)}\n… ${text.length} characters in all\n`,
    };
  });
}

function newest(store: JournalStore, session: string): Edit | undefined {
  return store.fold.edits().findLast(({ status, record }) =>
    status === "live" && record.session === session
  );
}

async function showPath(store: JournalStore, { rel, b, a }: PathRecord): Promise<string> {
  const [before, after] = [await textOf(store, b), await textOf(store, a)];
  if (typeof before !== "string" || typeof after !== "string") {
    return `${rel}: ${inWords(b, before)} → ${inWords(a, after)}\n`;
  }
  // Loaded when first needed: a start never shows a diff.
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(
    b.k === "absent" ? "/dev/null" : rel,
    a.k === "absent" ? "/dev/null" : rel,
    before,
    after,
  );
}

type NoText = { why: string };

/** The text of an entry that can stand in a diff. */
async function textOf(store: JournalStore, stored: Stored): Promise<string | NoText> {
  if (stored.k === "absent") return "";
  if (stored.k !== "file") return { why: "" };
  if (stored.big) return { why: "too large to be kept" };
  try {
    const bytes = await store.blobs.get(stored.h, stored.n);
    if (bytes.includes(0)) return { why: "binary" };
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof BlobGone) return { why: "no longer kept" };
    if (error instanceof TypeError) return { why: "not UTF-8" };
    throw error;
  }
}

function inWords(stored: Stored, text: string | NoText): string {
  switch (stored.k) {
    case "absent":
      return "nothing";
    case "dir":
      return "a directory";
    case "link":
      return `a link to ${stored.h}`;
    case "file":
      return `a file of ${stored.n} bytes${typeof text === "string" ? "" : ` (${text.why})`}`;
    default:
      return stored satisfies never;
  }
}
