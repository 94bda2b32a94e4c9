/**
 * The append-only log of one session: takes durable events in order and puts them on disk as lines. One process writes
 * a session at a time. What cannot be written stays in memory and is written as soon as it can be.
 */
import { dirname, join } from "@/lib/path.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { ensureDir, syncDir } from "@/lib/atomic_write.ts";
import type { SessionSummary } from "@/session/fold.ts";
import { createFree } from "@/session/create.ts";
import { lockSession, type SessionLock } from "@/session/lock.ts";
import type { OpenedFile } from "@/session/open.ts";
import { SESSION_SUFFIX, sessionError, sessionId } from "@/session/file.ts";
import { isIdOf, slugOf, timestampId } from "@/session/title.ts";
import { newUid } from "@/session/uid.ts";
import { RecordWriter } from "@/session/writer.ts";

/** How a session is kept. */
export type SessionOptions = {
  /**
   * Whether to write at all, asked again whenever there is something to write: the setting SAVE_CHAT_HISTORY. What is said
   * while it is off is kept in memory, and written once it is on again: a session without it could not be resumed.
   */
  isRecording(): boolean;
  /** Longest id made of a title, in characters. */
  slugCharsMax?: number;
  now?(): Date;
};

/** A session that was opened again. */
export type OpenedSession = {
  log: SessionLog;
  records: readonly SessionRecord[];
  summary: SessionSummary;
  /** What was not read or was moved aside, in sentences for stderr. */
  notices: readonly string[];
};

/** With these something has been said; a session in which nothing was, nor was about to be, leaves no file. */
const FIRST_WORDS: ReadonlySet<DurableEvent["type"]> = new Set(["turn_start", "message"]);

export class SessionLog {
  /** Fixed for the life of the session, whatever it is renamed to. */
  readonly uid: string;
  readonly #dir: string;
  readonly #slugCharsMax: number | undefined;
  readonly #now: () => Date;
  readonly #writer: RecordWriter;
  #id: string;
  #lock: SessionLock | undefined;
  readonly #isRecording: () => boolean;
  /** Whether the session is to have a file: something was said in it, or it has one. */
  #isBegun: boolean;
  #hasFile: boolean;
  #isClosed = false;
  #renaming: Promise<unknown> = Promise.resolve();

  private constructor(
    options: SessionOptions,
    { dir, uid, id, opened }: { dir: string; uid: string; id: string; opened?: OpenedFile },
  ) {
    this.uid = uid;
    this.#dir = dir;
    this.#slugCharsMax = options.slugCharsMax;
    this.#now = options.now ?? (() => new Date());
    this.#id = id;
    this.#lock = opened?.lock;
    this.#isRecording = options.isRecording;
    this.#isBegun = this.#hasFile = opened !== undefined;
    this.#writer = new RecordWriter({
      open: () => this.#createFile(),
      id: () => this.#id,
      mayWrite: this.#isRecording,
    }, opened);
  }

  /** Starts a session. There is no file before the first turn or message, and none ever while nothing is recorded. */
  static create(dir: string, options: SessionOptions, uid?: string): SessionLog {
    const now = options.now?.() ?? new Date();
    return new SessionLog(options, { dir, uid: uid ?? newUid(now), id: timestampId(now) });
  }

  /**
   * Opens a session to go on with it. A torn tail is moved aside; everything else stays in the file as it is.
   * Throws SessionInUse when it is open in a living process, PersonError when it cannot be opened.
   */
  static async open(path: string, options: SessionOptions): Promise<OpenedSession> {
    // Nothing that reads is loaded for a session that is begun.
    const { openToWrite } = await import("@/session/open.ts");
    const now = options.now?.() ?? new Date();
    const { uid, opened, ...read } = await openToWrite(path, now);
    const log = new SessionLog(options, {
      dir: dirname(path),
      uid: uid ?? newUid(now),
      id: sessionId(path),
      opened,
    });
    return { log, ...read };
  }

  /** The stem of the session's file, now. */
  get id(): string {
    return this.#id;
  }

  /** The session's file; undefined while there is none. */
  get path(): string | undefined {
    return this.#hasFile ? this.#pathOf(this.#id) : undefined;
  }

  /** How many events are only in memory. */
  get unsaved(): number {
    return this.#writer.unsaved;
  }

  /** Something is about to be said: what was appended is written, and a file made for it, without waiting for that. */
  begin(): void {
    this.#isBegun = true;
    if (this.#isActive) this.#writer.start();
  }

  /** Takes one event. Never waits; writing begins by itself. */
  append(event: DurableEvent): void {
    if (this.#isClosed) throw new Error(`Session "${this.#id}" is closed: ${event.type} came late`);
    this.#writer.push({ v: 1, at: this.#now().toISOString(), event });
    if (FIRST_WORDS.has(event.type)) this.#isBegun = true;
    if (this.#isActive) this.#writer.start();
  }

  /**
   * Resolves when everything appended is on disk, power failures included. Throws SessionWriteError once when that
   * fails; while it goes on failing later calls are silent, try again, and `unsaved` says how much is missing.
   */
  async flush(): Promise<void> {
    if (this.#isActive) await this.#writer.flush();
  }

  /**
   * Files the session under its title from now on: `<slug>`, or `<slug>-2` and so on where that is taken. A title of
   * which no file name can be made changes nothing. Returns the id. Throws PersonError; the old name then holds.
   */
  rename(title: string): Promise<string> {
    const renamed = this.#renaming.then(() => this.#rename(slugOf(title, this.#slugCharsMax)));
    this.#renaming = renamed.catch(() => undefined); // The caller has the error; the next one goes on.
    return renamed;
  }

  /** Writes what is left and lets the session go. Throws SessionWriteError when events are lost with us. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#renaming;
      await this.#writer.settled();
      if (this.#isActive) await this.#writer.flush({ isLast: true });
    } finally {
      this.#writer.close();
      await this.#lock?.release();
    }
  }

  get #isActive(): boolean {
    return this.#isRecording() && this.#isBegun;
  }

  #pathOf(id: string): string {
    return join(this.#dir, `${id}${SESSION_SUFFIX}`);
  }

  async #createFile(): Promise<Deno.FsFile> {
    await ensureDir(this.#dir, { mode: 0o700 });
    this.#lock ??= await lockSession(this.#dir, { key: this.uid, id: this.#id });
    const { id, file } = await createFree(this.#dir, this.#id);
    this.#id = id;
    this.#hasFile = true;
    await syncDir(this.#dir);
    return file;
  }

  async #rename(slug: string): Promise<string> {
    if (slug === "" || isIdOf(this.#id, slug)) return this.#id;
    await this.#writer.settled(); // A file that is being created has not settled on its id.
    if (!this.#hasFile) return this.#id = slug;
    const old = this.#id;
    let placeholder: string | undefined;
    try {
      // An empty file keeps the name for us; the rename then replaces nothing but that.
      const { id, file } = await createFree(this.#dir, slug);
      file.close();
      placeholder = this.#pathOf(id);
      await Deno.rename(this.#pathOf(old), placeholder);
      placeholder = undefined;
      this.#id = id;
      await syncDir(this.#dir);
    } catch (error) {
      if (placeholder !== undefined) await Deno.remove(placeholder);
      throw sessionError(`rename session "${old}"`, error);
    }
    return this.#id;
  }
}
