/** AWS's event stream: binary messages, each with headers, a payload and two checksums. */
import { joinBytes } from "@/lib/bytes.ts";
import { readBytes, TooLongError } from "./lines.ts";

/** One message. Of its headers, those that are text. */
export type StreamMessage = { headers: Readonly<Record<string, string>>; payload: Uint8Array };

/** Bytes that are no such message. */
export class GarbledStream extends Error {
  override readonly name = "GarbledStream";
}

const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MESSAGE_BYTES_MAX = 24 * 1024 * 1024;

/**
 * Read a body message by message, however its bytes are cut. What follows the last whole message is dropped: whoever
 * reads knows whether the end came too early. Throws GarbledStream, TooLongError, the signal's reason, and what the
 * body throws.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage, void, undefined> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let wanted = PRELUDE_BYTES;
  for await (const bytes of readBytes(body, signal)) {
    waiting.push(bytes.slice()); // The piece itself is there until the next one is read.
    size += bytes.length;
    while (size >= wanted) {
      const all = joinBytes(waiting);
      const length = lengthOf(all);
      if (all.length < length) {
        waiting = [all];
        wanted = length;
        break;
      }
      yield readMessage(all.subarray(0, length));
      waiting = [all.subarray(length)];
      size = all.length - length;
      wanted = PRELUDE_BYTES;
    }
  }
}

/** The length of the message that begins here, checked. */
function lengthOf(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const length = view.getUint32(0);
  const headers = view.getUint32(4);
  if (crc32(bytes.subarray(0, 8)) !== view.getUint32(8)) {
    throw new GarbledStream(`no event stream: ${shown(bytes)}`);
  }
  if (length > MESSAGE_BYTES_MAX) {
    throw new TooLongError(`One message of the reply is longer than ${MESSAGE_BYTES_MAX} bytes`);
  }
  if (length < PRELUDE_BYTES + headers + CHECKSUM_BYTES) {
    throw new GarbledStream("the lengths of a message contradict each other");
  }
  return length;
}

function readMessage(bytes: Uint8Array): StreamMessage {
  const view = viewOf(bytes);
  const end = bytes.length - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end)) {
    throw new GarbledStream("the checksum of a message is wrong");
  }
  const headersEnd = PRELUDE_BYTES + view.getUint32(4);
  return {
    headers: readHeaders(bytes.subarray(PRELUDE_BYTES, headersEnd)),
    payload: bytes.subarray(headersEnd, end),
  };
}

/** Bytes of a value by the number of its type; those of 6 and 7 come with their length. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  ...{ 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 },
};
const TEXT = 7;
const BYTES = 6;

function readHeaders(bytes: Uint8Array): Record<string, string> {
  const headers: Record<string, string> = {};
  const view = viewOf(bytes);
  const decoder = new TextDecoder();
  let at = 0;
  try {
    while (at < bytes.length) {
      const nameEnd = at + 1 + view.getUint8(at);
      const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
      const type = view.getUint8(nameEnd);
      const hasLength = type === TEXT || type === BYTES;
      const from = nameEnd + (hasLength ? 3 : 1);
      const length = hasLength ? view.getUint16(nameEnd + 1) : VALUE_BYTES[type];
      if (length === undefined) throw new RangeError("unknown type");
      if (type === TEXT) headers[name] = decoder.decode(bytes.subarray(from, from + length));
      at = from + length;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GarbledStream("the headers of a message cannot be read");
  }
  return headers;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function shown(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 200));
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});

/** The checksum of zip, png and this stream. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}
