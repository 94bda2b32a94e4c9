/** What a file that is no text is, by its first bytes. */
import { byteOrderMark } from "./encoding.ts";

type Magic = { name: string; bytes: string; at?: number };

/** Written as Latin-1: one character a byte. */
const MAGICS: readonly Magic[] = [
  { name: "PNG image", bytes: "\x89PNG\r\n\x1a\n" },
  { name: "JPEG image", bytes: "\xff\xd8\xff" },
  { name: "GIF image", bytes: "GIF87a" },
  { name: "GIF image", bytes: "GIF89a" },
  { name: "WebP image", bytes: "WEBP", at: 8 },
  { name: "TIFF image", bytes: "II*\0" },
  { name: "TIFF image", bytes: "MM\0*" },
  { name: "Windows icon", bytes: "\0\0\x01\0" },
  { name: "Photoshop image", bytes: "8BPS" },
  { name: "PDF document", bytes: "%PDF-" },
  {
    name: "ZIP archive (or a format made of one: docx, xlsx, jar, apk, epub)",
    bytes: "PK\x03\x04",
  },
  { name: "empty ZIP archive", bytes: "PK\x05\x06" },
  { name: "gzip data", bytes: "\x1f\x8b" },
  { name: "bzip2 data", bytes: "BZh" },
  { name: "xz data", bytes: "\xfd7zXZ\0" },
  { name: "Zstandard data", bytes: "\x28\xb5\x2f\xfd" },
  { name: "7-Zip archive", bytes: "7z\xbc\xaf\x27\x1c" },
  { name: "RAR archive", bytes: "Rar!\x1a\x07" },
  { name: "tar archive", bytes: "ustar", at: 257 },
  { name: "ELF program or library", bytes: "\x7fELF" },
  { name: "Windows program or library", bytes: "MZ" },
  { name: "Mach-O program or library", bytes: "\xcf\xfa\xed\xfe" },
  { name: "Mach-O program or Java class", bytes: "\xca\xfe\xba\xbe" },
  { name: "WebAssembly module", bytes: "\0asm" },
  { name: "SQLite database", bytes: "SQLite format 3\0" },
  { name: "WAVE sound", bytes: "WAVE", at: 8 },
  { name: "AVI video", bytes: "AVI ", at: 8 },
  { name: "Ogg media", bytes: "OggS" },
  { name: "FLAC sound", bytes: "fLaC" },
  { name: "MP3 sound", bytes: "ID3" },
  { name: "MP4 or QuickTime media", bytes: "ftyp", at: 4 },
  { name: "Matroska or WebM video", bytes: "\x1a\x45\xdf\xa3" },
  { name: "WOFF2 font", bytes: "wOF2" },
  { name: "WOFF font", bytes: "wOFF" },
  { name: "TrueType font", bytes: "\0\x01\0\0\0" },
  { name: "OpenType font", bytes: "OTTO" },
  { name: "old Microsoft Office document", bytes: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
  { name: "UTF-32 text (little-endian)", bytes: "\xff\xfe\0\0" },
  { name: "UTF-32 text (big-endian)", bytes: "\0\0\xfe\xff" },
];

/** Looked at for NUL bytes; also what git and grep go by. */
const HEAD_BYTES_MAX = 8_192;
const CONTROL_SHARE_MAX = 0.1;

/** What kind of binary file this is, or undefined for text. */
export function binaryKind(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES_MAX);
  const magic = MAGICS.find((each) => startsWith(head, each));
  // A text file may begin with "MZ" or "ID3"; what holds no control bytes and no high bytes is text.
  const mayBeProse = magic !== undefined && isShortAscii(magic);
  if (magic !== undefined && !(mayBeProse && !head.some(isTextless))) return magic.name;
  if (byteOrderMark(bytes) !== undefined) return undefined;
  if (bytes.includes(0)) return utf16Guess(head) ?? "data with NUL bytes";
  const controls = head.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0);
  return controls > head.length * CONTROL_SHARE_MAX ? "data with control bytes" : undefined;
}

function startsWith(head: Uint8Array, { bytes, at = 0 }: Magic): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (head[at + index] !== bytes.charCodeAt(index)) return false;
  }
  return true;
}

function isShortAscii({ name, bytes }: Magic): boolean {
  return name !== "PDF document" && /^[\x20-\x7e]+$/.test(bytes);
}

function isTextless(byte: number): boolean {
  return isControl(byte) || byte >= 0x80;
}

/** Tab, line feed, form feed, carriage return, escape and backspace occur in text. */
function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
}

/** ASCII in two-byte units has a NUL in every other place. */
function utf16Guess(head: Uint8Array): string | undefined {
  const nuls = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nuls;
  const units = Math.floor(head.length / 2);
  if (units > 3 && odd > units * 0.7 && even === 0) {
    return "probably UTF-16 LE text without a byte order mark";
  }
  if (units > 3 && even > units * 0.7 && odd === 0) {
    return "probably UTF-16 BE text without a byte order mark";
  }
  return undefined;
}
