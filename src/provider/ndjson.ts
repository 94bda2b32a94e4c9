/** Newline-delimited JSON, as Ollama streams it. */
import { readLines } from "./lines.ts";

/** One line: its value, or the text of a line that is no JSON. */
export type JsonLine = { value: unknown } | { garbage: string };

const LINE_CHARS_MAX = 16 * 1024 * 1024;

/** Read a body line by line; empty lines are skipped. Throws TooLongError, the signal's reason, and what the body throws. */
export async function* readNdjson(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<JsonLine, void, undefined> {
  for await (const line of readLines(body, { lineCharsMax: LINE_CHARS_MAX, signal })) {
    if (line.trim() !== "") yield parsed(line);
  }
}

function parsed(line: string): JsonLine {
  try {
    return { value: JSON.parse(line) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { garbage: line };
  }
}
