/**
 * Output of a command as text. UTF-8 first, because only UTF-8 can say that it is wrong; if it is, the legacy encoding
 * takes over for the rest of that command, in both directions.
 */
import { decode, encode, type Encoded, type EncodingName } from "@/lib/encoding.ts";
import { guessEncoding } from "@/lib/guess_encoding.ts";

const NEWLINE = 0x0a;

/** Bytes that are asked for their encoding in vain before it is clear that they are no text: asking takes milliseconds a KB. */
const ASKED_BYTES_MAX = 64 * 1024;

/** Decodes one stream of bytes, however it is cut. */
export class OutputDecoder {
  readonly #codePage: EncodingName | undefined;
  #legacy: { encoding: EncodingName; decoder: TextDecoder } | undefined;
  /** Bytes that were asked and had no answer. */
  #askedBytes = 0;
  /** Bytes of a character that is not complete yet. */
  #rest: Uint8Array = new Uint8Array(0);

  /** `codePage`: what the console or the locale says; without it the bytes themselves are asked. */
  constructor(codePage?: EncodingName) {
    this.#codePage = codePage;
  }

  /** What the program takes to be the encoding of text; UTF-8 until it proves otherwise. */
  get encoding(): EncodingName {
    return this.#legacy?.encoding ?? "utf-8";
  }

  /** The text of the next bytes. An incomplete character waits for the rest of it. */
  decode(chunk: Uint8Array): string {
    if (this.#legacy !== undefined) return this.#legacy.decoder.decode(chunk, { stream: true });
    const bytes = joined(this.#rest, chunk);
    const end = completeEnd(bytes);
    this.#rest = bytes.slice(end);
    const text = strictUtf8(bytes.subarray(0, end));
    if (text !== undefined) return text;
    return this.#turn(bytes, end);
  }

  /** Lines before the first wrong one stay as they are, as if they had been read before it. */
  #turn(bytes: Uint8Array, end: number): string {
    const from = startOfWrongLine(bytes);
    const legacy = bytes.subarray(from);
    const encoding = this.#codePage ?? this.#guess(legacy);
    if (encoding === undefined || encoding === "utf-8") {
      return decode(bytes.subarray(0, end), "utf-8");
    }
    this.#rest = new Uint8Array(0);
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    this.#legacy = { encoding, decoder };
    return decode(bytes.subarray(0, from), "utf-8") + decoder.decode(legacy, { stream: true });
  }

  #guess(bytes: Uint8Array): EncodingName | undefined {
    if (this.#askedBytes >= ASKED_BYTES_MAX) return undefined;
    this.#askedBytes += bytes.length;
    return legacyOf(bytes);
  }

  /** What is left when no more bytes come. */
  end(): string {
    if (this.#legacy !== undefined) return this.#legacy.decoder.decode();
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    return decode(rest, "utf-8");
  }

  /** Text for the program, in the encoding that it speaks. */
  encode(text: string): Encoded {
    return encode(text, this.encoding);
  }
}

/** A guess is good enough to show text, where the alternative is replacement characters. */
function legacyOf(bytes: Uint8Array): EncodingName | undefined {
  const { encoding } = guessEncoding(bytes);
  return encoding === "utf-8" ? undefined : encoding;
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Where the line with the first byte begins that no UTF-8 has. The whole line, because two letters of a legacy encoding
 * often look like one of UTF-8; none of it is in another encoding than the rest.
 */
function startOfWrongLine(bytes: Uint8Array): number {
  let from = 0;
  while (true) {
    const newline = bytes.indexOf(NEWLINE, from);
    if (newline === -1 || strictUtf8(bytes.subarray(from, newline)) === undefined) return from;
    from = newline + 1;
  }
}

/** Where the last complete UTF-8 character ends. What begins none counts as complete: it is to be seen as wrong. */
function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthFrom(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How long the character is that begins with this byte. */
function lengthFrom(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xc2 && byte < 0xe0 ? 2 : 1;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
