/** An edit from request to disk: read, plan, compare with what was shown, splice, write through the journal. */
import { spokenName } from "@/lib/encoding.ts";
import { type Changed, type Echo, echo, echoWindows } from "./echo.ts";
import {
  applyPlan,
  type EditRequest,
  isNoChange,
  namedBy,
  planEdit,
  type Planned,
} from "./edit.ts";
import { type Refusal, REFUSAL_LINE_CHARS_MAX, refuse, withPlace } from "./edit_refusal.ts";
import type { Row } from "./hashline.ts";
import { placeNow, type Span } from "./moved_lines.ts";
import { ChangedSince, type EditJournal } from "./journal.ts";
import { isWriteProtected, load, type Target, whyNot, writeProtected } from "./loaded.ts";
import type { Readings, Shift } from "./readings.ts";
import { splice, type Unwritable } from "./splice.ts";
import type { TextFile } from "./text_file.ts";

/** The call that an edit belongs to. */
export type Cause = { tool: string; callId: string; turn: number; say?(line: string): void };

export type EditParts = { journal: Pick<EditJournal, "edit">; readings: Readings };

export type EditOutcome =
  | {
    kind: "edited";
    plan: Planned;
    before: readonly string[];
    after: readonly string[];
    echo: Echo;
    shifts: readonly Shift[];
    changed: readonly string[];
  }
  | { kind: "unchanged"; plan: Planned; texts: readonly string[] }
  | Refused;

/** Nothing was written. `shown` are rows that the sentence hands back, `void` lines of which only a part is. */
export type Refused = {
  kind: "refused";
  sentence: string;
  shown?: readonly Row[];
  void?: readonly number[];
};

/** Nothing was changed. */
export type Idle = Exclude<EditOutcome, { kind: "edited" }>;

/** What is tried again when the file changes between the read and the write. */
const TRIES = 2;

/** Edit a file. What a refusal hands back counts as shown, so that the second try can be right. */
export async function applyEdit(
  parts: EditParts,
  target: Target,
  { request, cause }: { request: EditRequest; cause: Cause },
): Promise<EditOutcome> {
  return noted(parts.readings, target, await tryEdit(parts, target, { request, cause }));
}

/** What comes of an edit that would change nothing as the file stands; undefined for any other. Writes nothing. */
export async function idleEdit(
  readings: Readings,
  target: Target,
  request: EditRequest,
): Promise<Idle | undefined> {
  const prepared = await prepareEdit(readings, target, request);
  return prepared.kind === "ready" ? undefined : noted(readings, target, prepared);
}

/** What a refusal hands back counts as shown. */
function noted<O extends EditOutcome>(readings: Readings, { path }: Target, outcome: O): O {
  if (outcome.kind === "refused") {
    // A line too long to be handed back whole is as if never shown: then its hash decides.
    readings.unnote(path, outcome.void ?? []);
    readings.note(path, outcome.shown ?? []);
  }
  return outcome;
}

async function tryEdit(
  parts: EditParts,
  target: Target,
  { request, cause }: { request: EditRequest; cause: Cause },
): Promise<EditOutcome> {
  let first: Prepared | undefined;
  for (let attempt = 1;; attempt += 1) {
    const prepared = await prepareEdit(parts.readings, target, request);
    if (prepared.kind !== "ready") return prepared;
    const moved = first === undefined ? [] : differing(first, prepared);
    if (moved.length > 0) return staleLines(prepared.file, request, moved);
    first ??= prepared;
    try {
      return await commit(parts, target, { prepared, cause });
    } catch (error) {
      if (!(error instanceof ChangedSince) || attempt >= TRIES) throw error;
    }
  }
}

export type Prepared = {
  kind: "ready";
  file: TextFile;
  mode: number;
  plan: Planned;
  bytes: Uint8Array;
};

/** Everything short of writing, without any effect; the question before a change shows the same. */
export async function prepareEdit(
  readings: Readings,
  target: Target,
  request: EditRequest,
): Promise<Prepared | Idle> {
  const loaded = await load(target.path);
  if (loaded.kind !== "text") {
    return { kind: "refused", sentence: await whyNot("edit", target, loaded) };
  }
  const { file, mode } = loaded;
  if (isWriteProtected(mode)) {
    return { kind: "refused", sentence: writeProtected("edit", target, mode) };
  }
  const asked = planEdit(file.texts, request);
  if (asked.kind === "refused") return withMoved(asked, { readings, target, file, request });
  const plan = withoutMark(asked);
  if (isNoChange(file.texts, plan)) return { kind: "unchanged", plan, texts: file.texts };
  const lines = [
    ...readings.stale(target.path, plan.trusted, file.texts),
    ...readings.changedAround(target.path, plan.quotes ?? [], file.texts),
  ];
  if (lines.length > 0) return staleLines(file, request, lines);
  const moved = movedSpan(plan, { readings, target, file });
  if (moved !== undefined) return refuse.moved(file.texts, request, moved);
  const spliced = splice(file, plan.replacements);
  if (!spliced.ok) {
    const { problem } = spliced;
    return { kind: "refused", sentence: cannotWrite("edit", target, { file, problem }) };
  }
  return { kind: "ready", file, mode, plan, bytes: spliced.bytes };
}

type Looked = { readings: Readings; target: Target; file: TextFile };

/** A refusal because of anchors, with where the lines that they were shown with stand now. */
function withMoved(refused: Refusal, { request, ...looked }: Looked & { request: EditRequest }) {
  const lines = namedBy(request);
  const was = { from: Math.min(...lines), to: Math.max(...lines) };
  if (lines.length === 0 || was.from < 1) return refused;
  const { texts } = looked.file;
  const is = placeNow(texts, looked.readings.shownOf(looked.target.path), was);
  if (typeof is === "string" || is.from === was.from) return refused;
  return withPlace(refused, texts, { was, is });
}

/** Lines named by anchors that may have come from elsewhere, in a file that somebody else has changed. */
function movedSpan(
  { form, replacements }: Planned,
  { readings, target, file }: Looked,
): Span | undefined {
  if (form === "text" || !readings.isForeign(target.path, file.bytes)) return undefined;
  const shown = readings.shownOf(target.path);
  return replacements.find((span) => {
    const now = placeNow(file.texts, shown, span);
    return now !== "unknown" && (now === "none" || now.from !== span.from);
  });
}

/** A byte order mark that a model repeats would be a second one. */
function withoutMark(plan: Planned): Planned {
  const replacements = plan.replacements.map((replacement) => {
    const [first, ...rest] = replacement.lines;
    if (replacement.from !== 1 || first === undefined) return replacement;
    return { ...replacement, lines: [first.replace(/^\ufeff/, ""), ...rest] };
  });
  return { ...plan, replacements };
}

async function commit(
  { journal, readings }: EditParts,
  target: Target,
  { prepared, cause }: { prepared: Prepared; cause: Cause },
): Promise<EditOutcome> {
  const { file, mode, plan, bytes } = prepared;
  const { changed } = await journal.edit({
    ...cause,
    changes: [{
      path: target.path,
      expected: { kind: "file", bytes: file.bytes, mode },
      after: { kind: "file", bytes, mode },
    }],
  });
  const before = file.texts;
  const after = applyPlan(before, plan);
  const shifts = plan.replacements.map(({ from, to, lines }) => ({
    from,
    to,
    count: lines.length,
  }));
  const around = echo(after, echoWindows(changedRanges(shifts), after.length));
  readings.shift(target.path, shifts);
  readings.note(target.path, around.shown);
  readings.carryWhole(target.path, file.bytes, bytes);
  return { kind: "edited", plan, before, after, echo: around, shifts, changed };
}

/** Where the replaced lines stand afterwards. */
function changedRanges(shifts: readonly Shift[]): Changed[] {
  let by = 0;
  return shifts.map(({ from, to, count }) => {
    const range = { from: from + by, to: from + by + count - 1 };
    by += count - (to - from + 1);
    return range;
  });
}

/** Target lines that read differently now than when the edit was first prepared. */
function differing(first: Prepared, now: Prepared): number[] {
  const texts = (prepared: Prepared) =>
    prepared.plan.trusted.map((line) => prepared.file.texts[line - 1] ?? "");
  const [before, after] = [texts(first), texts(now)];
  return now.plan.trusted.filter((_, index) => before[index] !== after[index]);
}

function staleLines({ texts }: TextFile, request: EditRequest, lines: readonly number[]): Refused {
  const tooLong = lines.filter((line) => (texts[line - 1] ?? "").length > REFUSAL_LINE_CHARS_MAX);
  return { ...refuse.stale(texts, request, lines), void: tooLong };
}

/** Why a text cannot be written into a file, by place and character. */
export function cannotWrite(
  doing: string,
  { spelled }: Target,
  { file, problem }: { file: Pick<TextFile, "encoding" | "says">; problem: Unwritable },
): string {
  const { reason, line, column, character } = problem;
  const what = characterName(character);
  const cannot =
    `Cannot ${doing} "${spelled}", nothing was written: line ${line}, column ${column}`;
  const name = spokenName(file.encoding);
  switch (reason) {
    case "unencodable":
      return `${cannot}: ${what} cannot be written in ${name}, the encoding of the file. ` +
        `Write it with characters that the encoding has`;
    case "undecodable":
      return `${cannot}: ${what} stands for bytes that are no valid ${name}, and writing it would destroy them. ` +
        `Leave those characters where they are, or leave them out`;
    case "unsure":
      return `${cannot}: ${what} is not ASCII, and the encoding of the file ${
        file.says === undefined
          ? `is not certain (it may be ${name})`
          : `is "${file.says}", as it says itself, which cannot be written here`
      }. ` +
        `Only lines that are all ASCII can be edited, with ASCII text; ask the person ` +
        `which encoding it is, so that a command can convert the file (iconv)`;
    default:
      return reason satisfies never;
  }
}

function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code >= 0xd800 && code <= 0xdfff) return `half of a surrogate pair (${number})`;
  return `"${character}" (${number})`;
}
