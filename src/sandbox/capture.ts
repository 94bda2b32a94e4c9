/** Output of a process in bounded memory: how it began and how it ended; what came between is only counted. */

/** Collects bytes. Both ends are kept exactly; memory never exceeds `bytesMax`. */
export class Capture {
  readonly #headMax: number;
  readonly #tailMax: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  /** A ring: the newest `#tailMax` bytes after the head; grows to its size only when it is needed. */
  #tail = new Uint8Array(0);
  #tailEnd = 0;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#headMax = Math.ceil(bytesMax / 2);
    this.#tailMax = Math.floor(bytesMax / 2);
  }

  /** All bytes that were ever added. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes that were not kept. */
  get dropped(): number {
    return Math.max(0, this.#bytes - this.#headMax - this.#tailMax);
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const toHead = chunk.subarray(0, this.#headMax - this.#headBytes);
    if (toHead.length > 0) {
      this.#head.push(toHead.slice());
      this.#headBytes += toHead.length;
    }
    this.#addToTail(chunk.subarray(toHead.length));
  }

  #addToTail(chunk: Uint8Array): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#tailMax));
    if (kept.length === 0) return;
    this.#makeRoom(this.#tailEnd + chunk.length);
    // Skipped bytes still move the end, so that the ring's order stays that of the stream.
    let at = (this.#tailEnd + chunk.length - kept.length) % this.#tailMax;
    this.#tailEnd += chunk.length;
    for (let from = 0; from < kept.length;) {
      const piece = kept.subarray(from, from + this.#tailMax - at);
      this.#tail.set(piece, at);
      from += piece.length;
      at = 0;
    }
  }

  #makeRoom(bytes: number): void {
    const needed = Math.min(this.#tailMax, bytes);
    if (this.#tail.length >= needed) return;
    const grown = new Uint8Array(Math.min(this.#tailMax, Math.max(needed, 2 * this.#tail.length)));
    grown.set(this.#tail);
    this.#tail = grown;
  }

  /** The bytes kept from the start. Together with `tail()` all there is, when nothing was dropped. */
  head(): Uint8Array {
    return joined(this.#head);
  }

  /** The bytes kept from the end. */
  tail(): Uint8Array {
    if (this.#tailEnd <= this.#tailMax) return this.#tail.slice(0, this.#tailEnd);
    const at = this.#tailEnd % this.#tailMax;
    return joined([this.#tail.subarray(at), this.#tail.subarray(0, at)]);
  }

  /** All kept bytes in order, with nothing where bytes were dropped. */
  kept(): Uint8Array {
    return joined([this.head(), this.tail()]);
  }

  /** The output as UTF-8 text. Where bytes were dropped a line says so; no character is cut in half there. */
  text(): string {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    if (this.dropped === 0) return decoder.decode(this.kept());
    const head = this.head();
    const tail = this.tail();
    const gap = `\n[${this.dropped} bytes left out]\n`;
    return decoder.decode(head.subarray(0, wholeEnd(head))) + gap +
      decoder.decode(tail.subarray(wholeStart(tail)));
  }
}

/** Chunks as one array. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Where the last complete UTF-8 character ends. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Where the first UTF-8 character begins; at most three bytes can belong to one that was cut. */
function wholeStart(bytes: Uint8Array): number {
  let at = 0;
  while (at < Math.min(3, bytes.length) && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
