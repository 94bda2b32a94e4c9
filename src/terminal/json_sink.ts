/** Events as JSON lines: one record a line, LF only, images as base64. */
import type { Event } from "@/protocol/event.ts";
import type { ResultDocument } from "./result.ts";
import type { Writer } from "./output.ts";

/** What the first record says. */
export type StreamHeader = { session: string; id: string; model: string; cwd: string };

const NO_SESSION: StreamHeader = { session: "", id: "", model: "", cwd: "" };

/** What `--output jsonl` writes: a header, every event as it happens, and the result; header and result exactly once. */
export class JsonStream {
  readonly #write: Writer;
  #isBegun = false;

  constructor(write: Writer) {
    this.#write = write;
  }

  /** The first record; later calls say nothing. */
  begin(header: StreamHeader): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#write(line({ type: "session", version: 1, ...header }));
  }

  readonly sink = (event: Event): void => {
    // The log's own opening record says what the header has said.
    if (event.type !== "session") this.#write(line(event));
  };

  /** The last record. A run that failed before there was a session gets its header now. */
  end(document: ResultDocument): void {
    this.begin(NO_SESSION);
    this.#write(line({ type: "result", ...document }));
  }
}

/** The one document of `--output json`. */
export function documentText(document: ResultDocument): string {
  return line(document);
}

function line(value: unknown): string {
  return `${JSON.stringify(value, bytesAsBase64)}\n`;
}

function bytesAsBase64(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? value.toBase64() : value;
}
