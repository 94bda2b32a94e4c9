/**
 * The edit journal: before a tool changes files, the bytes before and after are kept outside the workspace and a line says
 * what will happen. Every change to the person's files by a tool goes through here; undo.ts reads it backwards.
 */
import { isAbsolute, resolve } from "@/lib/path.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { FileLocked } from "@/lib/file_lock.ts";
import { randomHex } from "@/lib/random.ts";
import { seenFrom } from "@/lib/path_within.ts";
import type { BlobStore } from "./blob_store.ts";
import {
  ChangedSince,
  difference,
  type EntryState,
  type Found,
  isSameContent,
  look,
  toFound,
} from "./entry.ts";
import type { EditRecord, PathRecord, Stored } from "./journal_record.ts";
import { announceNames, announceOwner } from "./one_name.ts";
import { announceBig } from "./undo_limit.ts";
import { type JournalStep, keepEdit, Unrecordable } from "./journal_keep.ts";
import { closeRecord, journalDir, JournalStore } from "./journal_store.ts";
import { isLive, LiveMark } from "./live_mark.ts";
import { recover } from "./recovery.ts";
import {
  modesMade,
  type Move,
  transit,
  TransitionFailed,
  type TransitionHost,
  withDirs,
} from "./transition.ts";

export { ChangedSince, type EntryState, PlaceChanged } from "./entry.ts";
export { type JournalStep, Unrecordable } from "./journal_keep.ts";

/** One path of an edit: what the tool saw there, and what it is to be. */
export type PathChange = {
  /** Real absolute path. */
  path: string;
  /** What must be there right before the write; modes do not count. */
  expected: EntryState | "unchecked";
  /** For a file that is new, mode 0 leaves the mode to the umask; one that is there keeps its own. */
  after: EntryState;
};

/** One tool call that changes files. */
export type JournalEdit = {
  tool: string;
  callId: string;
  turn: number;
  changes: readonly PathChange[];
  /** The sub-agent that made it. */
  agent?: string;
  /** Told before the write when it cannot be taken back. */
  say?(line: string): void;
};

/** How long the bytes of edits are kept, and how many of them a workspace and all workspaces may take. */
export type UndoLimits = { daysMax: number; bytesMax: number; allBytesMax: number };

/** What a journal is opened with. */
export type JournalOptions = {
  stateDir: string;
  /** Real path: one journal a workspace. */
  workspace: string;
  session: string;
  /** Files above this are not kept (50 MB). */
  sizeMaxBytes?: number;
  /** After each edit that changed something. */
  onEdit?(edit: { journalId: string; tool: string; paths: readonly string[] }): void;
  /** How long and how much is kept; only named in a refusal here, held by sweep.ts. */
  limits?: UndoLimits;
  /** A file was read and may be edited next. */
  onExpected?(path: string): void;
  /** What `say` of an edit is told, when an edit has none. */
  onNotice?(line: string): void;
  now?(): Date;
  lockWaitMs?: number;
  /** Whether an edit that cannot be recorded is refused; otherwise it is made and said to be for good. By default it is. */
  isRequired?(): boolean;
  onStep?(step: JournalStep): void;
  /** What puts an entry at a real path in its place; asked before each. By default this process does. */
  placing?: TransitionHost["placing"];
  /** Those of these paths, where nothing is yet, that git keeps out of a sparse checkout. */
  outsideSparse?(paths: readonly string[]): Promise<ReadonlySet<string>>;
};

const SIZE_MAX_BYTES = 50_000_000;
const LIMITS: UndoLimits = { daysMax: 30, bytesMax: 500_000_000, allBytesMax: 2_000_000_000 };
const LOCK_WAIT_MS = 10_000;
/** At the start nobody waits long: whoever holds the lock next finishes what is unfinished. */
const START_WAIT_MS = 1_000;

/** The journal of one workspace, for one session. Several processes may have it open. */
export class EditJournal {
  readonly session: string;
  readonly workspace: string;
  readonly sizeMaxBytes: number;
  readonly limits: UndoLimits;
  readonly #store: JournalStore;
  readonly #options: JournalOptions;
  #mark: LiveMark | undefined;
  #problem: string | undefined;

  private constructor(options: JournalOptions) {
    this.session = options.session;
    this.workspace = options.workspace;
    this.sizeMaxBytes = options.sizeMaxBytes ?? SIZE_MAX_BYTES;
    this.limits = options.limits ?? LIMITS;
    this.#options = options;
    const dir = journalDir(options.stateDir, options.workspace);
    this.#store = new JournalStore(dir, options.lockWaitMs ?? LOCK_WAIT_MS);
  }

  /**
   * Open the journal of a workspace and finish what a process that died left half done. A place that cannot be used is
   * no reason not to start: `problem` says what is wrong, and each edit tries again.
   */
  static async open(options: JournalOptions): Promise<EditJournal> {
    const journal = new EditJournal(options);
    try {
      await journal.#begin();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      journal.#problem = fileErrorReason(error);
    }
    return journal;
  }

  /** What is wrong with the journal's place, when it could not be opened. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Change files, all of the paths or none, so that it can be taken back.
   * `changed` are the paths that differ now; when there are none, nothing was recorded and `id` is empty.
   * Throws ChangedSince when a path is not as expected, PlaceChanged when it leads elsewhere by now, Unrecordable when
   * it could not be taken back; nothing is written then.
   */
  async edit(edit: JournalEdit): Promise<{ id: string; changed: readonly string[] }> {
    assertPaths(edit.changes);
    const done = await this.#recorded(edit);
    if (done.id !== "") {
      this.#options.onEdit?.({ journalId: done.id, tool: edit.tool, paths: done.changed });
    }
    return done;
  }

  /** A file was read, so that an edit of it may come next. */
  expect(path: string): void {
    this.#options.onExpected?.(path);
  }

  /** Run something while nobody else changes the journal or files by it, with everything unfinished closed. */
  async locked<T>(body: (store: JournalStore) => Promise<T>): Promise<T> {
    if (this.#mark === undefined) await this.#begin();
    return await this.#store.withLock(async () => {
      this.#problem = undefined;
      await recover(this.#store, this.host);
      return await body(this.#store);
    });
  }

  /** The bytes that are kept of edits. */
  get blobs(): BlobStore {
    return this.#store.blobs;
  }

  /** Where the journal is kept. */
  get dir(): string {
    return this.#store.dir;
  }

  /** Whether a process has a session of this workspace open. */
  isLive(session: string): boolean {
    return isLive(this.#store.dir, session);
  }

  /** What every transition of this journal has in common. */
  get host(): Pick<TransitionHost, "bytesMax" | "placing" | "carriers"> {
    const { placing } = this.#options;
    return {
      bytesMax: this.sizeMaxBytes,
      carriers: this.#store.carriers,
      ...(placing === undefined ? {} : { placing }),
    };
  }

  now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  step(step: JournalStep): void {
    this.#options.onStep?.(step);
  }

  /** Let go of the session. The journal needs no other goodbye. */
  close(): void {
    this.#mark?.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #begin(): Promise<void> {
    await this.#store.make();
    this.#mark = await LiveMark.take(this.#store.dir, this.session);
    if (this.#store.endsFinished()) return;
    try {
      const finish = async () => await recover(this.#store, this.host);
      await this.#store.withLock(finish, START_WAIT_MS);
    } catch (error) {
      if (!(error instanceof FileLocked)) throw error;
    }
  }

  /** Make an edit with its record; where that is not possible and not required, without. */
  async #recorded(edit: JournalEdit): Promise<{ id: string; changed: readonly string[] }> {
    let isOpen = false;
    try {
      return await this.locked(async (store) => {
        isOpen = true;
        return await this.#edit(edit, store);
      });
    } catch (error) {
      if (error instanceof Unrecordable) return await this.#withoutRecord(edit, error);
      if (isOpen || error instanceof FileLocked) throw error;
      return await this.#withoutRecord(edit, new Unrecordable(error));
    }
  }

  async #withoutRecord(
    edit: JournalEdit,
    problem: Unrecordable,
  ): Promise<{ id: string; changed: readonly string[] }> {
    if (this.#options.isRequired?.() ?? true) throw problem;
    const moves = withDirs(await this.#differing(edit.changes));
    if (moves.length === 0) return { id: "", changed: [] };
    (edit.say ?? this.#options.onNotice)?.(
      `${problem.message}. UNDO_REQUIRED is off, so it is made all the same; it cannot be taken back.`,
    );
    try {
      await transit(moves, {
        ...this.host,
        token: randomHex(8),
        bytes: async (stored) => await bytesFor(stored, { changes: moves, store: this.#store }),
      });
    } catch (error) {
      throw error instanceof TransitionFailed ? error.cause : error;
    }
    return { id: "", changed: moves.map(({ path }) => path) };
  }

  async #edit(
    edit: JournalEdit,
    store: JournalStore,
  ): Promise<{ id: string; changed: readonly string[] }> {
    const changes = await this.#differing(edit.changes);
    if (changes.length === 0) return { id: "", changed: [] };
    const say = edit.say ?? this.#options.onNotice;
    for (const change of changes) announceBig(change, say);
    for (const replaced of replacedBy(changes)) announceNames(replaced, say);
    const moves = withDirs(changes);
    const made = moves.filter(({ from }) => from.k === "absent").map(({ path }) => path);
    const sparse = made.length > 0 ? await this.#options.outsideSparse?.(made) : undefined;
    const record = this.#recordOf(edit, { id: store.fold.nextId(this.session), moves, sparse });
    const bytes = changes.flatMap(({ before, wanted }) => [before, wanted]);
    const recorded = await keepEdit(store, { record, bytes, onStep: this.#options.onStep });
    this.step("recorded");
    try {
      await transit(moves, {
        ...this.host,
        token: record.t,
        recorded: recorded.settled,
        bytes: async (stored) => await bytesFor(stored, { changes, store }),
        onStep: () => this.step("file"),
      });
    } catch (error) {
      if (!(error instanceof TransitionFailed)) throw error;
      const drop = moves.map(({ path }) => path).filter((path) => !error.stuck.includes(path));
      closeRecord(store, { op: "done", id: record.id, drop });
      throw error.cause;
    } finally {
      await recorded.over;
    }
    this.step("written");
    closeRecord(store, { op: "done", id: record.id, ...modesMade(moves) });
    this.step("done");
    for (const replaced of replacedBy(changes)) announceOwner(replaced, say);
    return { id: record.id, changed: moves.map(({ path }) => path) };
  }

  /** Reads every path, compares it with what the tool expected, and leaves out those that are already as wanted. */
  async #differing(changes: readonly PathChange[]): Promise<Change[]> {
    const differing: Change[] = [];
    for (const { path, expected, after } of changes) {
      const before = await look(path, this.sizeMaxBytes);
      if (expected !== "unchecked") {
        const relied = toFound(expected, this.sizeMaxBytes).stored;
        if (!isSameContent(relied, before.stored)) {
          throw new ChangedSince(path, difference(relied, before.stored));
        }
      }
      const wanted = toFound(after, this.sizeMaxBytes);
      if (isSameContent(before.stored, wanted.stored)) continue;
      const newMode = after.kind === "file" && after.mode !== 0 ? { newMode: after.mode } : {};
      differing.push({
        path,
        rel: seenFrom(this.workspace, path),
        from: before.stored,
        to: wanted.stored,
        mode: newMode,
        number: differing.length,
        before,
        wanted,
      });
    }
    return differing;
  }

  #recordOf(
    edit: JournalEdit,
    { id, moves, sparse }: {
      id: string;
      moves: readonly Move[];
      sparse: ReadonlySet<string> | undefined;
    },
  ): EditRecord {
    const paths = moves.map((move): PathRecord => ({
      p: move.path,
      rel: seenFrom(this.workspace, move.path),
      top: this.workspace,
      b: move.from,
      a: move.to,
      dirs: [...move.dirs],
      ...(sparse?.has(move.path) ? { skipw: true } : {}),
    }));
    return {
      v: 1,
      op: "edit",
      id,
      session: this.session,
      turn: edit.turn,
      call: edit.callId,
      tool: edit.tool,
      agent: edit.agent ?? null,
      pid: Deno.pid,
      start: new Date(performance.timeOrigin).toISOString(),
      at: this.now().toISOString(),
      t: randomHex(8),
      paths,
    };
  }
}

type Change = Omit<Move, "dirs"> & { rel: string; before: Found; wanted: Found };

/** Files in whose place another one is put. */
function replacedBy(changes: readonly Change[]) {
  return changes.filter(({ from, to }) => from.k === "file" && to.k === "file")
    .map(({ path, rel, before }) => ({ path, rel, info: before.info }));
}

/** What a tool wants to write is still in memory, also when it is too large to be kept. */
async function bytesFor(
  stored: Stored & { k: "file" },
  { changes, store }: { changes: readonly Change[]; store: JournalStore },
): Promise<Uint8Array> {
  const inMemory = changes.find(({ wanted }) => wanted.stored === stored)?.wanted.bytes;
  return inMemory ?? await store.blobs.get(stored.h, stored.n);
}

function assertPaths(changes: readonly PathChange[]): void {
  const seen = new Set<string>();
  for (const { path } of changes) {
    if (!isAbsolute(path) || resolve(path) !== path) {
      throw new TypeError(`"${path}" is not a real absolute path`);
    }
    if (seen.has(path)) throw new TypeError(`Two changes of one edit name "${path}"`);
    seen.add(path);
  }
}
