/** Write all of the bytes to a connection or file: one `write` may take only some of them. */
export async function writeWhole(
  to: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}
