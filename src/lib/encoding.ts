/**
 * Text encodings: names, byte order marks, decoding and encoding. Decoding is `TextDecoder`'s; it has no counterpart for
 * anything but UTF-8, so the way back goes through tables made by decoding (see encoding_tables.ts).
 */
import { utf8Text } from "./bytes.ts";
import { legacyBytesOf } from "./encoding_tables.ts";

export type SingleByteEncoding = "windows-1252" | "windows-1251" | "koi8-r";

export type LegacyEncoding =
  | "euc-kr"
  | "shift_jis"
  | "euc-jp"
  | "gb18030"
  | "big5"
  | SingleByteEncoding;

export type EncodingName = "utf-8" | "utf-16le" | "utf-16be" | "iso-2022-jp" | LegacyEncoding;

/** Text that an encoding has no bytes for: where it starts (in UTF-16 units) and what it is. */
export type Unencodable = { ok: false; at: number; character: string };

export type Encoded = { ok: true; bytes: Uint8Array<ArrayBuffer> } | Unencodable;

const SPOKEN: Readonly<Record<EncodingName, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "iso-2022-jp": "ISO-2022-JP",
  "euc-kr": "EUC-KR (cp949)",
  "shift_jis": "Shift_JIS",
  "euc-jp": "EUC-JP",
  "gb18030": "GB18030",
  "big5": "Big5",
  "windows-1252": "Latin-1 (windows-1252)",
  "windows-1251": "windows-1251",
  "koi8-r": "KOI8-R",
};

/** Labels that editors and languages write and that `TextDecoder` does not know. */
const OTHER_LABELS: Readonly<Record<string, EncodingName>> = {
  cp949: "euc-kr",
  ms949: "euc-kr",
  uhc: "euc-kr",
  euckr: "euc-kr",
  cp932: "shift_jis",
  ms932: "shift_jis",
  eucjp: "euc-jp",
  cp936: "gb18030",
  gbk: "gb18030",
  gb2312: "gb18030",
  cp950: "big5",
  latin: "windows-1252",
  "latin-1": "windows-1252",
  "utf-8-bom": "utf-8",
};

const decoders = new Map<EncodingName, TextDecoder>();

/** An encoding's name as a person writes it. */
export function spokenName(encoding: EncodingName): string {
  return SPOKEN[encoding];
}

/** The encoding that a declaration names (`euc-kr`, `cp949`, `latin1`, …), if it is one of ours. */
export function encodingOf(label: string): EncodingName | undefined {
  const key = label.trim().toLowerCase().replaceAll("_", "-");
  const other = OTHER_LABELS[key];
  if (other !== undefined) return other;
  for (const spelling of [key, label.trim()]) {
    try {
      const { encoding } = new TextDecoder(spelling);
      const name = encoding === "gbk" ? "gb18030" : encoding;
      return isEncodingName(name) ? name : undefined;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

/** Whether a declaration names an encoding that keeps text otherwise than UTF-8 does, be it one of ours or not. */
export function isForeignLabel(label: string): boolean {
  if (/^(?:utf-?7|(?:us-?)?ascii)$/i.test(label)) return true;
  const ours = encodingOf(label);
  if (ours !== undefined) return !ours.startsWith("utf");
  try {
    return !new TextDecoder(label).encoding.startsWith("utf");
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The byte order mark that bytes start with. */
export function byteOrderMark(
  bytes: Uint8Array,
): { encoding: EncodingName; length: number } | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", length: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", length: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", length: 2 };
  return undefined;
}

/** The text of bytes; what does not decode becomes U+FFFD, a byte order mark stays. */
export function decode(bytes: Uint8Array, encoding: EncodingName): string {
  let decoder = decoders.get(encoding);
  if (decoder === undefined) {
    decoder = new TextDecoder(encoding, { ignoreBOM: true });
    decoders.set(encoding, decoder);
  }
  return decoder.decode(bytes);
}

/**
 * The text of a line's bytes, as when a line end follows them: a character that is cut short there decodes otherwise
 * than at the end of a file (GB18030 gives its digits back).
 */
export function decodeLine(bytes: Uint8Array, encoding: EncodingName): string {
  const newline = encode("\n", encoding);
  const end = newline.ok ? newline.bytes : new Uint8Array();
  const ended = new Uint8Array(bytes.length + end.length);
  ended.set(bytes);
  ended.set(end, bytes.length);
  return decode(ended, encoding).slice(0, -1);
}

/** Whether bytes are valid UTF-8 from the first to the last. */
export function isUtf8(bytes: Uint8Array): boolean {
  return utf8Text(bytes) !== undefined;
}

/** The bytes of a text, or the first character that the encoding has none for. Never replaces anything. */
export function encode(text: string, encoding: EncodingName): Encoded {
  const lone = loneSurrogate(text);
  if (lone >= 0) return { ok: false, at: lone, character: text.charAt(lone) };
  switch (encoding) {
    case "utf-8":
      return { ok: true, bytes: new TextEncoder().encode(text) };
    case "utf-16le":
    case "utf-16be":
      return { ok: true, bytes: utf16(text, encoding === "utf-16le") };
    case "iso-2022-jp":
      return encodeStateful(text);
    default:
      return encodeLegacy(text, encoding);
  }
}

function encodeLegacy(text: string, encoding: LegacyEncoding): Encoded {
  const out: number[] = [];
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(code);
    const bytes = code < 0x80 ? [code] : legacyBytesOf(code, encoding);
    if (bytes === undefined) return { ok: false, at, character };
    for (const byte of bytes) out.push(byte);
    at += character.length;
  }
  return { ok: true, bytes: Uint8Array.from(out) };
}

/** Between two marks a character is two bytes of ASCII's; each line ends as it began, outside of them. */
const INTO_JAPANESE = [0x1b, 0x24, 0x42];
const INTO_ASCII = [0x1b, 0x28, 0x42];

function encodeStateful(text: string): Encoded {
  const out: number[] = [];
  let at = 0;
  let isJapanese = false;
  for (const character of text) {
    const bytes = statefulBytesOf(character);
    if (bytes === undefined) return { ok: false, at, character };
    if (isJapanese !== bytes.length > 1) out.push(...(isJapanese ? INTO_ASCII : INTO_JAPANESE));
    isJapanese = bytes.length > 1;
    out.push(...bytes);
    at += character.length;
  }
  if (isJapanese) out.push(...INTO_ASCII);
  return { ok: true, bytes: Uint8Array.from(out) };
}

function statefulBytesOf(character: string): readonly number[] | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return /[\x0e\x0f\x1b]/.test(character) ? undefined : [code];
  // The pairs of EUC-JP are these, with their high bits set; what has its own introducer there is not among them.
  const [lead = 0, trail] = legacyBytesOf(code, "euc-jp") ?? [];
  return lead < 0xa1 || trail === undefined ? undefined : [lead & 0x7f, trail & 0x7f];
}

function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
}

/** Index of the first half of a surrogate pair that stands alone, or -1. */
function loneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    else if (code >= 0xd800 && code <= 0xdfff) return at;
  }
  return -1;
}

function isEncodingName(name: string): name is EncodingName {
  return name in SPOKEN;
}
