/** Events as JSON lines: one record a line, LF only, images as base64. */
import type { Event, Sink } from "@/protocol/event.ts";
import type { ResultDocument } from "./result.ts";
import type { Writer } from "./output.ts";

/** What the first record says. */
export type StreamHeader = { session: string; id: string; model: string; cwd: string };

/** The sink of `--output jsonl`: a header, then every event as it happens. */
export function jsonLines(write: Writer, header: StreamHeader): Sink {
  write(line({ type: "session", version: 1, ...header }));
  return (event: Event) => {
    // The log's own opening record says what the header has said.
    if (event.type !== "session") write(line(event));
  };
}

/** The last record. */
export function resultLine(document: ResultDocument): string {
  return line({ type: "result", ...document });
}

/** The one document of `--output json`. */
export function resultText(document: ResultDocument): string {
  return `${JSON.stringify(document)}\n`;
}

function line(value: unknown): string {
  return `${JSON.stringify(value, bytesAsBase64)}\n`;
}

function bytesAsBase64(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? value.toBase64() : value;
}
