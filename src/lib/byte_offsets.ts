/** Which bytes stand behind which characters of a decoded line: what lets an edit leave the other bytes alone. */
import type { EncodingName } from "./encoding.ts";

const REPLACEMENT = 0xfffd;

type Step = { bytes: number; units: number };

/**
 * For each UTF-16 unit of `text`, the offset of the byte where its character starts (-1 for the later units of a
 * character), and at the end the length of `bytes`. Undefined when the walk does not end where the decoder did,
 * which only malformed bytes bring about, and where bytes mean what the ones before them say.
 */
export function byteOffsets(
  bytes: Uint8Array,
  text: string,
  encoding: EncodingName,
): Int32Array | undefined {
  if (encoding === "iso-2022-jp") return undefined;
  const offsets = new Int32Array(text.length + 1).fill(-1);
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  let byte = 0;
  let unit = 0;
  while (byte < bytes.length && unit < text.length) {
    offsets[unit] = byte;
    // ASCII is itself where a character begins, in all but the encodings of two bytes.
    if (!isWide && (bytes[byte] ?? 0) < 0x80 && text.charCodeAt(unit) === bytes[byte]) {
      byte += 1;
      unit += 1;
      continue;
    }
    const step = stepAt(bytes.subarray(byte, byte + 4), text.codePointAt(unit) ?? 0, encoding);
    byte += step.bytes;
    unit += step.units;
  }
  if (byte !== bytes.length || unit !== text.length) return undefined;
  offsets[unit] = byte;
  return offsets;
}

/** How many bytes and units the character takes that starts with these bytes. */
function stepAt(
  bytes: Uint8Array,
  code: number,
  encoding: Exclude<EncodingName, "iso-2022-jp">,
): Step {
  const units = code > 0xffff ? 2 : 1;
  switch (encoding) {
    case "utf-8":
      return { bytes: utf8Length(bytes, code), units };
    case "utf-16le":
    case "utf-16be":
      return { bytes: Math.min(units * 2, bytes.length), units };
    case "windows-1252":
    case "windows-1251":
    case "koi8-r":
      return { bytes: 1, units };
    case "big5":
      return { bytes: pairLength(bytes, code), units: isBig5Couple(bytes) ? 2 : units };
    case "euc-kr":
      return { bytes: pairLength(bytes, code), units };
    case "shift_jis":
      return { bytes: isShiftJisLead(bytes[0] ?? 0) ? pairLength(bytes, code) : 1, units };
    case "euc-jp":
      return { bytes: eucJpLength(bytes, code), units };
    case "gb18030":
      return { bytes: isFourBytes(bytes) ? 4 : pairLength(bytes, code), units };
    default:
      return encoding satisfies never;
  }
}

function utf8Length(bytes: Uint8Array, code: number): number {
  if (code === REPLACEMENT && !(bytes[0] === 0xef && bytes[1] === 0xbf && bytes[2] === 0xbd)) {
    return malformedUtf8Length(bytes);
  }
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** A decoder puts one U+FFFD for the longest start of a character that was cut short. */
function malformedUtf8Length(bytes: Uint8Array): number {
  const lead = bytes[0] ?? 0;
  const wanted = lead >= 0xf0 && lead <= 0xf4 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : 1;
  if (lead < 0xc2 || lead > 0xf4) return 1;
  let length = 1;
  while (length <= wanted && isContinuation(bytes[length], length === 1 ? lead : 0)) length += 1;
  return length;
}

function isContinuation(byte: number | undefined, lead: number): boolean {
  if (byte === undefined) return false;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= lowest && byte <= highest;
}

/** Two bytes, unless the second is missing or is ASCII that the decoder gave back. */
function pairLength([lead = 0, trail]: Uint8Array, code: number): number {
  if (lead <= 0x80 || lead === 0xff || trail === undefined) return 1;
  return code === REPLACEMENT && trail < 0x80 ? 1 : 2;
}

function isShiftJisLead(byte: number): boolean {
  return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
}

/** 8F introduces the supplementary set, in three bytes; other bytes below A1 but 8E stand alone. */
function eucJpLength(bytes: Uint8Array, code: number): number {
  const [lead = 0, second = 0, third] = bytes;
  if (lead === 0x8f && second >= 0xa1 && second <= 0xfe) {
    if (third === undefined) return 2;
    return code === REPLACEMENT && third < 0x80 ? 2 : 3;
  }
  return lead === 0x8e || lead === 0x8f || lead >= 0xa1 ? pairLength(bytes, code) : 1;
}

function isFourBytes([lead = 0, second = 0, third = 0, fourth = 0]: Uint8Array): boolean {
  const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
  const isHigh = (byte: number) => byte >= 0x81 && byte <= 0xfe;
  return isHigh(lead) && isDigit(second) && isHigh(third) && isDigit(fourth);
}

/** Four sequences of the Hong Kong supplement decode to a letter and a combining mark. */
function isBig5Couple([lead, trail]: Uint8Array): boolean {
  return lead === 0x88 && (trail === 0x62 || trail === 0x64 || trail === 0xa3 || trail === 0xa5);
}
