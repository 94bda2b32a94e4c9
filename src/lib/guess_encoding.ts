/**
 * Which encoding a text file is in: byte order mark, strict UTF-8, what the file declares, and then which legacy
 * encoding makes the likeliest text of its bytes. A guess that another encoding could match is not sure.
 */
import { utf8Text } from "./bytes.ts";
import {
  byteOrderMark,
  decode,
  type EncodingName,
  encodingOf,
  isForeignLabel,
} from "./encoding.ts";
import { FREQUENT } from "./frequent_characters.ts";
import { once } from "./once.ts";

/**
 * `sure: false`: good enough to read, not to write text that is not ASCII. `says`: the file names its encoding itself, and
 * it is none that can be written.
 */
export type EncodingGuess = {
  encoding: EncodingName;
  markBytes: number;
  sure: boolean;
  says?: string;
};

/** Bytes of lines with non-ASCII that are looked at; more does not change the answer. */
const SAMPLE_BYTES_MAX = 32_768;
/** How much likelier the best reading must be than the next. Two letters of a common word usually are. */
const ODDS_MIN = Math.log(30);
const COMMON_SHARE_MIN = 0.4;
const INVALID_SHARE_MAX = 0.1;
const INVALID = Math.log(1e-9);

type Language = {
  encoding: EncodingName;
  rank: ReadonlyMap<string, number>;
  /** Letters of the script that are not among the frequent ones, and how likely one is. */
  script: RegExp;
  scriptLog: number;
  /** How likely a character outside ASCII is after another one, after an ASCII letter, and after other ASCII. */
  again: number;
  inWord: number;
  begin: number;
  /** How likely the ASCII after it is a letter. */
  intoWord: number;
  /** How common files of this kind are beside the others. */
  prior?: number;
  /** Not told apart well enough to write in it unless the file declares it. */
  isNeverSure?: true;
};

const SYMBOLS =
  /[\u00a0\u2010-\u203b\u2190-\u21ff\u2460-\u257f\u25a0-\u26ff\u3000-\u301f\uff00-\uff60]/;
const SYMBOL_LOG = Math.log(1e-4);
const LOWER_LOG = Math.log(1 / 40);
const ASCII_LOG = Math.log(1 / 150);
const FOREIGN_LOG = Math.log(1e-7);

const EAST = { again: 0.85, inWord: 0.01, begin: 0.1, intoWord: 0.2 } as const;
// KOI8-R and windows-1251 read each other's capitals as small letters.
const CYRILLIC = {
  again: 0.85,
  inWord: 0.005,
  begin: 0.1,
  intoWord: 0.02,
  prior: 0.2,
  isNeverSure: true,
} as const;
const LATIN = { again: 0.03, inWord: 0.05, begin: 0.03, intoWord: 0.8 } as const;

const languages = once((): readonly Language[] => [
  { encoding: "euc-kr", ...words(FREQUENT.korean, /[가-힣]/, 2e-5), ...EAST },
  { encoding: "shift_jis", ...words(FREQUENT.japanese, /[ぁ-ヶ一-龥]/, 4e-5), ...EAST },
  { encoding: "euc-jp", ...words(FREQUENT.japanese, /[ぁ-ヶ一-龥]/, 4e-5), ...EAST, prior: 0.2 },
  { encoding: "gb18030", ...words(FREQUENT.simplifiedChinese, /[一-龥]/, 3e-5), ...EAST },
  { encoding: "big5", ...words(FREQUENT.traditionalChinese, /[一-龥]/, 3e-5), ...EAST },
  { encoding: "windows-1252", ...words(FREQUENT.westEuropean, /[\u00a1-\u00ff]/, 5e-4), ...LATIN },
  { encoding: "windows-1251", ...words(FREQUENT.russian, /[\u0401-\u0491]/, 2e-4), ...CYRILLIC },
  {
    encoding: "koi8-r",
    ...words(FREQUENT.russian, /[\u0401-\u0491]/, 2e-4),
    ...CYRILLIC,
    prior: 0.2,
  },
]);

/** The encoding of a file's bytes (or of its first part). */
export function guessEncoding(bytes: Uint8Array): EncodingGuess {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { encoding: mark.encoding, markBytes: mark.length, sure: true };
  const text = utf8Text(bytes);
  if (text?.length === bytes.length) return guessAscii(bytes);
  if (text !== undefined || isDamagedUtf8(bytes)) return certain("utf-8");
  const declared = declaredEncoding(bytes);
  if (declared !== undefined) return certain(declared);
  return likeliest(sampleOf(bytes));
}

function certain(encoding: EncodingName): EncodingGuess {
  return { encoding, markBytes: 0, sure: true };
}

/** Where ASCII alone says in which encoding the rest is to be; anywhere else it may be about something else. */
const DECLARATIONS = [
  /^(?:.*\n)?[ \t\f]*#.*?coding[:=][ \t]*([\w.-]+)/,
  /^(?:.*\n)?.*-\*-.*\bcoding:[ \t]*([\w.-]+).*-\*-/,
  /\bvim?:.*\b(?:fenc|fileencoding|encoding)=([\w.-]+)/,
  /^\s*<\?xml\b[^>]*\bencoding=["']([\w.-]+)/,
  /^\s*<(?:!doctype html|html)\b[^]*?<meta\b[^>]*\bcharset=["']?([\w.-]+)/i,
  /^@charset "([\w.-]+)";/i,
];

/** Encodings that keep everything in seven bits have marks in the place of high bytes: ESC $ begins one of theirs. */
const SHIFT = /\x1b\$([@B])?/;

/** All the bytes are ASCII, but what they mean, and what may be added to them, need not be. */
export function guessAscii(bytes: Uint8Array): EncodingGuess {
  const shift = bytes.includes(0x1b) ? SHIFT.exec(decode(bytes, "utf-8")) : null;
  if (shift !== null) {
    const isKnown = shift[1] !== undefined && !decode(bytes, "iso-2022-jp").includes("\ufffd");
    if (isKnown) return certain("iso-2022-jp");
    return { ...certain("utf-8"), sure: false, says: "ISO-2022" };
  }
  const head = decode(bytes.subarray(0, 1024), "utf-8");
  const says = DECLARATIONS.map((each) => each.exec(head)?.[1]).find((label) =>
    label !== undefined
  );
  if (says === undefined || !isForeignLabel(says)) return certain("utf-8");
  const encoding = /ascii/i.test(says) ? undefined : encodingOf(says);
  return encoding === undefined ? { ...certain("utf-8"), sure: false, says } : certain(encoding);
}

/** UTF-8 with a few bytes that are not. Legacy text has some valid sequences by chance, but of rare letters. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = decode(bytes, "utf-8");
  const invalid = text.split("\ufffd").length - 1;
  const valid = text.match(/[\u0080-\ufffc\uffff]/g)?.length ?? 0;
  const plausible = text.match(/[\u00c0-\u00ff\u2010-\u203b가-힣ぁ-ヶ一-龥]/g)?.length ?? 0;
  return plausible >= invalid * 2 || valid >= invalid * 20;
}

/** What a coding line, a charset or an XML declaration near the top says, if the bytes bear it out. */
function declaredEncoding(bytes: Uint8Array): EncodingName | undefined {
  const head = decode(bytes.subarray(0, 1024), "windows-1252");
  const label = /\b(?:file)?(?:en)?(?:coding|charset)\s*[:=]\s*["']?([\w.-]+)/i.exec(head)?.[1];
  const encoding = label === undefined ? undefined : encodingOf(label);
  if (encoding === undefined || encoding.startsWith("utf")) return undefined;
  const text = decode(bytes, encoding);
  const invalid = text.split("\ufffd").length - 1;
  // deno-lint-ignore no-control-regex -- Counting what is not ASCII.
  const foreign = text.match(/[^\u0000-\u007f]/g)?.length ?? 0;
  return invalid * 10 <= foreign ? encoding : undefined;
}

/** Lines that are not all ASCII, up to a limit. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let start = 0;
  while (start < bytes.length && kept.length < SAMPLE_BYTES_MAX) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES_MAX));
    if (line.some((byte) => byte >= 0x80)) kept.push(...line);
    start = end;
  }
  return Uint8Array.from(kept);
}

type Reading = {
  language: Language;
  text: string;
  log: number;
  commonShare: number;
  invalidShare: number;
};

function likeliest(sample: Uint8Array): EncodingGuess {
  const readings = languages().map((language) => readingOf(sample, language))
    .sort((a, b) => b.log - a.log);
  const [best, ...others] = readings;
  // Nothing makes text of it: U+FFFD shows that better than letters that are none.
  if (best === undefined || best.invalidShare > INVALID_SHARE_MAX) {
    return { encoding: "utf-8", markBytes: 0, sure: false };
  }
  const next = others.find(({ text }) => text !== best.text);
  const { encoding, isNeverSure } = best.language;
  const isText = best.commonShare >= COMMON_SHARE_MIN;
  const isAhead = next === undefined || best.log - next.log >= ODDS_MIN;
  return { encoding, markBytes: 0, sure: isAhead && isText && isNeverSure !== true };
}

/** How likely the bytes are if they are this language in this encoding: which characters, and how they follow. */
function readingOf(sample: Uint8Array, language: Language): Reading {
  const text = decode(sample, language.encoding);
  let log = Math.log(language.prior ?? 1);
  let foreign = 0;
  let common = 0;
  let before: Kind = "other";
  for (const character of text) {
    const now = kindOf(character);
    // ASCII after ASCII says nothing: else the longer the English in a file, the likelier the rarer script.
    if (now === "foreign") log += Math.log(chanceAfter(before, language));
    else if (before === "foreign") log += Math.log(leavingChance(now, language));
    log += characterLog(character, language);
    if (now === "foreign") foreign += 1;
    if (language.rank.has(character) || SYMBOLS.test(character)) common += 1;
    before = now;
  }
  const invalid = text.split("\ufffd").length - 1;
  const all = Math.max(1, foreign);
  return { language, text, log, commonShare: common / all, invalidShare: invalid / all };
}

type Kind = "foreign" | "letter" | "other";

function kindOf(character: string): Kind {
  if (character >= "\u0080") return "foreign";
  return /[A-Za-z]/.test(character) ? "letter" : "other";
}

function chanceAfter(before: Kind, { again, inWord, begin }: Language): number {
  return before === "foreign" ? again : before === "letter" ? inWord : begin;
}

function leavingChance(now: Kind, { again, intoWord }: Language): number {
  return (1 - again) * (now === "letter" ? intoWord : 1 - intoWord);
}

function characterLog(character: string, language: Language): number {
  if (character < "\u0080") return character >= "a" && character <= "z" ? LOWER_LOG : ASCII_LOG;
  const rank = language.rank.get(character);
  if (rank !== undefined) return Math.log(0.25 / (rank + 15));
  if (character === "\ufffd" || (character >= "\u0080" && character <= "\u009f")) return INVALID;
  if (SYMBOLS.test(character)) return SYMBOL_LOG;
  return language.script.test(character) ? language.scriptLog : FOREIGN_LOG;
}

function words(
  frequent: string,
  script: RegExp,
  share: number,
): Pick<Language, "rank" | "script" | "scriptLog"> {
  const rank = new Map([...frequent].map((character, index) => [character, index]));
  return { rank, script, scriptLog: Math.log(share) };
}
