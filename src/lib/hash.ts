/** Content hashes, as lower-case hex. */
import { createHash } from "node:crypto";

/** SHA-256 of bytes, or of a text's UTF-8 bytes: 64 hex digits. */
export function sha256Hex(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 and size of a stream that need not fit in memory. Reads it to the end. */
export async function sha256Stream(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ hash: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { hash: hash.digest("hex"), size };
}

/** Hex digits that nobody can predict: two a byte. */
export function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
