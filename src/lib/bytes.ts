/** Bytes as a whole: one after another, and as text. */

/** All of them in one array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The text of UTF-8 bytes, without a byte order mark; undefined where they are none. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Whether bytes are ASCII from the first to the last. */
export function isAscii(bytes: Uint8Array): boolean {
  return utf8Text(bytes)?.length === bytes.length;
}
