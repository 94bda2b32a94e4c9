/** The checksum of POSIX `cksum`, which every system has: a CRC of the bytes and of how many they are. */

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc;
});

/** What `cksum` prints of these bytes on its standard input: "CRC SIZE". */
export function cksum(...pieces: readonly Uint8Array[]): string {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  let crc = 0;
  for (const piece of pieces) for (const byte of piece) crc = next(crc, byte);
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) crc = next(crc, rest % 256);
  return `${~crc >>> 0} ${size}`;
}

function next(crc: number, byte: number): number {
  return (crc << 8) ^ (TABLE[(crc >>> 24) ^ byte] ?? 0);
}
