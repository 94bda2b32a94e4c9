/** Why an edit is refused, each with the rows that let the next try be right. Nothing was written in any of them. */
import { counted } from "@/lib/counted.ts";
import type { Complaint } from "./anchors.ts";
import type { EditRequest } from "./edit.ts";
import { boundedRow, fingerprint, type Row } from "./hashline.ts";
import { nearMiss } from "./miss.ts";
import { type Span, tellingWindow } from "./moved_lines.ts";

export type RefusalCode =
  | "anchor-mismatch"
  | "backwards"
  | "indentation-doubled"
  | "joins-next-line"
  | "line-named-twice"
  | "mismatch"
  | "moved"
  | "no-such-line"
  | "not-contiguous"
  | "nothing-named"
  | "old-new-disagree"
  | "rows-without-hash"
  | "stale"
  | "text-ambiguous"
  | "text-not-found";

export type Refusal = {
  kind: "refused";
  code: RefusalCode;
  /** The whole sentence with its rows, for the model. */
  sentence: string;
  /** The lines that the refusal is about. */
  lines: readonly number[];
  /** The rows handed back whole: from now on the model has been shown them. */
  shown: readonly Row[];
  /** How often the text occurs, for "text-ambiguous". */
  occurrences?: number;
};

/** A longer line is handed back cut, and then has no anchor. */
export const REFUSAL_LINE_CHARS_MAX = 400;
const ROWS_MAX = 60;
const CONTEXT_LINES = 2;
const PLACES_MAX = 10;

type Texts = readonly string[];

export const refuse = {
  nothingNamed(texts: Texts, { path }: EditRequest, hashless: readonly number[]): Refusal {
    const lines = hashless.filter((line) => line >= 1 && line <= texts.length);
    const first = lines[0];
    if (first === undefined) {
      return refusal("nothing-named", [], {
        head:
          `nothing says which lines of ${path} to replace. Either send rows of the listing in new_content ` +
          `with the new text after the "|" (50:1fa|<the new line>), or name the lines in old_content: by anchor ` +
          `(50:1fa, or 50:1fa-53:9c0 for a span), or by quoting them`,
      });
    }
    const example = `${first}:${fingerprint(texts[first - 1] ?? "")}|<the new line>`;
    return refusal("rows-without-hash", lines, {
      head:
        `those rows name lines but carry no hash, and the text after the "|" is what the line is to become, ` +
        `so nothing here shows that you have read what is on it. ${path} currently has`,
      rows: rowsOf(texts, lines),
      tail:
        `Send it again with each anchor exactly as it stands here (${example}), or read_file for the rest`,
    });
  },

  oldNewDisagree(
    { path }: EditRequest,
    { named, lines }: { named: readonly number[] | undefined; lines: readonly number[] },
  ): Refusal {
    const other = named === undefined ? "does not name lines by anchors" : `names ${spoken(named)}`;
    return refusal("old-new-disagree", lines, {
      head:
        `new_content anchors ${
          spoken(lines)
        } of ${path}, but old_content ${other}. Leave old_content out ` +
        `to replace those lines one by one, or name the lines in old_content and send plain text as new_content`,
    });
  },

  namedTwice({ path }: EditRequest, line: number): Refusal {
    return refusal("line-named-twice", [line], {
      head: `line ${line} of ${path} is named twice. Send one row for each line`,
    });
  },

  noSuchLine(texts: Texts, { path }: EditRequest, line: number): Refusal {
    const near = line < 1 ? 1 : texts.length;
    return refusal("no-such-line", [line], {
      head: `there is no line ${line} in ${path}, which has ${counted(texts.length, "line")}. ` +
        `Its ${near === 1 ? "first" : "last"} rows are`,
      rows: around(texts, { from: near, to: near }),
      tail: "Use the anchors of a row that is there, or read_file again",
    });
  },

  anchorMismatch(
    texts: Texts,
    { path }: EditRequest,
    wrong: readonly { line: number; hash: string }[],
  ): Refusal {
    const lines = wrong.map(({ line }) => line);
    const [first] = wrong;
    const which = wrong.length === 1
      ? `line ${first?.line} of ${path} is not what ${first?.line}:${first?.hash} says it is. It now reads`
      : `${spoken(lines)} of ${path} are not what their anchors say. They now read`;
    return refusal("anchor-mismatch", lines, {
      head: which,
      rows: rowsOf(texts, lines),
      tail: "The file has changed since you read it, or the anchor was mistyped. " +
        "If this is still the line you mean, send it with the anchor as it stands here",
    });
  },

  complaint(texts: Texts, request: EditRequest, complaint: Complaint): Refusal {
    const { path } = request;
    switch (complaint.code) {
      case "no-such-line":
        return refuse.noSuchLine(texts, request, complaint.line);
      case "backwards":
        return refusal("backwards", [complaint.from, complaint.to], {
          head:
            `old_content names lines of ${path} backwards, from ${complaint.from} to ${complaint.to}. ` +
            `Name the first line first`,
        });
      case "not-contiguous": {
        const [from, to] = [complaint.from.line, complaint.to.line];
        const span = `${anchorOf(texts, from)}-${anchorOf(texts, to)}`;
        return refusal("not-contiguous", [from, to], {
          head:
            `old_content names lines of ${path} that do not follow one another. To replace everything from ` +
            `line ${from} to line ${to}, send the span ${span}; to change single lines, send only their rows in ` +
            `new_content, with the new text after each "|"`,
        });
      }
      case "mismatch": {
        const { line, named } = complaint;
        const what = named.quote === undefined
          ? `is not what ${line}:${named.hash ?? ""} says it is`
          : "does not read as old_content quotes it";
        return refusal("mismatch", [line], {
          head: `line ${line} of ${path} ${what}. It now reads`,
          rows: around(texts, { from: line, to: line }),
          tail:
            "Use the anchors as they stand here if these are the lines you mean, or read_file again",
        });
      }
      default:
        return complaint satisfies never;
    }
  },

  stale(texts: Texts, { path }: EditRequest, lines: readonly number[]): Refusal {
    const [first = 1, last = first] = [lines[0], lines.at(-1)];
    const isShort = last - first < ROWS_MAX - 2 * CONTEXT_LINES;
    return refusal("stale", lines, {
      head: `${spoken(lines)} of ${path} changed after you were last shown ` +
        `${lines.length === 1 ? "it" : "them"}, although the anchors fit. Now there is`,
      rows: isShort ? around(texts, { from: first, to: last }) : rowsOf(texts, lines),
      tail: "If the edit is still right, send it again with the anchors as they stand here",
    });
  },

  moved(texts: Texts, { path }: EditRequest, span: Span): Refusal {
    const window = tellingWindow(texts, span, CONTEXT_LINES);
    return refusal("moved", range(span.from, span.to), {
      head:
        `${path} was changed after you read it, and what you name stands in it more than once, so that ` +
        `${spoken(range(span.from, span.to))} may not be what you mean. There now is`,
      rows: rowsOf(texts, range(window.from, window.to)),
      tail:
        "If these are the lines you mean, send the edit again with the anchors as they stand here; else read_file again",
    });
  },

  indentationDoubled(texts: Texts, { path }: EditRequest, { from, to }: Span): Refusal {
    return refusal("indentation-doubled", range(from, to), {
      head:
        `old_content leaves out the indentation of line ${from} of ${path}, so that what comes in its place ` +
        `would be indented twice. There is`,
      rows: around(texts, { from, to }),
      tail: "Quote the line with its indentation, or name the lines by anchor (old_content 50:1fa)",
    });
  },

  joinsNext(texts: Texts, { path }: EditRequest, next: number): Refusal {
    return refusal("joins-next-line", [next], {
      head:
        `old_content ends with a line end and new_content does not, so that line ${next} of ${path} would be ` +
        `joined to the new text. There is`,
      rows: around(texts, { from: next - 1, to: next }),
      tail:
        "End both with a line end, or neither; to join the lines, quote both of them in old_content",
    });
  },

  textAmbiguous(
    texts: Texts,
    { path }: EditRequest,
    places: readonly { from: number; to: number }[],
  ): Refusal {
    const shownPlaces = places.slice(0, PLACES_MAX);
    const lines = [
      ...new Set(shownPlaces.flatMap(({ from, to }) => range(from, Math.min(to, from + 5)))),
    ];
    const more = places.length - shownPlaces.length;
    return refusal("text-ambiguous", places.map(({ from }) => from), {
      head: `old_content occurs ${places.length} times in ${path}, at ${
        spoken(places.map(({ from }) => from))
      }`,
      rows: rowsOf(texts, lines),
      tail:
        `${
          more > 0 ? `${more} more are not shown. ` : ""
        }Name the lines by anchor, quote more of the ` +
        `surroundings, or set replace_all to change every one`,
      occurrences: places.length,
    });
  },

  textNotFound(texts: Texts, { path, old }: EditRequest, named: readonly number[]): Refusal {
    const instead =
      "Name the lines by anchor instead (old_content 50:1fa, or rows in new_content): " +
      "then nothing has to be quoted";
    if (named.length > 0) {
      return refusal("text-not-found", named, {
        head:
          `old_content was not found in ${path}. If its numbers are line numbers: those lines read`,
        rows: rowsOf(texts, named),
        tail: instead,
      });
    }
    const miss = nearMiss(texts, old.replaceAll("\r\n", "\n"));
    if (miss === undefined) {
      return refusal("text-not-found", [], {
        head: `old_content was not found in ${path}, nor anything close to it. ${instead}`,
      });
    }
    const { from, to, difference } = miss;
    return refusal("text-not-found", range(from, to), {
      head:
        `old_content was not found in ${path}. The nearest place differs at ${difference}. It reads`,
      rows: around(texts, { from, to }),
      tail: instead,
    });
  },
};

/** The refusal with the rows of where the lines that were meant stand now. */
export function withPlace(
  refused: Refusal,
  texts: Texts,
  { was, is }: { was: Span; is: Span },
): Refusal {
  const { from, to } = tellingWindow(texts, is, CONTEXT_LINES);
  const half = ROWS_MAX / 2;
  const lines = range(from, to);
  const rows = rowsOf(
    texts,
    lines.length > ROWS_MAX ? [...lines.slice(0, half), ...lines.slice(-half)] : lines,
  );
  const shown = rows.filter(({ text }) => text.length <= REFUSAL_LINE_CHARS_MAX);
  const said = `What you were shown as ${
    spoken(range(was.from, was.to))
  } now stands at ${is.from}:`;
  return {
    ...refused,
    sentence: [refused.sentence, said, ...rows.map(printed)].join("\n"),
    shown: [...refused.shown, ...shown],
  };
}

function printed(each: Row): string {
  return `  ${boundedRow(each, REFUSAL_LINE_CHARS_MAX)}`;
}

type Said = { head: string; rows?: readonly Row[]; tail?: string; occurrences?: number };

function refusal(code: RefusalCode, lines: readonly number[], said: Said): Refusal {
  const rows = (said.rows ?? []).slice(0, ROWS_MAX);
  const cut = (said.rows?.length ?? 0) > ROWS_MAX ? ["  …"] : [];
  const sentence = [
    `Nothing was written: ${said.head}${rows.length > 0 ? ":" : ""}`,
    ...rows.map(printed),
    ...cut,
    ...(said.tail === undefined ? [] : [said.tail]),
  ].join("\n");
  const shown = rows.filter(({ text }) => text.length <= REFUSAL_LINE_CHARS_MAX);
  const occurrences = said.occurrences === undefined ? {} : { occurrences: said.occurrences };
  return { kind: "refused", code, sentence, lines, shown, ...occurrences };
}

function rowsOf(texts: Texts, lines: readonly number[]): Row[] {
  return lines.map((line) => ({ line, text: texts[line - 1] ?? "" }));
}

function around(texts: Texts, { from, to }: { from: number; to: number }): Row[] {
  return rowsOf(
    texts,
    range(Math.max(1, from - CONTEXT_LINES), Math.min(texts.length, to + CONTEXT_LINES)),
  );
}

function anchorOf(texts: Texts, line: number): string {
  return `${line}:${fingerprint(texts[line - 1] ?? "")}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** "line 3", "lines 3, 4 and 9" */
function spoken(lines: readonly number[]): string {
  const shown = lines.slice(0, PLACES_MAX);
  const more = lines.length - shown.length;
  if (lines.length === 1) return `line ${lines[0]}`;
  if (more > 0) return `lines ${shown.join(", ")} and ${more} more`;
  return `lines ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
