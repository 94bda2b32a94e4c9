/**
 * A sub-agent: the same harness with another log, a budget of requests, and a report in every case. Whoever builds the
 * harness gives it the budget's limits; nothing else of it is special.
 */
import type { Message, Part } from "@/protocol/message.ts";
import type { Guard } from "@/protocol/policy.ts";
import type { CallOutcome, TurnOutcome } from "@/protocol/outcome.ts";
import type { Brief, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { counted } from "@/lib/counted.ts";
import { describe } from "@/lib/describe.ts";
import { META_UNAPPROVED } from "@/lib/tool_meta.ts";
import { systemNote } from "@/lib/tool_result.ts";
import type { Harness } from "./harness.ts";
import { NothingSaid } from "./notes.ts";

/** How many requests it may make, and then one more, without tools, for its report. */
export class Budget {
  readonly max: number;
  #left: number;
  #spent = 0;
  #isReporting = false;

  /** Less than one counts as one. */
  constructor(max: number) {
    this.max = Math.max(1, max);
    this.#left = this.max;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Whether only the report is still to be written: no tools are offered, and none runs. */
  get isReporting(): boolean {
    return this.#isReporting;
  }

  /** Asked before each request; what is allowed counts as made. */
  mayGoOn(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    this.#spent += 1;
    return true;
  }

  /** One more request, and no more. */
  askForReport(): void {
    this.#isReporting = true;
    this.#left = 1;
  }
}

/** Why a sub-agent is not offered a tool, and a call of it is refused; undefined for all others. */
export type Withheld = (tool: ToolSpec) => string | undefined;

/** Refuses what is withheld. */
export function withheldGuard(withheld: Withheld): Guard {
  return function withheldTool({ tool }) {
    const reason = withheld(tool);
    return reason === undefined ? undefined : { verdict: "deny", by: "guard", reason };
  };
}

/** The tools that are offered: none while only the report is to be written. */
export function offeredTools(
  tools: readonly ToolSpec[],
  { withheld, budget }: { withheld: Withheld; budget: Budget },
): readonly ToolSpec[] {
  return budget.isReporting ? [] : tools.filter((tool) => withheld(tool) === undefined);
}

/** What is withheld at a depth; 1 is an agent that the conversation itself has hired. */
export function withheldAt(depth: number, depthMax: number): Withheld {
  return ({ asksPerson, hires }) => {
    if (asksPerson === true) {
      return "a sub-agent has nobody to ask; choose what is most likely meant, do the job, and say so in the report";
    }
    return hires === true && depth >= depthMax
      ? "a sub-agent cannot hire another one; do the job yourself"
      : undefined;
  };
}

const REPORT_NOW = systemNote(
  "Your requests are used up, and there are no tools any more. Write your report now from what you have: what you found or changed, and what is left.",
);
const NO_REPORT = "The sub-agent wrote no report";

/** Do a job to its end. Never rejects: the result is the report, and says what it lacks. */
export async function runAgent(
  harness: Harness,
  { brief, budget, signal }: { brief: Brief; budget: Budget; signal: AbortSignal },
): Promise<ToolResult> {
  const onAbort = () => harness.interrupt();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const turns: TurnOutcome[] = [];
    if (!signal.aborted) turns.push(await harness.say(briefParts(brief), "agent"));
    const isOut = turns.at(-1)?.stop === "limit" && turns.at(-1)?.error === undefined;
    if (isOut && !signal.aborted) {
      budget.askForReport();
      turns.push(await harness.say([{ type: "text", text: REPORT_NOW }], "hook"));
    }
    return resultOf(turns, { messages: harness.messages(), isAborted: signal.aborted });
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function briefParts({ task, context }: Brief): readonly Part[] {
  const known = context === undefined ? "" : `\n\nWhat is known already:\n${context}`;
  return [{ type: "text", text: `${task}${known}` }];
}

type Ended = { messages: readonly Message[]; isAborted: boolean };

function resultOf(turns: readonly TurnOutcome[], { messages, isAborted }: Ended): ToolResult {
  const calls = turns.flatMap(({ calls }) => calls);
  const requests = turns.reduce((sum, turn) => sum + turn.requests, 0);
  const changed = [...new Set(calls.flatMap(({ result }) => result.changed ?? []))];
  const { status, text } = reportOf(turns.at(-1), { messages, isAborted });
  return {
    status,
    text: [text, ...changesText(changed), ...refusalsText(calls)].join("\n\n"),
    ...(changed.length === 0 ? {} : { changed }),
    meta: { requests, ...(calls.some(isUnapproved) && { [META_UNAPPROVED]: true }) },
  };
}

function reportOf(
  last: TurnOutcome | undefined,
  { messages, isAborted }: Ended,
): Pick<ToolResult, "status" | "text"> {
  const report = lastText(messages);
  const said = report === "" ? "" : `. What it said last:\n${report}`;
  if (isAborted || last === undefined || last.stop === "abort") {
    return { status: "interrupted", text: `The sub-agent was stopped before its report${said}` };
  }
  const isSilent = report === "" && last.error instanceof NothingSaid;
  if (last.error !== undefined && !isSilent) {
    return { status: "failed", text: `The sub-agent failed: ${describe(last.error)}${said}` };
  }
  if (last.stop === "refusal") {
    return { status: "failed", text: `The sub-agent's model refused the job${said}` };
  }
  if (report === "") {
    const text = `${NO_REPORT}. Do the job yourself, or hire one with a smaller task`;
    return { status: "failed", text };
  }
  const cut = "\n[the report was cut at the output limit]";
  return { status: "ok", text: last.stop === "length" ? report + cut : report };
}

/** The text of the newest reply, if nothing came after it: one with calls is no report. */
function lastText(messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return "";
  return last.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("").trim();
}

function changesText(changed: readonly string[]): string[] {
  return changed.length === 0 ? [] : [`Files it changed: ${changed.join(", ")}`];
}

/** What it was not allowed counts, whatever its report says about it. */
function refusalsText(calls: readonly CallOutcome[]): string[] {
  const refused = calls.filter(({ result }) => result.status === "denied");
  if (refused.length === 0) return [];
  const names = [...new Set(refused.map(({ call }) => call.name))].join(", ");
  return [
    `${counted(refused.length, "call")} of it ${
      refused.length === 1 ? "was" : "were"
    } refused: ${names}`,
  ];
}

function isUnapproved({ decision, result }: CallOutcome): boolean {
  return decision.by === "nobody" || result.meta?.[META_UNAPPROVED] === true;
}
