/**
 * MD5 of texts that fit one of its blocks, which nearly all lines of files do: a line's fingerprint is made for each row
 * that is shown or read back, and this takes an eighth of the time of a hash that takes anything.
 */

/** The most that a block holds besides its own mark and length, in bytes of UTF-8. */
const BYTES_MAX = 55;
const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Int32Array.from({ length: 64 }, (_, at) => Math.abs(Math.sin(at + 1)) * 2 ** 32 | 0);

const block = new DataView(new ArrayBuffer(64));
const bytes = new Uint8Array(block.buffer);
const words = new Int32Array(16);
const encoder = new TextEncoder();

/** The first four bytes of the hash as a number, the first byte lowest; undefined for a text that is too long. */
export function md5Short(text: string): number | undefined {
  bytes.fill(0);
  const { read, written } = encoder.encodeInto(text, bytes);
  if (read < text.length || written > BYTES_MAX) return undefined;
  bytes[written] = 0x80;
  block.setInt32(56, written * 8, true);
  for (let at = 0; at < 16; at += 1) words[at] = block.getInt32(at * 4, true);
  return firstWord();
}

/** RFC 1321, as far as the first of its four words. */
function firstWord(): number {
  let [a, b, c, d] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < 64; at += 1) {
    let mixed: number;
    let from: number;
    if (at < 16) {
      mixed = (b & c) | (~b & d);
      from = at;
    } else if (at < 32) {
      mixed = (d & b) | (~d & c);
      from = (5 * at + 1) & 15;
    } else if (at < 48) {
      mixed = b ^ c ^ d;
      from = (3 * at + 5) & 15;
    } else {
      mixed = c ^ (b | ~d);
      from = (7 * at) & 15;
    }
    const sum = (a + mixed + (SINES[at] ?? 0) + (words[from] ?? 0)) | 0;
    const shift = SHIFTS[(at >> 4) * 4 + (at & 3)] ?? 0;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
  }
  return (a + 0x67452301) >>> 0;
}
