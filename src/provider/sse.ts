/** Server-sent events, as the hosted APIs stream them. */
import { createParser } from "eventsource-parser";
import { readBytes, TooLongError } from "./lines.ts";

/** One event; `event` is "message" where the server named none. */
export type SseEvent = { event: string; data: string };

const EVENT_CHARS_MAX = 16 * 1024 * 1024;
const TOO_LONG = `One event of the reply is longer than ${EVENT_CHARS_MAX} characters`;

/**
 * Read a body event by event. Comments and fields that we do not know are skipped; a last event without its blank
 * line is delivered. Throws TooLongError, the signal's reason, and what the body throws.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<SseEvent, void, undefined> {
  let ready: SseEvent[] = [];
  const parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onEvent: ({ event, data }) => ready.push({ event: event ?? "message", data }),
    onError: (error) => {
      // The other kinds are fields that we do not know.
      if (error.type === "max-buffer-size-exceeded") throw new TooLongError(TOO_LONG);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of readBytes(body, signal)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* ready;
    ready = [];
  }
  // The end of the body ends the last line and the last event, whatever they lack.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* ready;
}
