/** The question before a call in plain mode: what, why, the whole command or diff, and what each "always" covers. */
import type { Approval, GuardedCall, Question, Reach } from "@/protocol/policy.ts";
import { counted } from "@/lib/counted.ts";
import { visible } from "@/lib/visible.ts";

/** The text of the question. Untrusted characters are drawn visibly; nothing of a command is left out. */
export function questionText(
  call: GuardedCall,
  reason: string,
  preview: string | undefined,
): string {
  const rows = [
    `question: ${visible(call.tool.summary(inputOf(call)))}?`,
    ...indented(what(call)),
    ...lengthOf(what(call)),
    ...(preview === undefined ? [] : indented(preview)),
    `  why you are asked: ${visible(reason)}`,
    "  y = yes, n = no (n and a reason), a = always: ",
  ];
  return rows.join("\n");
}

/** What the call is about, whole. */
function what(call: GuardedCall): string {
  switch (call.subject.kind) {
    case "path":
      return call.subject.paths.join("\n");
    case "command":
    case "url":
    case "text":
      return call.subject.text;
    case "none":
      return call.tool.name;
  }
}

/** More than this may not fit a screen, and then its beginning has scrolled out of sight. */
const LONG_CHARS = 1_000;

/** How long what is asked about is, where it may be longer than what is in sight. */
function lengthOf(text: string): string[] {
  const lines = text.split("\n").length;
  if (text.length <= LONG_CHARS && lines <= 10) return [];
  return [`  that is all of it: ${text.length} characters in ${counted(lines, "line")}`];
}

function inputOf(call: GuardedCall): Record<string, unknown> {
  const parsed = call.tool.input.safeParse(call.input);
  return parsed.success ? parsed.data : {};
}

function indented(text: string): string[] {
  return text.split("\n").map((row) => `    ${visible(row)}`);
}

/** What a typed line means: exactly y or a; everything else is no, and what follows the n is the reason. */
export function readAnswer(line: string | undefined): "yes" | "always" | { no: string } {
  const typed = (line ?? "").trim();
  if (typed === "y" || typed === "Y") return "yes";
  if (typed === "a" || typed === "A") return "always";
  return { no: typed.replace(/^n(?:o)?\b[\s,:.]*/i, "") };
}

/** The second question, after "a": how far it reaches. Enter takes the first, the literal one. */
export function reachText(reaches: readonly Reach[]): string {
  const rows = reaches.map((reach, at) => `    ${at + 1} = ${visible(reach.preview)}`);
  return [
    '  how far does "always" reach, in this project? (r after the number: this run only; e: everywhere)',
    ...rows,
    "  number, or Enter for 1: ",
  ].join("\n");
}

/** The approval that a line answers to the second question; undefined when it names none of them. */
export function readReach(
  line: string | undefined,
  reaches: readonly Reach[],
): Approval | undefined {
  const match = /^\s*(\d*)\s*([re]?)\s*$/i.exec(line ?? "x");
  if (match === null) return undefined;
  const reach = reaches[match[1] === "" ? 0 : Number(match[1]) - 1];
  if (reach === undefined) return undefined;
  const scopes = { "": "project", r: "run", e: "everywhere" } as const;
  const scope = scopes[(match[2] ?? "").toLowerCase() as keyof typeof scopes] ?? "project";
  return { answer: "always", reach, scope };
}

/** A question of a tool, with its options numbered. */
export function optionsText(question: Question): string {
  const rows = question.options.map((option, at) => `    ${at + 1} = ${visible(option)}`);
  const free = question.freeText === false ? "" : " or your own words";
  return [`question: ${visible(question.text)}`, ...rows, `  number${free}: `].join("\n");
}

/** The option a line chooses, else the line itself. */
export function readOption(line: string, question: Question): string {
  const chosen = question.options[Number(line.trim()) - 1];
  return chosen ?? line.trim();
}
