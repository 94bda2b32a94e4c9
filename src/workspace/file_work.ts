/**
 * What the file tools of one conversation stand on: reading as rows, editing, writing and every other change, all
 * through the journal, with the conversation's readings kept in step. What edits and writes is loaded with the first change.
 */
import { isNotThere } from "@/lib/file_error.ts";
import type { EditRequest } from "./edit.ts";
import type { Cause, EditOutcome, Idle } from "./file_edit.ts";
import {
  type LineRange,
  VIEW_BOUNDS,
  type ViewBounds,
  type Viewed,
  viewFile,
} from "./file_view.ts";
import type { Unwritten, WriteOutcome, WriteRequest } from "./file_write.ts";
import type { EditJournal, EntryState, PathChange } from "./journal.ts";
import { LOAD_BYTES_MAX, type Target } from "./loaded.ts";
import { readReal } from "./open_real.ts";
import type { Readings } from "./readings.ts";

export type FileWorkParts = {
  journal: Pick<EditJournal, "edit"> & Partial<Pick<EditJournal, "expect">>;
  readings: Readings;
  /** Whether rows of the file at a real path may be handed back by a call that did not ask to read. */
  mayShow?(path: string): boolean;
  /** How much of a file is shown; asked for at each read, so that a setting counts at once. */
  viewBounds?(): ViewBounds;
};

/** One for each conversation. Paths are those that were decided about: real and absolute. */
export class FileWork {
  readonly #parts: FileWorkParts;

  constructor(parts: FileWorkParts) {
    this.#parts = parts;
  }

  get readings(): Readings {
    return this.#parts.readings;
  }

  /** A file or a range of its lines as rows, which from now on count as shown. */
  async view(
    target: Target,
    range: LineRange,
    options: { bounds?: ViewBounds; signal?: AbortSignal } = {},
  ): Promise<Viewed> {
    const bounds = options.bounds ?? this.#parts.viewBounds?.() ?? VIEW_BOUNDS;
    const viewed = await viewFile(target.path, range, { ...options, bounds });
    if (viewed.kind === "rows") {
      this.#shown(target.path, viewed);
      this.#parts.journal.expect?.(target.path);
    }
    return viewed;
  }

  /** Change lines of a file. Throws only what the journal throws. */
  async edit(target: Target, request: EditRequest, cause: Cause): Promise<EditOutcome> {
    const { applyEdit } = await import("./file_edit.ts");
    return await applyEdit(this.#parts, target, { request, cause });
  }

  /** What comes of an edit that would change nothing as the file stands; undefined for any other. Changes nothing. */
  async idleEdit(target: Target, request: EditRequest): Promise<Idle | undefined> {
    const { idleEdit } = await import("./file_edit.ts");
    return await idleEdit(this.readings, target, request);
  }

  /** Write a file whole. Throws only what the journal throws. */
  async write(
    target: Target,
    request: WriteRequest,
    cause: Cause,
  ): Promise<Exclude<WriteOutcome, { kind: "foreign" }>> {
    const { applyWrite } = await import("./file_write.ts");
    const outcome = await applyWrite(this.#parts, target, { request, cause });
    return outcome.kind === "foreign" ? await this.#refuseForeign(target) : outcome;
  }

  /** The same of writing a file whole. */
  async idleWrite(target: Target, request: WriteRequest): Promise<Unwritten | undefined> {
    const { prepareWrite, isForeign } = await import("./file_write.ts");
    const prepared = await prepareWrite(target, request);
    if (isForeign(this.readings, target, prepared)) return await this.#refuseForeign(target);
    return prepared.kind === "ready" ? undefined : prepared;
  }

  /** What an edit would change, as a diff; the reason when it would be refused. Changes nothing. */
  async previewEdit(target: Target, request: EditRequest): Promise<string | undefined> {
    const [{ prepareEdit }, { applyPlan }, { changePreview }] = await Promise.all([
      import("./file_edit.ts"),
      import("./edit.ts"),
      import("./change_preview.ts"),
    ]);
    const prepared = await prepareEdit(this.readings, target, request);
    if (prepared.kind === "refused") return prepared.sentence;
    if (prepared.kind === "unchanged") return "no change";
    const { texts } = prepared.file;
    return await changePreview(target.spelled, texts, applyPlan(texts, prepared.plan));
  }

  /** What writing would change, as a diff; the reason when it would be refused. Changes nothing. */
  async previewWrite(target: Target, request: WriteRequest): Promise<string | undefined> {
    const [{ prepareWrite, isForeign, foreignChange }, { changePreview }] = await Promise.all([
      import("./file_write.ts"),
      import("./change_preview.ts"),
    ]);
    const prepared = await prepareWrite(target, request);
    if (isForeign(this.readings, target, prepared)) return foreignChange(target);
    if (prepared.kind === "refused") return prepared.sentence;
    if (prepared.kind === "unchanged") return "no change";
    return await changePreview(target.spelled, prepared.before, prepared.after);
  }

  #shown(path: string, viewed: Extract<Viewed, { kind: "rows" }>): void {
    this.readings.note(path, viewed.shown);
    if (viewed.bytes === undefined) return;
    this.readings.noteWhole(path, viewed.bytes, { isPart: viewed.from > 1 });
  }

  /** What is there now is handed back, so that the second try can be right. */
  async #refuseForeign(target: Target): Promise<Extract<WriteOutcome, { kind: "refused" }>> {
    const { foreignChange } = await import("./file_write.ts");
    const mayShow = this.#parts.mayShow?.(target.path) ?? true;
    const viewed = mayShow ? await viewFile(target.path, {}) : undefined;
    if (viewed?.kind !== "rows") {
      return { kind: "refused", sentence: `${foreignChange(target)}. Read it first` };
    }
    this.#shown(target.path, viewed);
    return {
      kind: "refused",
      sentence: `${foreignChange(target)}. It now reads\n${viewed.text}\n` +
        "Take that in and write it again, or change only your lines with edit_file",
    };
  }

  /** Any other change of entries. What was shown of them is void. Returns the paths that changed. */
  async change(changes: readonly PathChange[], cause: Cause): Promise<readonly string[]> {
    const { changed } = await this.#parts.journal.edit({ ...cause, changes });
    for (const { path } of changes) this.readings.forget(path);
    return changed;
  }
}

/** What is at a path itself (a link is not followed), as the journal compares it; a very large file is not compared. */
export async function stateOf(path: string): Promise<EntryState | "unchecked"> {
  try {
    const { isDirectory, isSymlink, isFile, size, mode } = await Deno.lstat(path);
    if (isSymlink) return { kind: "link", target: await Deno.readLink(path) };
    if (isDirectory) return { kind: "dir" };
    if (!isFile || size > LOAD_BYTES_MAX) return "unchecked";
    return { kind: "file", bytes: await readReal(path), mode: (mode ?? 0o644) & 0o7777 };
  } catch (error) {
    if (isNotThere(error)) return { kind: "absent" };
    throw error;
  }
}

/** What is at a path itself, without reading it; a link is not followed. */
export async function kindAt(path: string): Promise<"absent" | "dir" | "link" | "file" | "other"> {
  try {
    const { isDirectory, isSymlink, isFile } = await Deno.lstat(path);
    return isSymlink ? "link" : isDirectory ? "dir" : isFile ? "file" : "other";
  } catch (error) {
    if (isNotThere(error)) return "absent";
    throw error;
  }
}
