/**
 * The journal's place on disk: one file of lines, the blobs, one lock.
 *
 * Everything that changes files runs from start to end under the lock, and the system takes the lock back when its
 * process dies. So whoever holds it knows that an unfinished record has no living writer, and no process id has to be
 * trusted for that: process ids come back, and Deno may not read /proc.
 */
import { closing } from "@/lib/closing.ts";
import { join } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { ensureDir, replaceFile } from "@/lib/atomic_write.ts";
import { isDiskFull } from "@/lib/file_error.ts";
import { withFileLock } from "@/lib/file_lock.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { BlobStore, type StagedBlob } from "./blob_store.ts";
import { lstat } from "./entry.ts";
import { JournalFold } from "./journal_fold.ts";
import { type JournalRecord, parseRecord, printRecord } from "./journal_record.ts";

/** Where all journals are kept; statePaths() says the same (a test compares them). */
export function undoDir(stateDir: string): string {
  return join(stateDir, "undo");
}

/** Where the journal of a workspace is kept. `workspace` is its real path. */
export function journalDir(stateDir: string, workspace: string): string {
  return join(undoDir(stateDir), sha256Hex(workspace).slice(0, 16));
}

/** Some hundred lines. */
const TAIL_BYTES = 64 * 1024;

/** One workspace's journal file, folded as far as it was read. */
export class JournalStore {
  readonly dir: string;
  readonly blobs: BlobStore;
  readonly #file: string;
  readonly #lockWaitMs: number;
  #fold = new JournalFold();
  /** How many bytes of the file are folded; always the start of a line. */
  #read = 0;
  #inode: number | null | undefined;
  /** Whether the file ends in the middle of a line. */
  #torn = false;

  constructor(dir: string, lockWaitMs: number) {
    this.dir = dir;
    this.blobs = new BlobStore(join(dir, "blobs"));
    this.#file = join(dir, "journal.jsonl");
    this.#lockWaitMs = lockWaitMs;
  }

  /** Where what removed files have beside bytes and mode is kept. */
  get carriers(): string {
    return join(this.dir, "carriers");
  }

  /** What the journal says, as of the last `refresh`. */
  get fold(): JournalFold {
    return this.#fold;
  }

  /** Make the directories: they hold the person's source, so nobody else may look. */
  async make(): Promise<void> {
    await ensureDir(this.dir, { mode: 0o700 });
    await ensureDir(this.blobs.dir, { mode: 0o700 });
  }

  /** Run `body` while no other process or caller changes this journal, or files by it. Not re-entrant. */
  async withLock<T>(body: () => Promise<T>, waitMs = this.#lockWaitMs): Promise<T> {
    const options = { waitMs, what: "the edit journal of this workspace" };
    if (lstat(this.blobs.dir) === undefined) await this.make();
    return await withFileLock(this.#file, async () => {
      this.refresh();
      return await body();
    }, options);
  }

  /** Add a line, in one write, and fold it. */
  append(record: JournalRecord): void {
    // A line that a dying process or a full disk cut off must not take the next one with it.
    const line = new TextEncoder().encode((this.#torn ? "\n" : "") + printRecord(record));
    const options = { append: true, create: true, mode: 0o600 };
    const written = closing(Deno.openSync(this.#file, options), (file) => file.writeSync(line));
    if (written < line.length) {
      this.#torn = true;
      throw new Deno.errors.WriteZero(`Only ${written} of ${line.length} bytes were written`);
    }
    this.refresh();
  }

  /** Add a line that others rely on: when this returns, it is on disk. */
  async appendSafely(record: JournalRecord): Promise<void> {
    this.append(record);
    await this.settle();
  }

  /** When this returns, what was appended is on disk, and staged bytes are too and have their names. */
  async settle(staged: readonly StagedBlob[] = []): Promise<void> {
    // Side by side, because the file system then commits them together: one wait instead of two (1 ms each here).
    await closing(
      Deno.openSync(this.#file, { append: true }),
      (file) => Promise.all([file.syncData(), ...staged.map((blob) => blob.file.syncData())]),
    );
    for (const blob of staged) this.blobs.keepStaged(blob);
  }

  /**
   * Whether the end of the file shows nothing unfinished, read without folding the rest: a journal of 10,000 lines takes
   * 0.15 s to fold, which a start that edits nothing need not pay. Whatever is unfinished is at the end, because the next
   * to hold the lock finishes it first.
   */
  endsFinished(): boolean {
    const size = this.#info()?.size ?? 0;
    if (size === 0) return true;
    const start = Math.max(0, size - TAIL_BYTES);
    const tail = new TextDecoder().decode(readFrom(this.#file, start));
    if (!tail.endsWith("\n")) return false;
    const fold = new JournalFold();
    for (const line of tail.split("\n").slice(start === 0 ? 0 : 1)) {
      const record = parseRecord(line);
      if (record !== undefined) fold.add(record);
    }
    return fold.openEdits().length === 0 && fold.openMoves().length === 0;
  }

  /** Write the journal anew without the lines about some edits. Under the lock, as everything. */
  async forget(ids: ReadonlySet<string>): Promise<void> {
    const isForgotten = (record: JournalRecord | undefined) =>
      record?.op === "freed"
        ? record.ids.every((id) => ids.has(id))
        : record !== undefined && ids.has(record.id);
    // Lines that this version cannot read stay: they are somebody's.
    const lines = (await Deno.readTextFile(this.#file)).split("\n")
      .filter((line) => line !== "" && !isForgotten(parseRecord(line)));
    await replaceFile(this.#file, lines.map((line) => `${line}\n`).join(""));
    this.refresh();
  }

  /** How large the journal is, in bytes. */
  size(): number {
    return lstat(this.#file)?.size ?? 0;
  }

  /** Opening a pipe would wait for its other end, and a link would write somewhere else. */
  #info(): Deno.FileInfo | undefined {
    const info = lstat(this.#file);
    if (info === undefined || info.isFile) return info;
    throw new PersonError("state", `"${this.#file}" is not a file`, "Move it away");
  }

  /** Fold what was added since, by us or by another process. */
  refresh(): void {
    const info = this.#info();
    const size = info?.size ?? 0;
    if (size < this.#read || info?.ino !== this.#inode) {
      // Somebody removed or replaced the file: what it says now is all there is.
      this.#fold = new JournalFold();
      this.#read = 0;
      this.#torn = false;
    }
    this.#inode = info?.ino;
    if (size === this.#read) return;
    const bytes = readFrom(this.#file, this.#read);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#torn = end < bytes.length;
    this.#read += end;
    for (const line of new TextDecoder().decode(bytes.subarray(0, end)).split("\n")) {
      const record = line === "" ? undefined : parseRecord(line);
      if (record !== undefined) this.#fold.add(record);
    }
  }
}

function readFrom(path: string, offset: number): Uint8Array {
  using file = Deno.openSync(path);
  file.seekSync(offset, Deno.SeekMode.Start);
  const bytes = new Uint8Array(file.statSync().size - offset);
  let length = 0;
  while (length < bytes.length) {
    const read = file.readSync(bytes.subarray(length));
    if (read === null) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/**
 * Append the line that closes a record. The files are what they are by then, so a full disk is no failure:
 * the next to hold the lock finds the record open and closes it by what it sees.
 */
export function closeRecord(store: JournalStore, record: JournalRecord): void {
  try {
    store.append(record);
  } catch (error) {
    if (!isDiskFull(error) && !(error instanceof Deno.errors.WriteZero)) throw error;
  }
}
