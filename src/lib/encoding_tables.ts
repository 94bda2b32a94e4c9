/**
 * From characters to bytes of the legacy encodings: the decoder's own table, turned round. Where two byte pairs
 * decode to one character the Encoding Standard's rule says which is written. Built on first use, 3-20 ms each.
 */
import type { LegacyEncoding, SingleByteEncoding } from "./encoding.ts";

type Table = ReadonlyMap<number, readonly number[]>;

/** What of the double-byte space of an encoding is decoded, and which duplicates count. */
type Shape = {
  leads: readonly [number, number];
  trails: readonly [number, number];
  /** Lead bytes that are only ever read. */
  readOnlyLeads?: (lead: number) => boolean;
  /** Characters of which the last pair is written and not the first. */
  lastOf?: string;
  /** Sequences besides the double-byte ones. */
  others?: readonly (readonly number[])[];
};

const SHAPES: Readonly<Record<Exclude<LegacyEncoding, SingleByteEncoding>, Shape>> = {
  "euc-kr": { leads: [0x81, 0xfe], trails: [0x41, 0xfe] },
  // NEC's copy of the IBM extensions (leads ED, EE) is not written.
  "shift_jis": {
    leads: [0x81, 0xfc],
    trails: [0x40, 0xfc],
    readOnlyLeads: (lead) => lead === 0xed || lead === 0xee || (lead >= 0xa0 && lead <= 0xdf),
    others: range(0xa1, 0xdf).map((byte) => [byte]),
  },
  "euc-jp": {
    leads: [0xa1, 0xfe],
    trails: [0xa1, 0xfe],
    others: range(0xa1, 0xdf).map((byte) => [0x8e, byte]),
  },
  "gb18030": { leads: [0x81, 0xfe], trails: [0x40, 0xfe] },
  // The Hong Kong supplement below A1 is not written.
  "big5": {
    leads: [0x81, 0xfe],
    trails: [0x40, 0xfe],
    readOnlyLeads: (lead) => lead < 0xa1,
    lastOf: "═╞╡╪十卅",
  },
};

const tables = new Map<string, Table>();

/** The bytes of a character outside ASCII, or undefined if the encoding has none. */
export function legacyBytesOf(
  code: number,
  encoding: LegacyEncoding,
): readonly number[] | undefined {
  const bytes = tableOf(encoding).get(code);
  if (bytes !== undefined || encoding !== "gb18030") return bytes;
  return code > 0xffff ? supplementary(code) : fourByteTable().get(code);
}

function tableOf(encoding: LegacyEncoding): Table {
  return remembered(encoding, () => {
    switch (encoding) {
      case "windows-1252":
      case "windows-1251":
      case "koi8-r":
        return singleByteTable(encoding);
      default:
        return doubleByteTable(encoding, SHAPES[encoding]);
    }
  });
}

function singleByteTable(encoding: string): Table {
  const decoded = decodedSequences(range(0x80, 0xff).map((byte) => [byte]), encoding);
  // The holes of the Windows code pages decode to C1 controls, which are no text.
  return tableFrom(decoded.filter(({ code }) => code > 0x9f));
}

function doubleByteTable(encoding: string, shape: Shape): Table {
  const pairs = range(...shape.leads)
    .filter((lead) => shape.readOnlyLeads?.(lead) !== true)
    .flatMap((lead) => range(...shape.trails).map((trail) => [lead, trail]));
  const decoded = decodedSequences([...(shape.others ?? []), ...pairs], encoding);
  return tableFrom(decoded, shape.lastOf ?? "");
}

/** GB18030 reaches the rest of the basic plane with four bytes, in code point order. */
function fourByteTable(): Table {
  return remembered("gb18030 four bytes", () => {
    const sequences = range(0, 39_419).map((pointer) => fourBytes(pointer));
    return tableFrom(decodedSequences(sequences, "gb18030"));
  });
}

function supplementary(code: number): readonly number[] {
  return fourBytes(189_000 + code - 0x10000);
}

function fourBytes(pointer: number): readonly number[] {
  return [
    0x81 + Math.floor(pointer / 12_600),
    0x30 + Math.floor(pointer / 1_260) % 10,
    0x81 + Math.floor(pointer / 10) % 126,
    0x30 + pointer % 10,
  ];
}

type Decoded = { code: number; bytes: readonly number[] };

/** Sequences that decode to exactly one character. One decode for all: a newline between them ends any sequence. */
function decodedSequences(sequences: readonly (readonly number[])[], encoding: string): Decoded[] {
  const bytes: number[] = [];
  for (const sequence of sequences) {
    for (const byte of sequence) bytes.push(byte);
    bytes.push(0x0a);
  }
  const texts = new TextDecoder(encoding).decode(Uint8Array.from(bytes)).split("\n");
  const decoded: Decoded[] = [];
  sequences.forEach((sequence, index) => {
    const text = texts[index] ?? "";
    const code = text.codePointAt(0);
    if (code === undefined || code < 0x80 || code === 0xfffd) return;
    if (text.length === String.fromCodePoint(code).length) decoded.push({ code, bytes: sequence });
  });
  return decoded;
}

function tableFrom(decoded: readonly Decoded[], lastOf = ""): Table {
  const lasts = new Set([...lastOf].map((character) => character.codePointAt(0)));
  const table = new Map<number, readonly number[]>();
  for (const { code, bytes } of decoded) {
    if (!table.has(code) || lasts.has(code)) table.set(code, bytes);
  }
  return table;
}

function remembered(name: string, build: () => Table): Table {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const built = build();
  tables.set(name, built);
  return built;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
