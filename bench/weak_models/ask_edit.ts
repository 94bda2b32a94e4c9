/**
 * One edit as models ask for it: by anchors, by quoting the old text, as a unified diff; and with the slips that small
 * models make in naming what is there. What is to stand there afterwards is always written right.
 */
import { fingerprint } from "@/workspace/hashline.ts";
import type { RealEdit } from "./real_edits.ts";
import { one } from "./random.ts";

/** The ways to name the old lines. A diff has three lines of context, as `diff -u` prints them. */
export const FORMATS = ["anchors", "text", "diff"] as const;
export type Format = typeof FORMATS[number];

/**
 * `indentation`: the old lines are quoted without theirs. `moved`: somebody has added or removed lines above since they
 * were read. `changed`: somebody has changed one of the old lines since. `duplicate`: what is quoted stands in the
 * file more than once. `character`: one character of the old text, or one hex digit of an anchor, is wrong.
 */
export const SLIPS = ["none", "indentation", "moved", "changed", "duplicate", "character"] as const;
export type Slip = typeof SLIPS[number];

/** What a model sends: `old` and `new` of edit_file, or a diff. */
export type Asked = { old: string; new: string } | { diff: string };

/** An edit under a slip. `right` is undefined where only a refusal is right. */
export type Case = {
  format: Format;
  slip: Slip;
  /** The file when the model read it, and now. */
  read: string;
  now: string;
  asked: Asked;
  right: string | undefined;
  /** The lines (from 1) that are meant, as the file is now. */
  target: { from: number; to: number };
};

const CONTEXT = 3;
const MOVED_MAX = 5;
const HEADER_OFF_MAX = 3;

/** The case; undefined where an edit cannot have the slip. */
export function caseOf(
  edit: RealEdit,
  { format, slip, random }: { format: Format; slip: Slip; random: () => number },
): Case | undefined {
  const { texts, from, to, lines } = edit;
  const now = slip === "moved"
    ? moved(edit, random)
    : { by: 0, texts: slip === "changed" ? changed(edit, random) : texts };
  const asked = ask(edit, { format, slip, random });
  if (now === undefined || asked === undefined) return undefined;
  const target = { from: from + now.by, to: to + now.by };
  const after = [...now.texts.slice(0, target.from - 1), ...lines, ...now.texts.slice(target.to)];
  return {
    format,
    slip,
    read: texts.join("\n"),
    now: now.texts.join("\n"),
    asked,
    right: slip === "changed" ? undefined : after.join("\n"),
    target,
  };
}

/** The file with some lines more, or fewer, above the edit. */
function moved(
  { texts, from }: RealEdit,
  random: () => number,
): { by: number; texts: string[] } | undefined {
  const count = 1 + Math.floor(random() * MOVED_MAX);
  // Outside the context that a diff or a quote would show.
  const last = from - 1 - CONTEXT - count;
  if (last < 0) return undefined;
  const at = Math.floor(random() * last);
  const isMore = random() < 0.5;
  const more = Array.from({ length: isMore ? count : 0 }, () => one(texts, random));
  return {
    by: isMore ? count : -count,
    texts: [...texts.slice(0, at), ...more, ...texts.slice(isMore ? at : at + count)],
  };
}

function changed({ texts, from, to }: RealEdit, random: () => number): string[] {
  const at = from - 1 + Math.floor(random() * (to - from + 1));
  return texts.with(at, `${texts[at]} // changed`);
}

type Asking = { format: Format; slip: Slip; random: () => number };

function ask(edit: RealEdit, asking: Asking): Asked | undefined {
  switch (asking.format) {
    case "anchors":
      return byAnchors(edit, asking);
    case "text":
      return byText(edit, asking);
    case "diff":
      return byDiff(edit, asking);
    default:
      return asking.format satisfies never;
  }
}

/** The first and the last line by number and hash; with their text where that is the slip. */
function byAnchors({ texts, from, to, lines }: RealEdit, { slip, random }: Asking) {
  const anchor = (line: number) => `${line}:${fingerprint(texts[line - 1] ?? "")}`;
  const rows = from === to ? [from] : [from, to];
  if (slip === "indentation") {
    const quoted = texts.slice(from - 1, to);
    if (quoted.every((text) => text.trimStart() === text)) return undefined;
    const old = quoted.map((text, at) => `${anchor(from + at)}|${text.trimStart()}`).join("\n");
    return { old, new: asBody(lines) };
  }
  if (slip === "duplicate" && !isAmbiguous(texts, texts.slice(from - 1, to).join("\n"))) {
    return undefined;
  }
  const anchors = rows.map(anchor);
  if (slip === "character") {
    const at = Math.floor(random() * anchors.length);
    anchors[at] = wrongDigit(anchors[at] ?? "", random);
  }
  return { old: anchors.join("-"), new: asBody(lines) };
}

/** An empty list deletes; a single empty line is a line. */
function asBody(lines: readonly string[]): string {
  return lines.length === 1 && lines[0] === "" ? "\n" : lines.join("\n");
}

function wrongDigit(anchor: string, random: () => number): string {
  const at = anchor.length - 1 - Math.floor(random() * 3);
  const others = [..."0123456789abcdef"].filter((digit) => digit !== anchor[at]);
  return anchor.slice(0, at) + one(others, random) + anchor.slice(at + 1);
}

/** The old lines with as much around them as makes them the only ones, which a careless model leaves out. */
function byText({ texts, from, to, lines }: RealEdit, { slip, random }: Asking) {
  const around = (context: number) => {
    const [first, last] = [Math.max(0, from - 1 - context), Math.min(texts.length, to + context)];
    const [above, below] = [texts.slice(first, from - 1), texts.slice(to, last)];
    return {
      old: [...above, ...texts.slice(from - 1, to), ...below],
      new: [...above, ...lines, ...below],
    };
  };
  const isSure = (context: number) => {
    const old = around(context).old.join("\n");
    return old.trim() !== "" && !isAmbiguous(texts, old);
  };
  const bare = around(0);
  if (slip === "duplicate") {
    const isQuotable = bare.old.join("").trim() !== "" && isAmbiguous(texts, bare.old.join("\n"));
    return isQuotable ? asQuoted(bare.old, bare.new) : undefined;
  }
  const context = [0, 1, 2, CONTEXT, 8].find(isSure);
  if (context === undefined) return undefined;
  const quoted = around(context);
  if (slip === "indentation") {
    const old = quoted.old.map((text) => text.trimStart());
    return old.join("\n") === quoted.old.join("\n") ? undefined : asQuoted(old, quoted.new);
  }
  const asked = asQuoted(quoted.old, quoted.new);
  return slip === "character" ? { ...asked, old: wrongCharacter(asked.old, random) } : asked;
}

/** Lines that go are quoted with their line end. */
function asQuoted(old: readonly string[], lines: readonly string[]): { old: string; new: string } {
  if (lines.length === 0) return { old: `${old.join("\n")}\n`, new: "" };
  return { old: old.join("\n"), new: lines.join("\n") };
}

function wrongCharacter(text: string, random: () => number): string {
  const places = [...text.matchAll(/[a-zA-Z0-9]/g)].map(({ index }) => index);
  if (places.length === 0) return `${text}x`;
  const at = one(places, random);
  return text.slice(0, at) + (text[at] === "e" ? "a" : "e") + text.slice(at + 1);
}

/** A careless model leaves out the context and is off by a few lines in the header. */
function byDiff({ texts, from, to, lines }: RealEdit, { slip, random }: Asking) {
  const old = texts.slice(from - 1, to);
  const isCareless = slip === "duplicate";
  if (isCareless && !isAmbiguous(texts, old.join("\n"))) return undefined;
  const context = isCareless ? 0 : CONTEXT;
  const last = texts.at(-1) === "" ? texts.length - 1 : texts.length;
  if (to > last) return undefined; // The empty row behind the last line end is no line of a diff.
  const above = texts.slice(Math.max(0, from - 1 - context), from - 1);
  const below = texts.slice(to, Math.min(last, to + context));
  const off = isCareless ? 1 + Math.floor(random() * HEADER_OFF_MAX) : 0;
  const start = from - above.length + (random() < 0.5 ? off : -Math.min(off, from - 1));
  const [before, after] = [
    above.length + below.length + old.length,
    above.length + below.length + lines.length,
  ];
  const spoilt = (text: string) => slip === "indentation" ? text.trimStart() : text;
  const wrong = slip === "character" ? Math.floor(random() * old.length) : -1;
  if (
    slip === "indentation" && [...above, ...old, ...below].every((text) => spoilt(text) === text)
  ) {
    return undefined;
  }
  return {
    diff: [
      "--- a/file",
      "+++ b/file",
      `@@ -${start},${before} +${start},${after} @@`,
      ...above.map((text) => ` ${spoilt(text)}`),
      ...old.map((text, at) => `-${at === wrong ? wrongCharacter(text, random) : spoilt(text)}`),
      ...lines.map((text) => `+${text}`),
      ...below.map((text) => ` ${spoilt(text)}`),
      "",
    ].join("\n"),
  };
}

/** Whether a text stands in the file more than once. */
function isAmbiguous(texts: readonly string[], quoted: string): boolean {
  const file = texts.join("\n");
  return file.indexOf(quoted) !== file.lastIndexOf(quoted);
}
