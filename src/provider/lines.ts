/** The bytes of a reply's body, read to its end or until the reader stops; either way the body is let go. */

/** A stream whose one line or event is longer than any API sends: it is not what it says it is. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";
}

/**
 * Where a body's bytes are read into, again and again: Deno 2.9.6 makes a new buffer of 64 KB for each piece where it is
 * given none, and a reply comes in a piece a word.
 */
const BUFFER_BYTES = 16 * 1024;

/**
 * How long the end of a body may take whose reader has heard enough, and how much may come before it: the connection then
 * serves the next request. A body that is longer than that costs its connection.
 */
const END_MS_MAX = 200;
const END_PIECES_MAX = 4;

/**
 * Yield a body's bytes as they arrive; a piece is there until the next one is asked for. Whoever stops reading early lets the
 * body end by itself, or closes the connection; the signal closes it at once, and its reason is thrown. The signal that fetch
 * was given does not do that reliably: fetch listens to one derived from it, which is collected while the body is still being
 * read (Deno 2.9.6).
 */
export async function* readBytes(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { reader, read } = opened(body);
  const stop = () => letGo(reader);
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (true) {
      signal.throwIfAborted();
      const piece = await read();
      signal.throwIfAborted();
      if (piece === undefined) return;
      yield piece;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (signal.aborted) letGo(reader);
    else void leave({ reader, read });
  }
}

type Opened = {
  reader: Pick<ReadableStreamDefaultReader, "cancel">;
  /** The next piece; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
};

/** A body of the network is a stream of bytes and fills what it is given; any other stream has buffers of its own. */
function opened(body: ReadableStream<Uint8Array>): Opened {
  const reader = byteReader(body);
  if (reader === undefined) {
    const other = body.getReader();
    return { reader: other, read: async () => (await other.read()).value };
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return {
    reader,
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return undefined;
      buffer = value.buffer;
      return value;
    },
  };
}

function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Hear a body out, within bounds. Nobody waits for it. */
async function leave({ reader, read }: Opened): Promise<void> {
  const timer = setTimeout(() => letGo(reader), END_MS_MAX);
  try {
    for (let pieces = 0; pieces < END_PIECES_MAX; pieces += 1) {
      if (await read() === undefined) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error; // It has broken: there is nothing to let go of.
  } finally {
    clearTimeout(timer);
    letGo(reader);
  }
}

/** Stop reading: the connection is closed if the body is not over. A read that is under way ends as done. */
function letGo(reader: Opened["reader"]): void {
  // Not awaited: letting go must not take longer than an interrupt may. What cancelling says is of no interest.
  reader.cancel().then(noted, noted);
}

/** Yield the lines of a body without their ends (LF or CRLF). The last one needs no end. */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  { lineCharsMax, signal }: { lineCharsMax: number; signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let chars = 0;
  for await (const bytes of readBytes(body, signal)) {
    const [first = "", ...rest] = decoder.decode(bytes, { stream: true }).split("\n");
    pieces.push(first);
    chars += first.length;
    for (const piece of rest) {
      yield withoutReturn(pieces.join(""));
      pieces = [piece];
      chars = piece.length;
    }
    if (chars > lineCharsMax) {
      throw new TooLongError(`One line of the reply is longer than ${lineCharsMax} characters`);
    }
  }
  const last = withoutReturn(pieces.join("") + decoder.decode());
  if (last !== "") yield last;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function noted(): void {}
