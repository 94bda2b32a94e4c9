/** A whole file from a body: a new one as sent, an existing one in its own encoding, byte order mark and line ending. */
import { isAscii } from "@/lib/bytes.ts";
import { counted } from "@/lib/counted.ts";
import { encode, type EncodingName, spokenName } from "@/lib/encoding.ts";
import { guessAscii } from "@/lib/guess_encoding.ts";
import { rawBodyNewline } from "@/lib/raw_body.ts";
import { isAnchorOf } from "./edit.ts";
import { newFileStyle } from "./editorconfig.ts";
import { cannotWrite, type Cause, type EditParts } from "./file_edit.ts";
import { stripPrefixes } from "./hashline.ts";
import { ChangedSince, type EntryState } from "./journal.ts";
import {
  isWriteProtected,
  load,
  missingParent,
  type Target,
  whyNot,
  writeProtected,
} from "./loaded.ts";
import type { Readings } from "./readings.ts";
import { splice, type Unwritable } from "./splice.ts";
import {
  endsWithNewline,
  type LineEnding,
  parseTextAs,
  prevailingEnding,
  splitLines,
  type TextFile,
} from "./text_file.ts";

export type WriteRequest = {
  content: string;
  /** Whether the body came as a raw block, whose last newline was taken off with the tags. */
  isRaw: boolean;
  /** Real path of the workspace: `.editorconfig` is looked for up to there. */
  workspace: string;
};

export type WriteOutcome =
  | {
    kind: "written";
    /** Undefined for a new file. */
    before: readonly string[] | undefined;
    after: readonly string[];
    changed: readonly string[];
    notes: readonly string[];
  }
  | { kind: "unchanged"; lines: number }
  /** Somebody else changed the file since the conversation read or wrote it. */
  | { kind: "foreign" }
  | { kind: "refused"; sentence: string };

/** Nothing was written. */
export type Unwritten = Extract<WriteOutcome, { kind: "unchanged" | "refused" }>;

const TRIES = 2;

/** Write a file whole. A refusal has written nothing. */
export async function applyWrite(
  { journal, readings }: EditParts,
  target: Target,
  { request, cause }: { request: WriteRequest; cause: Cause },
): Promise<WriteOutcome> {
  for (let attempt = 1;; attempt += 1) {
    const prepared = await prepareWrite(target, request);
    if (prepared.kind !== "ready") return prepared;
    if (isForeign(readings, target, prepared)) return { kind: "foreign" };
    const { expected, bytes, mode, before, after, notes } = prepared;
    try {
      const change = { path: target.path, expected, after: { kind: "file", bytes, mode } as const };
      const { changed } = await journal.edit({ ...cause, changes: [change] });
      readings.forget(target.path);
      readings.noteWhole(target.path, bytes);
      return { kind: "written", before, after, changed, notes };
    } catch (error) {
      if (!(error instanceof ChangedSince) || attempt >= TRIES) throw error;
    }
  }
}

/** Whether a write would take away what somebody else changed in a file that the conversation knows. */
export function isForeign(
  readings: Readings,
  { path }: Target,
  prepared: { kind: string; expected?: EntryState },
): boolean {
  const { expected } = prepared;
  return expected?.kind === "file" && readings.isForeign(path, expected.bytes);
}

/** The beginning of the sentence that refuses it. */
export function foreignChange({ spelled }: Target): string {
  return `Nothing was written: ${spelled} changed after you last read or wrote it, ` +
    "and writing it whole would take that change away";
}

export type PreparedWrite = {
  kind: "ready";
  expected: EntryState;
  bytes: Uint8Array;
  mode: number;
  before: readonly string[] | undefined;
  after: readonly string[];
  notes: readonly string[];
};

/** Everything short of writing, without any effect. */
export async function prepareWrite(
  target: Target,
  request: WriteRequest,
): Promise<PreparedWrite | Unwritten> {
  const loaded = await load(target.path);
  switch (loaded.kind) {
    case "absent":
      return await newFile(target, request);
    case "text":
      if (isWriteProtected(loaded.mode)) {
        return { kind: "refused", sentence: writeProtected("write", target, loaded.mode) };
      }
      return loaded.file.bytes.length === 0
        ? await newFile(target, request, loaded.mode)
        : overwrite(target, request, loaded);
    case "binary":
    case "large": {
      const why = await whyNot("write", target, loaded);
      return {
        kind: "refused",
        sentence: `${why}. It was left alone; delete_file it first to put a text file there`,
      };
    }
    case "dir":
    case "special":
    case "unreadable":
      return { kind: "refused", sentence: await whyNot("write", target, loaded) };
    default:
      return loaded satisfies never;
  }
}

/** `mode` is that of an empty file that is there already. */
async function newFile(
  target: Target,
  { content, isRaw, workspace }: WriteRequest,
  mode?: number,
): Promise<PreparedWrite | Unwritten> {
  const problem = mode === undefined ? await missingParent("write", target) : undefined;
  if (problem !== undefined) return { kind: "refused", sentence: problem };
  const { text, notes } = withoutPrefixes(isRaw ? rawBodyNewline(content, undefined) : content);
  const style = await newFileStyle(target.path, workspace);
  const isPlain = style.endOfLine === undefined || text.includes("\r");
  const styled = isPlain ? text : text.replaceAll("\n", style.endOfLine ?? "\n");
  const { encoding, mark } = charsetOf(style.charset, styled);
  const encoded = encode(mark + styled, encoding);
  if (!encoded.ok) {
    const place = placeIn(styled, { ...encoded, at: encoded.at - mark.length });
    const sentence = cannotWrite("write", target, { file: { encoding }, problem: place });
    return { kind: "refused", sentence };
  }
  if (mode !== undefined && encoded.bytes.length === 0) return { kind: "unchanged", lines: 1 };
  return {
    kind: "ready",
    expected: mode === undefined
      ? { kind: "absent" }
      : { kind: "file", bytes: new Uint8Array(), mode },
    bytes: encoded.bytes,
    mode: mode ?? 0,
    before: mode === undefined ? undefined : [""],
    after: splitLines(styled),
    notes: [
      ...notes,
      ...(isPlain ? [] : [`line endings as .editorconfig says (${spokenEnding(style.endOfLine)})`]),
      ...(encoding === "utf-8" && mark === ""
        ? []
        : [`${spokenName(encoding)} as .editorconfig says`]),
    ],
  };
}

function overwrite(
  target: Target,
  { content, isRaw }: WriteRequest,
  { file: old, mode }: { file: TextFile; mode: number },
): PreparedWrite | Unwritten {
  const file = asItWillSay(old, content);
  if (content.trim() === "") {
    return {
      kind: "refused",
      sentence:
        `Nothing was written: the body for "${target.spelled}" is empty, and the existing file ` +
        `(${
          counted(file.texts.length, "line")
        }) was left alone. Send the whole new content, or delete_file it`,
    };
  }
  const body = isRaw ? rawBodyNewline(content, endsWithNewline(file)) : content;
  const { text, notes } = withoutPrefixes(body.replace(/^\ufeff/, ""), file.texts);
  const ending = prevailingEnding(file) ?? (text.includes("\r\n") ? "\r\n" : "\n");
  const lines = splitLines(text);
  // ASCII is safe whatever the encoding is, when none of the old bytes stay; but not where ASCII means nothing (EBCDIC).
  const isOnAscii = file.bytes.includes(0x0a) || file.bytes.includes(0x20);
  const spliced = !file.sure && isOnAscii && /^[\x00-\x7f]*$/.test(text)
    ? { ok: true as const, bytes: new TextEncoder().encode(lines.join(ending)) }
    : splice(file, [{ from: 1, to: file.texts.length, lines }], { ending });
  if (!spliced.ok) {
    const { problem } = spliced;
    return { kind: "refused", sentence: cannotWrite("write", target, { file, problem }) };
  }
  if (isSame(spliced.bytes, file.bytes)) return { kind: "unchanged", lines: file.texts.length };
  return {
    kind: "ready",
    expected: { kind: "file", bytes: file.bytes, mode },
    bytes: spliced.bytes,
    mode,
    before: file.texts,
    after: lines,
    notes: [...notes, ...keptNotes(file, ending)],
  };
}

/** What a file of ASCII says of its encoding goes with the rest: the new text has its own word on that. */
function asItWillSay(file: TextFile, content: string): TextFile {
  if (file.bytes.includes(0x1b) || !isAscii(file.bytes)) return file;
  // deno-lint-ignore no-control-regex -- Another character changes nothing about what it says.
  const ascii = content.slice(0, 1024).replace(/[^\x00-\x7f]|\x1b/g, "?");
  return parseTextAs(file.bytes, guessAscii(new TextEncoder().encode(ascii)));
}

function withoutPrefixes(
  content: string,
  texts: readonly string[] = [],
): { text: string; notes: string[] } {
  const text = stripPrefixes(content, isAnchorOf(texts));
  return {
    text,
    notes: text === content ? [] : ["listing prefixes (1:abc|) were taken out of the body"],
  };
}

/** What of an existing file the new one keeps, where it is not what one would expect. */
function keptNotes({ encoding, sure, markBytes }: TextFile, ending: LineEnding): string[] {
  const kept = [
    ...(encoding === "utf-8" || !sure ? [] : [spokenName(encoding)]),
    ...(markBytes > 0 ? ["byte order mark"] : []),
    ...(ending === "\n" ? [] : [`${spokenEnding(ending)} line endings`]),
  ];
  return kept.length === 0 ? [] : [`it keeps ${kept.join(", ")}`];
}

function charsetOf(
  charset: Awaited<ReturnType<typeof newFileStyle>>["charset"],
  text: string,
): { encoding: EncodingName; mark: string } {
  const mark = text === "" || text.startsWith("\ufeff") ? "" : "\ufeff";
  switch (charset) {
    case "utf-8-bom":
      return { encoding: "utf-8", mark };
    case "utf-16le":
    case "utf-16be":
      return { encoding: charset, mark };
    case "latin1":
      return { encoding: "windows-1252", mark: "" };
    default:
      return { encoding: "utf-8", mark: "" };
  }
}

/** Line and column of a character that cannot be encoded. */
function placeIn(text: string, { at, character }: { at: number; character: string }): Unwritable {
  const lines = splitLines(text.slice(0, at));
  return {
    reason: "unencodable",
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    character,
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function spokenEnding(ending: LineEnding | undefined): string {
  return ending === "\r\n" ? "CRLF" : ending === "\r" ? "CR" : "LF";
}
