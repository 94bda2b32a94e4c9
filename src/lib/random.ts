/** Names that nobody can guess. */

/** Hex digits that nobody can predict: two a byte. */
export function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
