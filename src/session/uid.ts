/** A session's uid: fixed at creation, sorts by time (UUID version 7, RFC 9562). */
export function newUid(now: Date, random: Uint8Array = randomBytes()): string {
  const bytes = random.slice(0, 16);
  const view = new DataView(bytes.buffer);
  const ms = now.getTime();
  view.setUint32(0, Math.floor(ms / 2 ** 16));
  view.setUint16(4, ms % 2 ** 16);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = bytes.toHex();
  return [0, 8, 12, 16, 20].map((from, part) => hex.slice(from, [8, 12, 16, 20, 32][part]))
    .join("-");
}

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(16));
}
