/** What the lines of a journal amount to: which edits stand, which were taken back, and what can be brought back. */
import { FileModes } from "./file_modes.ts";
import type { RepoMove } from "./commit/git_entry.ts";
import type {
  CommitRecord,
  EditRecord,
  JournalRecord,
  MoveRecord,
  PathRecord,
} from "./journal_record.ts";

/** open: recorded, perhaps written. live: stands. undone: taken back. void: nothing of it was ever written. */
export type EditStatus = "open" | "live" | "undone" | "void";

/** One edit, as of now. */
export type Edit = {
  readonly record: EditRecord;
  /** Its paths without those that were not written after all. */
  readonly paths: readonly PathRecord[];
  readonly status: EditStatus;
  /** The bytes may be gone. */
  readonly freed: boolean;
  /** What became of it in git. */
  readonly git?: CommitRecord;
  /** What its last undo changed in git. */
  readonly takenBack?: readonly RepoMove[];
  /** Modes that the files it made came out with. */
  readonly made: Readonly<Record<string, number>>;
  /** Directories that are there because of it. */
  readonly dirs: readonly string[];
  /** Directories that were removed when it was last moved, and that come back with it. */
  readonly gone: readonly string[];
};

/** A fold over the journal's lines, in order. */
export class JournalFold {
  readonly #edits = new Map<string, Edit>();
  /** By session: what was taken back and not brought back, the latest last. */
  readonly #undone = new Map<string, string[][]>();
  readonly #moves = new Map<string, MoveRecord>();
  readonly #modes = new FileModes();
  readonly #open = new Set<string>();
  readonly #numbers = new Map<string, number>();

  /** All edits, oldest first. */
  edits(): Edit[] {
    return [...this.#edits.values()];
  }

  edit(id: string): Edit | undefined {
    return this.#edits.get(id);
  }

  /** Edits that were begun and not finished. */
  openEdits(): Edit[] {
    return [...this.#open].map((id) => this.#edits.get(id)).filter((edit) => edit !== undefined);
  }

  /** Undos and redos that were begun and not finished. */
  openMoves(): MoveRecord[] {
    return [...this.#moves.values()];
  }

  /** Ids that the next redo of a session brings back, newest first. */
  redoable(session: string): readonly string[] | undefined {
    return this.#undone.get(session)?.at(-1);
  }

  /** The mode that the person gave a file since it was edited, if they did. */
  personMode(path: string): number | undefined {
    return this.#modes.person(path);
  }

  /** An id that no edit of this session has. */
  nextId(session: string): string {
    let number = (this.#numbers.get(session) ?? 0) + 1;
    while (this.#edits.has(`${session}-${number}`)) number++;
    return `${session}-${number}`;
  }

  add(record: JournalRecord): void {
    switch (record.op) {
      case "edit":
        return this.#addEdit(record);
      case "done":
        return this.#finish(record);
      case "undo":
      case "redo":
        return void this.#moves.set(record.id, record);
      case "moved":
        return this.#move(record);
      case "stayed":
        return void this.#moves.delete(record.id);
      case "freed":
        return record.ids.forEach((id) => this.#change(id, { freed: true }));
      case "committed":
      case "skipped":
        return this.#change(record.id, { git: record });
      default:
        record satisfies never;
    }
  }

  #addEdit(record: EditRecord): void {
    const number = Number(record.id.slice(record.session.length + 1));
    const last = this.#numbers.get(record.session) ?? 0;
    if (number > last) this.#numbers.set(record.session, number);
    this.#open.add(record.id);
    this.#edits.set(record.id, {
      record,
      paths: record.paths,
      status: "open",
      freed: false,
      made: {},
      gone: [],
      dirs: record.paths.flatMap((path) => path.dirs),
    });
  }

  #finish({ id, drop = [], made = {} }: JournalRecord & { op: "done" }): void {
    const edit = this.#edits.get(id);
    if (edit?.status !== "open") return;
    this.#open.delete(id);
    const paths = edit.paths.filter((path) => !drop.includes(path.p));
    const dirs = paths.flatMap((path) => path.dirs);
    this.#change(id, { paths, dirs, made, status: paths.length === 0 ? "void" : "live" });
    // A new edit ends the chain of what could be brought back.
    if (paths.length > 0) this.#undone.delete(edit.record.session);
    for (const { p, b, a } of paths) {
      if (b.k !== "file") this.#modes.begin(p, a.k === "file" ? made[p] : undefined);
      else this.#modes.see(p, b.m);
    }
  }

  #move({ id, gone = [], made = {} }: JournalRecord & { op: "moved" }): void {
    const move = this.#moves.get(id);
    if (move === undefined) return;
    this.#moves.delete(id);
    const ids = move.ids ?? [id];
    const status = move.op === "undo" ? "undone" : "live";
    for (const each of ids) {
      const dirs = this.#edits.get(each)?.dirs.filter((dir) => !gone.includes(dir)) ?? [];
      this.#change(each, { status, dirs });
    }
    for (const [path, mode] of Object.entries(move.modes)) this.#modes.see(path, mode);
    for (const [path, mode] of Object.entries(made)) this.#modes.know(path, mode);
    const first = this.#edits.get(id);
    if (first === undefined) return;
    this.#change(id, {
      dirs: [...new Set([...first.dirs, ...move.dirs])],
      gone,
      takenBack: move.git ?? [],
    });
    this.#stack(first.record.session, move.op, ids);
  }

  #stack(session: string, op: MoveRecord["op"], ids: readonly string[]): void {
    const stack = this.#undone.get(session) ?? [];
    if (op === "undo") stack.push([...ids]);
    else stack.pop();
    this.#undone.set(session, stack);
  }

  #change(id: string, change: Partial<Edit>): void {
    const edit = this.#edits.get(id);
    if (edit !== undefined) this.#edits.set(id, { ...edit, ...change });
  }
}
