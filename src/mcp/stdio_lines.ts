/** What a server writes to its output, taken apart into messages. A line may be anything, and of any length. */
import { joinBytes } from "@/lib/bytes.ts";
import { endOf, startOf } from "@/lib/clip.ts";
import { isObject, parsedJson } from "@/lib/json.ts";

/** A line that is longer is not read: no model could either. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;
const END_BYTES_MAX = 4_096;

/** What lines are told to. */
export type LineSink = {
  message(message: Record<string, unknown>): void;
  /** A line that is no message: a banner, a log. */
  noise(line: string): void;
  /** A message that was too long; `id` is the request that it answers, where that could be told. */
  tooLong(bytes: number, id: string | number | undefined): void;
};

/** Takes bytes as they come. Keeps at most one line. */
export class StdioLines {
  readonly #sink: LineSink;
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** The end of a line that is too long. */
  #end: Uint8Array = new Uint8Array();

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  add(bytes: Uint8Array): void {
    let rest = bytes;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, at));
      this.#finish();
      rest = rest.subarray(at + 1);
    }
    this.#keep(rest);
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    // A copy: the reader may use its buffer again.
    if (this.#length <= LINE_BYTES_MAX) this.#pieces.push(bytes.slice());
    else this.#end = joinBytes([this.#end, bytes]).slice(-END_BYTES_MAX);
  }

  #finish(): void {
    const [pieces, length, end] = [this.#pieces, this.#length, this.#end];
    this.#pieces = [];
    this.#length = 0;
    this.#end = new Uint8Array();
    if (length > LINE_BYTES_MAX) {
      const head = this.#decoder.decode((pieces[0] ?? end).subarray(0, END_BYTES_MAX));
      return this.#sink.tooLong(length, idIn(head, this.#decoder.decode(end)));
    }
    const line = this.#decoder.decode(joinBytes(pieces)).trim();
    if (line === "") return;
    const json = line.startsWith("{") || line.startsWith("[") ? parsedJson(line) : undefined;
    // Several at once were allowed for a while.
    const messages = Array.isArray(json) ? json : [json];
    if (!messages.every(isMessage)) return this.#sink.noise(line);
    for (const message of messages) this.#sink.message(message);
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return isObject(value) && value.jsonrpc === "2.0";
}

/** The id of an answer stands before the result or after it. */
function idIn(head: string, end: string): string | number | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")/.exec(head) ??
      /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(end);
  const id = found?.[1] === undefined ? undefined : parsedJson(found[1]);
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The newest lines of what a server says beside its messages, for whoever asks why it failed. */
export class Diagnostics {
  static readonly LINES_MAX = 60;
  static readonly LINE_CHARS_MAX = 500;
  readonly #lines: string[] = [];
  #open = "";

  /** A text as it comes. */
  add(text: string): void {
    const lines = endOf(this.#open + text, Diagnostics.LINES_MAX * Diagnostics.LINE_CHARS_MAX)
      .split(/\r?\n/);
    this.#open = lines.pop() ?? "";
    for (const line of lines) this.line(line);
  }

  line(text: string): void {
    if (text.trim() === "") return;
    this.#lines.push(startOf(text, Diagnostics.LINE_CHARS_MAX));
    if (this.#lines.length > Diagnostics.LINES_MAX) this.#lines.shift();
  }

  /** The last `count` lines, each once. */
  last(count: number): readonly string[] {
    const open = this.#open.trim() === "" ? [] : [startOf(this.#open, Diagnostics.LINE_CHARS_MAX)];
    return [...new Set([...this.#lines, ...open].toReversed())].slice(0, count).toReversed();
  }
}
