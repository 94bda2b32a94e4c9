/**
 * Content hashes, as lower-case hex. Node's take 20 ms to load (Deno 2.9.6) and are then 14 times faster a byte; those
 * of @noble/hashes are there at once. So what is hashed first is hashed by the one, and where it adds up by the other.
 */
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** MD5 and SHA-1 are for names that somebody else chose: anchors, and git's objects. */
export type HashName = "md5" | "sha1" | "sha256";

const AT_ONCE = { md5, sha1, sha256 };

/** From here on Node's hashes are worth their loading, in bytes of all calls together. */
const AT_ONCE_BYTES_MAX = 1_000_000;

/** What a call costs besides, in bytes of the same time. */
const CALL_BYTES = 200;

const encoder = new TextEncoder();
let hashedBytes = 0;

/** The hash of these pieces as one; a text counts as its UTF-8 bytes. */
export function hashHex(name: HashName, ...pieces: readonly (Uint8Array | string)[]): string {
  hashedBytes += CALL_BYTES + pieces.reduce((sum, { length }) => sum + length, 0);
  const hash = hashedBytes > AT_ONCE_BYTES_MAX
    ? globalThis.process.getBuiltinModule("node:crypto").createHash(name)
    : AT_ONCE[name].create();
  for (const piece of pieces) {
    hash.update(typeof piece === "string" ? encoder.encode(piece) : piece);
  }
  return new Uint8Array(hash.digest()).toHex();
}

/** SHA-256 of bytes, or of a text's UTF-8 bytes: 64 hex digits. */
export function sha256Hex(content: Uint8Array | string): string {
  return hashHex("sha256", content);
}

/** SHA-256 and size of a stream that need not fit in memory. Reads it to the end. */
export async function sha256Stream(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ hash: string; size: number }> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { hash: hash.digest("hex"), size };
}
