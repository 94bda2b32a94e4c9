/** Text files for property tests: every encoding, mixed line endings, bytes that do not decode. */
import { fc } from "./property.ts";
import { encode, type EncodingName } from "@/lib/encoding.ts";
import { parseTextAs, type TextFile } from "@/workspace/text_file.ts";

/** One after the other, letters of ISO-2022-JP are no text: each line of it is encoded whole. */
type Stateless = Exclude<EncodingName, "iso-2022-jp">;

/** Letters that each encoding has, ASCII that is a trail byte in some among them. */
const LETTERS: Readonly<Record<Stateless, string>> = {
  "utf-8": "abz\\|~ \t가é中😀\u00a0",
  "utf-16le": "abz\\|~ \t가é中😀\u0a0d\u0d0a",
  "utf-16be": "abz\\|~ \t가é中😀\u0a0d\u0d0a",
  "euc-kr": "abz\\|~ \t가격똠방각하中",
  "shift_jis": "abz\\|~ \t日本表ソ能ｱﾝ①ポ",
  "euc-jp": "abz\\|~ \t日本表ソ能ｱ",
  "gb18030": "abz\\|~ \t中文é€😀丂",
  "big5": "abz\\|~ \t中文功許蓋",
  "windows-1252": "abz\\|~ \té ß\u2019€",
  "windows-1251": "abz\\|~ \tПривет№",
  "koi8-r": "abz\\|~ \tПривет",
};

const encodings = fc.constantFrom<Stateless>(
  "utf-8",
  "utf-16le",
  "utf-16be",
  "euc-kr",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "windows-1252",
  "windows-1251",
  "koi8-r",
);

const MARKS: Readonly<Partial<Record<EncodingName, readonly number[]>>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
};

/** A line of a file to be: letters, or raw bytes that need not decode. */
const lineParts = (encoding: Stateless) =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(...LETTERS[encoding]).map((text) => bytesIn(text, encoding)),
      },
      { weight: 1, arbitrary: junk(encoding) },
    ),
    { maxLength: 8 },
  ).map((parts) => parts.flat());

/** Bytes without line ends; in UTF-16 whole units, lone surrogates among them. */
function junk(encoding: EncodingName): fc.Arbitrary<number[]> {
  const isWide = encoding.startsWith("utf-16");
  if (!isWide) return fc.integer({ min: 0x80, max: 0xff }).map((byte) => [byte]);
  return fc.constantFrom("\ud800", "\udc00").map((text) => bytesIn(text, encoding));
}

function bytesIn(text: string, encoding: EncodingName): number[] {
  if (/^[\ud800-\udfff]$/.test(text)) {
    const code = text.charCodeAt(0);
    return encoding === "utf-16le" ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff];
  }
  const encoded = encode(text, encoding);
  if (!encoded.ok) throw new Error(`"${text}" has no bytes in ${encoding}`);
  return [...encoded.bytes];
}

export type ArbitraryFile = { file: TextFile; letters: string };

/** A file, and the letters that can be written into it. */
export const arbitraryFile: fc.Arbitrary<ArbitraryFile> = encodings.chain((encoding) =>
  fc.record({
    lines: fc.array(
      fc.record({ bytes: lineParts(encoding), ending: fc.constantFrom("\n", "\r\n", "\r") }),
      { minLength: 1, maxLength: 8 },
    ),
    isEnded: fc.boolean(),
    isMarked: fc.boolean(),
  }).map(({ lines, isEnded, isMarked }) => {
    const mark = encoding.startsWith("utf-16") || isMarked ? MARKS[encoding] ?? [] : [];
    const body = lines.flatMap(({ bytes, ending }, index) =>
      index < lines.length - 1 || isEnded ? [...bytes, ...bytesIn(ending, encoding)] : bytes
    );
    const bytes = Uint8Array.from([...mark, ...body]);
    const file = parseTextAs(bytes, { encoding, markBytes: mark.length, sure: true });
    return { file, letters: LETTERS[encoding] };
  })
);
