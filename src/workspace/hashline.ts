/** The row of a listing: line number, fingerprint, line. And the way back: rows read from what a model wrote. */
import { startOf } from "@/lib/clip.ts";
import { hashHex } from "@/lib/hash.ts";
import { md5Short } from "@/lib/md5_short.ts";

/** A line of a file as a row shows it. */
export type Row = { line: number; text: string };

/** What stands before the `|` of a row that a model wrote; `hash` in lower case. */
export type Anchor = { line: number; hash: string };

const ROW = /^[ \t]*(\d{1,9})[ \t]*:[ \t]*([0-9a-fA-F]{2,3})[ \t]*\|(.*)$/s;
const PREFIX = /^(\d{1,9}):([0-9a-f]{2,3})\|/;
const PREFIX_SHARE_MIN = 0.8;

/** First three hex digits of the MD5 of a line's UTF-8 bytes; the line comes without its terminator. */
export function fingerprint(line: string): string {
  const first = md5Short(line);
  if (first === undefined) return hashHex("md5", line).slice(0, 3);
  // Two digits of the first byte, one of the second.
  return (((first & 0xff) << 4) | ((first >> 12) & 0xf)).toString(16).padStart(3, "0");
}

/** `12:a41|import sys` */
export function row({ line, text }: Row): string {
  return `${line}:${fingerprint(text)}|${text}`;
}

/**
 * A row of a line too long to be shown. It carries no fingerprint, so that nobody replaces the whole line by what
 * little was seen of it.
 */
export function cutRow({ line, text }: Row, options: { charsMax: number; of: string }): string {
  return `${line}:…|${startOf(text, options.charsMax)} … (cut: the line has ${options.of})`;
}

/** A row, cut if the line is longer than the bound. */
export function boundedRow(shown: Row, charsMax: number): string {
  if (shown.text.length <= charsMax) return row(shown);
  return cutRow(shown, { charsMax, of: `${shown.text.length} characters` });
}

/** Lines as a listing, from line number `first` on. */
export function listing(texts: readonly string[], first = 1): string {
  return texts.map((text, index) => row({ line: first + index, text })).join("\n");
}

/** A row as a model hands it back: anchor and the text after the `|`. */
export function parseRow(written: string): (Anchor & { text: string }) | undefined {
  const [, line, hash, text] = ROW.exec(written) ?? [];
  if (line === undefined || hash === undefined || text === undefined) return undefined;
  return { line: Number(line), hash: hash.toLowerCase(), text };
}

/**
 * A body without the listing prefixes that a model copied into it: only when at least four of five non-blank rows
 * carry one and they can be a listing's. `isKnown` says whether an anchor is one of the file's own.
 */
export function stripPrefixes(
  body: string,
  isKnown: (anchor: Anchor) => boolean = () => false,
): string {
  const lines = body.split("\n");
  const rows = lines.flatMap((line) => {
    const [prefix, number, hash] = PREFIX.exec(line) ?? [];
    if (prefix === undefined || number === undefined || hash === undefined) return [];
    return [{ line: Number(number), hash, text: line.slice(prefix.length) }];
  });
  const filled = lines.filter((line) => line.trim() !== "").length;
  if (rows.length === 0 || rows.length < filled * PREFIX_SHARE_MIN) return body;
  const isProven = rows.some((each) => isKnown(each) || fingerprint(each.text) === each.hash);
  if (!isProven && !looksListed(rows)) return body;
  return lines.map((line) => line.replace(PREFIX, "")).join("\n");
}

/**
 * Whether rows whose fingerprints prove nothing can come from a listing: line numbers rise, and three rows or more
 * have a letter among their digits (one of seven has none). `8:00|open` and `1:100|scale` are content.
 */
export function looksListed(rows: readonly Anchor[]): boolean {
  const isRising = rows.every(({ line }, index) =>
    index === 0 || line > (rows[index - 1]?.line ?? 0)
  );
  const hasLetter = rows.some(({ hash }) => /[a-f]/.test(hash));
  const isClock = rows.every(({ line, hash }) => line < 25 && /^[0-5]\d$/.test(hash));
  return isRising && !isClock && (hasLetter || rows.length < 3);
}
