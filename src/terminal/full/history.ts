/**
 * What was typed before, across runs: one JSON text a line in a file of the person's own (0600). Several programs append to
 * it at once. What looks like a key is never kept.
 */
import { errorCode } from "@/lib/file_error.ts";
import { redact } from "@/lib/secret.ts";
import { writeWhole } from "@/lib/write_whole.ts";

/** What is read of the end of the file, and how long it may become before its beginning is dropped, in bytes. */
const READ_BYTES_MAX = 512 * 1024;
const FILE_BYTES_MAX = 2 * 1024 * 1024;
const ENTRY_CHARS_MAX = 32 * 1024;
const ENTRIES_MAX = 2_000;

/** Earlier messages, newest last, and where in them the person is. */
export class History {
  #file: string | undefined;
  #isKept: () => boolean = () => true;
  #entries: string[] = [];
  /** Steps back from the draft; 0 is the draft. */
  #back = 0;
  #draft = "";
  #saving: Promise<void> = Promise.resolve();
  /** What is not in the file yet. */
  readonly #unsaved: string[] = [];

  /** Read what earlier runs left in a file, and keep there what comes while `isKept`. Until then it lasts as long as the program. */
  async open(file: string, isKept = this.#isKept): Promise<void> {
    this.#file = file;
    this.#isKept = isKept;
    const before = this.#entries;
    const older = await readEntries(file);
    this.#entries = [...older, ...this.#entries].slice(-ENTRIES_MAX);
    for (const text of before) if (isKept() && isForTheFile(text)) await this.#save(file, text);
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Keep a message. Resolves to why it could not be saved, if it could not. */
  async add(text: string): Promise<string | undefined> {
    this.#back = 0;
    if (text.trim() === "" || this.#entries.at(-1) === text) return undefined;
    this.#entries.push(text);
    if (this.#entries.length > ENTRIES_MAX) this.#entries.shift();
    if (this.#file === undefined || !this.#isKept() || !isForTheFile(text)) return undefined;
    return await this.#save(this.#file, text);
  }

  async #save(file: string, text: string): Promise<string | undefined> {
    const save = this.#saving.then(() => append(file, text));
    this.#saving = save.catch(() => undefined);
    this.#unsaved.push(text);
    try {
      await save;
      this.#unsaved.splice(this.#unsaved.indexOf(text), 1);
      return undefined;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return `What you type is not kept in "${file}": ${error.message}`;
    }
  }

  /**
   * The program ends, maybe at once: what is not in the file yet goes there now, and the text that was not sent with it.
   * Whoever is to be told of a problem is gone by then.
   */
  end(draft: string): void {
    const isNew = draft.trim() !== "" && this.#entries.at(-1) !== draft && this.#isKept() &&
      isForTheFile(draft);
    const lines = [...this.#unsaved, ...(isNew ? [draft] : [])].map(asLine).join("");
    if (this.#file === undefined || lines === "") return;
    try {
      // On lines of their own, whatever the last one ends in; an empty one says nothing.
      Deno.writeTextFileSync(this.#file, `\n${lines}`, { append: true, mode: 0o600 });
    } catch (error) {
      if (errorCode(error) === "") throw error;
    }
  }

  /** The message before; `draft` is what stands in the input and is come back to. Undefined at the oldest. */
  older(draft: string): string | undefined {
    if (this.#back >= this.#entries.length) return undefined;
    if (this.#back === 0) this.#draft = draft;
    this.#back += 1;
    return this.#entries.at(-this.#back);
  }

  /** The message after, at last the draft. Undefined when the person is at the draft. */
  newer(): string | undefined {
    if (this.#back === 0) return undefined;
    this.#back -= 1;
    return this.#back === 0 ? this.#draft : this.#entries.at(-this.#back);
  }

  /** The person changed the text: it is a draft now. */
  leave(): void {
    this.#back = 0;
  }

  /** The newest message that holds the words, older than `before` (an index); the case of letters does not count. */
  find(words: string, before = this.#entries.length): { text: string; index: number } | undefined {
    const wanted = words.toLowerCase();
    for (let index = Math.min(before, this.#entries.length) - 1; index >= 0; index--) {
      const text = this.#entries[index] ?? "";
      if (text.toLowerCase().includes(wanted)) return { text, index };
    }
    return undefined;
  }
}

/** Keys are typed with this command, whatever they look like. */
const WITH_KEY = /^\s*\/connect\s+\S+\s+\S/;

/** A blank in front keeps a message out of the file, as in a shell. */
function isForTheFile(text: string): boolean {
  return !text.startsWith(" ") && text.length <= ENTRY_CHARS_MAX && !WITH_KEY.test(text) &&
    redact(text) === text;
}

async function readEntries(file: string): Promise<string[]> {
  const text = await readEnd(file);
  const entries = text.split("\n").map(parsed).filter((entry) => entry !== undefined);
  return entries.filter((entry, at) => entry !== entries[at - 1]);
}

function asLine(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function parsed(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : undefined;
  } catch (error) {
    // A line that was cut while it was written, or that somebody else wrote, is skipped.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function readEnd(file: string): Promise<string> {
  try {
    using handle = await Deno.open(file);
    const { size } = await handle.stat();
    await handle.seek(Math.max(0, size - READ_BYTES_MAX), Deno.SeekMode.Start);
    const chunks: Uint8Array[] = [];
    const buffer = new Uint8Array(64 * 1024);
    for (let count = await handle.read(buffer); count !== null;) {
      chunks.push(buffer.slice(0, count));
      count = await handle.read(buffer);
    }
    const decoder = new TextDecoder();
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) {
      return "";
    }
    throw error;
  }
}

/**
 * Under a lock, so that a line is not written into a file that is just being replaced by a shorter one. What writes files is
 * loaded when there is something to write: the screen is open before.
 */
async function append(file: string, text: string): Promise<void> {
  const { withFileLock } = await import("@/lib/file_lock.ts");
  await withFileLock(file, async () => {
    const size = await appendLine(file, asLine(text));
    if (size > FILE_BYTES_MAX) await shorten(file);
  }, { what: "the history of typed messages" });
}

async function appendLine(file: string, line: string): Promise<number> {
  using handle = await Deno.open(file, { read: true, append: true, create: true, mode: 0o600 });
  const { size, mode } = await handle.stat();
  const isOpenToOthers = mode !== null && (mode & 0o077) !== 0;
  if (isOpenToOthers && Deno.build.os !== "windows") await Deno.chmod(file, 0o600);
  // A line that a full disk has cut must not take this one with it.
  const bytes = new TextEncoder().encode(await isTorn(handle, size) ? `\n${line}` : line);
  await writeWhole(handle, bytes);
  return size + bytes.length;
}

async function isTorn(handle: Deno.FsFile, size: number): Promise<boolean> {
  if (size === 0) return false;
  const last = new Uint8Array(1);
  await handle.seek(size - 1, Deno.SeekMode.Start);
  return await handle.read(last) === 1 && last[0] !== 0x0a;
}

/** Drop the oldest: what would not be read any more. */
async function shorten(file: string): Promise<void> {
  const entries = await readEntries(file);
  const text = entries.map(asLine).join("");
  const { writeFileAtomic } = await import("@/lib/atomic_write.ts");
  await writeFileAtomic(file, text, { mode: 0o600 });
}
