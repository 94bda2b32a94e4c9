/** Puts records on disk in order, in the background, and keeps what could not be written. */
import { PersonError } from "@/protocol/error.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { counted } from "@/lib/counted.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { encodeRecord } from "@/session/record.ts";

/**
 * Events could not be put on disk. They are still in memory, and writing them is tried again; with `lost`, how many, there
 * is no time for that any more.
 */
export class SessionWriteError extends PersonError {
  constructor(id: string, cause: unknown, lost?: number) {
    super(
      "state",
      `Cannot save session "${id}": ${fileErrorReason(cause)}`,
      lost === undefined
        ? "The conversation goes on in memory and is saved as soon as that is possible again"
        : `The conversation ends without ${
          counted(lost, "record")
        } of it in the file. Make room, or set ` +
          "HARNESS_HOME to a directory that can be written",
      cause,
    );
  }
}

/** Where records go. */
export type WriterTarget = {
  /** Opens the file for appending; called when there is something to write and no file yet. */
  open(): Promise<Deno.FsFile>;
  /** The session's id, for errors. */
  id(): string;
  /** Whether another record may be written; one that was begun is written to its end. */
  mayWrite(): boolean;
};

const BATCH_CHARS = 256 * 1024;
/** An asynchronous call costs 80 µs, a write of this size less. */
const AT_ONCE_BYTES_MAX = 64 * 1024;

export class RecordWriter {
  readonly #target: WriterTarget;
  #file: Deno.FsFile | undefined;
  /** Records in order that are not encoded yet. */
  #backlog: SessionRecord[] = [];
  /** Encoded bytes that the file has not taken yet; after a failure writing goes on in the middle of a line. */
  #rest = new Uint8Array();
  #recordsInRest = 0;
  #needsSync = false;
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #failure: SessionWriteError | undefined;
  #isFailureTold = false;

  /** With a file that is open already, `rest` is written to it before the first record. */
  constructor(target: WriterTarget, opened?: { file: Deno.FsFile; rest: string }) {
    this.#target = target;
    this.#file = opened?.file;
    this.#rest = new TextEncoder().encode(opened?.rest ?? "");
  }

  /** How many records the file has not taken. */
  get unsaved(): number {
    return this.#backlog.length + this.#recordsInRest;
  }

  push(record: SessionRecord): void {
    this.#backlog.push(record);
  }

  /** Starts writing what was pushed. The promise never rejects: failures are kept for `flush`. */
  start(): Promise<void> {
    this.#writing ??= this.#write().finally(() => this.#writing = undefined);
    return this.#writing;
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /**
   * Resolves when every record is on disk. Throws SessionWriteError when that fails, once for as long as it goes on
   * failing, or each time with `isLast`.
   */
  async flush({ isLast = false } = {}): Promise<void> {
    await this.#writing;
    if (this.unsaved > 0) await this.start();
    // What was pushed meanwhile waits for its own flush.
    if (this.unsaved === 0 || this.#failure === undefined) await this.#synced();
    if (this.#failure === undefined || (this.#isFailureTold && !isLast)) return;
    this.#isFailureTold = true;
    if (!isLast || this.unsaved === 0) throw this.#failure;
    throw new SessionWriteError(this.#target.id(), this.#failure.cause, this.unsaved);
  }

  close(): void {
    this.#file?.close();
  }

  async #write(): Promise<void> {
    await Promise.resolve(); // What is pushed in one go is written in one go.
    try {
      while (this.#rest.length > 0 || (this.#backlog.length > 0 && this.#target.mayWrite())) {
        const file = this.#file ??= await this.#target.open();
        if (this.#rest.length === 0) this.#encodeBatch();
        this.#rest = this.#rest.subarray(await this.#put(file));
        this.#needsSync = true;
        if (this.#rest.length === 0) this.#recordsInRest = 0;
      }
    } catch (error) {
      this.#failure = new SessionWriteError(this.#target.id(), error);
    }
  }

  /** A few records go to the system on the spot: it keeps them, and the disk is waited for in `flush`. */
  #put(file: Deno.FsFile): number | Promise<number> {
    const bytes = this.#rest;
    return bytes.length <= AT_ONCE_BYTES_MAX ? file.writeSync(bytes) : file.write(bytes);
  }

  #encodeBatch(): void {
    let lines = "";
    let count = 0;
    for (const record of this.#backlog) {
      lines += encodeRecord(record);
      count += 1;
      if (lines.length >= BATCH_CHARS) break;
    }
    this.#backlog.splice(0, count);
    this.#rest = new TextEncoder().encode(lines);
    this.#recordsInRest = count;
  }

  /** One wait for the disk is under way at a time; whoever flushes meanwhile shares it, and the next where more was written. */
  async #synced(): Promise<void> {
    await this.#syncing;
    if (this.#needsSync) {
      this.#syncing ??= this.#sync().finally(() => this.#syncing = undefined);
    }
    await this.#syncing;
  }

  async #sync(): Promise<void> {
    this.#needsSync = false;
    try {
      await this.#file?.syncData();
      // Only now: what the system takes, a failing disk need not keep.
      this.#failure = undefined;
      this.#isFailureTold = false;
    } catch (error) {
      this.#needsSync = true;
      this.#failure = new SessionWriteError(this.#target.id(), error);
    }
  }
}
