/** What a question about a call says, from the call alone: tools are not known by name. */
import type { GuardedCall, Reach } from "@/protocol/policy.ts";
import { expandTabs } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import { diffCount, type DiffRow, diffRows } from "./diff_rows.ts";

/** A line of what is asked about. */
export type BodyLine = { kind: DiffRow["kind"]; text: string };

/** The parts of a question, every character of them visible. */
export type QuestionText = {
  tool: string;
  /** "wants to run", "wants to change src/a.ts (+1 −1)" */
  wants: string;
  /** What it is about, whole: the command, or the diff. */
  body: readonly BodyLine[];
  why: string;
  /** Whether it reaches outside the workspace. */
  isOutside: boolean;
  /** What each "always" would cover. */
  reaches: readonly string[];
  /** What can be edited before it runs. */
  editable: string | undefined;
};

export type QuestionFacts = {
  call: GuardedCall;
  reason: string;
  reaches: readonly Reach[];
  preview: string | undefined;
  /** A real path as a person would write it. */
  shorten(path: string): string;
};

/** Say it. */
export function questionText(facts: QuestionFacts): QuestionText {
  const { call, reason, reaches, preview } = facts;
  const { subject } = call;
  const command = subject.kind === "path" || subject.kind === "none" ? undefined : subject.text;
  const diff = preview === undefined ? undefined : diffRows(preview);
  return {
    tool: oneLine(call.tool.name),
    wants: wants(facts, diff),
    body: [
      ...(command === undefined || isSaid(call) ? [] : linesOf(command, { oddSpaces: true })),
      ...(diff === undefined ? preview === undefined ? [] : linesOf(preview) : numbered(diff)),
    ],
    why: oneLine(reason),
    isOutside: call.outside,
    reaches: reaches.map((reach) => oneLine(reach.preview)),
    editable: call.editable === undefined ? undefined : command,
  };
}

function wants(facts: QuestionFacts, diff: readonly DiffRow[] | undefined): string {
  const { subject, effect } = facts.call;
  switch (subject.kind) {
    case "command":
      return "wants to run";
    case "url":
      return "wants to open";
    case "path": {
      const paths = subject.paths.map((path) => oneLine(facts.shorten(path))).join(", ");
      return `wants to ${effect === "reads" ? "read" : "change"} ${paths}${counted(diff)}`;
    }
    case "text":
    case "none":
      return `wants: ${oneLine(summary(facts.call))}`;
    default:
      return subject satisfies never;
  }
}

/** Whether the first line of the question says the whole of it already. */
function isSaid(call: GuardedCall): boolean {
  const { subject } = call;
  return subject.kind === "text" && summary(call).includes(subject.text);
}

function counted(diff: readonly DiffRow[] | undefined): string {
  if (diff === undefined) return "";
  const { added, removed } = diffCount(diff);
  return ` (+${added} −${removed})`;
}

function numbered(rows: readonly DiffRow[]): BodyLine[] {
  const width = Math.max(2, ...rows.map(({ line }) => String(line ?? "").length));
  const marks = { added: "+", removed: "-", same: " ", gap: "…", note: " " };
  return rows.map(({ kind, line, text }) => {
    const number = String(line ?? "").padStart(width);
    return { kind, text: `${number} ${marks[kind]} ${visible(expandTabs(text))}`.trimEnd() };
  });
}

function linesOf(text: string, options: { oddSpaces?: boolean } = {}): BodyLine[] {
  return text.split("\n").map((line) => ({
    kind: "same",
    text: visible(expandTabs(line), options),
  }));
}

function oneLine(text: string): string {
  return visible(text, { oneLine: true });
}

function summary(call: GuardedCall): string {
  const parsed = call.tool.input.safeParse(call.input);
  return call.tool.summary(parsed.success ? parsed.data : {});
}
