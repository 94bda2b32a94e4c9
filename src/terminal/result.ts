/** The one document that a headless run ends with, and the exit code that goes with it. */
import type { Event, TurnStop } from "@/protocol/event.ts";
import { PersonError } from "@/protocol/error.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import { addUsage, NO_USAGE, ProviderError, type Usage } from "@/protocol/provider.ts";
import { META_UNAPPROVED } from "@/lib/tool_meta.ts";
import { describe } from "@/lib/describe.ts";
import { seenFrom } from "@/lib/path_within.ts";
import { EXIT, exitCodeOfError } from "./exit_code.ts";

/** What went wrong, in the words a person can act on. */
export type ResultError = { kind: string; message: string; hint: string };

/** The `json` document and the last `jsonl` record; version 1. */
export type ResultDocument = {
  version: 1;
  session: string;
  id: string;
  model: string;
  answer: string;
  stop: TurnStop;
  exitCode: number;
  requests: number;
  durationMs: number;
  usage: Usage;
  otherUsage: Usage;
  cost: number | null;
  calls: readonly {
    id: string;
    name: string;
    verdict: string;
    by: string;
    asked: boolean;
    status: string;
    ms: number;
  }[];
  changed: readonly string[];
  error?: ResultError;
};

/** The exit code of a turn. A signal that ended the program overrides it. */
export function exitCodeOf(outcome: TurnOutcome): number {
  const isUnapproved = outcome.calls.some(({ decision, result }) =>
    decision.by === "nobody" || result.meta?.[META_UNAPPROVED] === true
  );
  switch (outcome.stop) {
    case "end":
    case "tool_calls":
      return isUnapproved ? EXIT.unapproved : EXIT.done;
    case "limit":
      return isUnapproved && outcome.error === undefined ? EXIT.unapproved : EXIT.limit;
    case "length":
      return EXIT.limit;
    case "refusal":
      return EXIT.failed;
    case "error":
      return exitCodeOfError(outcome.error);
    case "abort":
      return EXIT.interrupted;
  }
}

/** An error as the JSON result tells it. */
export function errorOf(error: unknown): ResultError {
  if (error instanceof ProviderError || error instanceof PersonError) {
    return { kind: error.kind, message: error.message, hint: error.hint };
  }
  return { kind: "internal", message: describe(error), hint: "" };
}

/** Sums the usage of one turn from its events, the turn's own requests apart from all others. */
export class UsageFold {
  own: Usage = NO_USAGE;
  /** The turn's own requests, one by one: prices may rise with a request's size. */
  readonly requests: Usage[] = [];
  other: Usage = NO_USAGE;

  readonly sink = (event: Event): void => {
    if (event.type !== "usage") return;
    if (event.purpose === "turn") {
      this.requests.push(event.usage);
      this.own = addUsage(this.own, event.usage);
    } else this.other = addUsage(this.other, event.usage);
  };
}

export type RunFacts = {
  session: string;
  id: string;
  model: string;
  durationMs: number;
  usage: UsageFold;
  /** What a request cost, in dollars; null where the price is not known. */
  cost(usage: Usage): number | null;
  /** Real path of the workspace: paths inside it are told relative to it. */
  workspace: string;
  exitCode?: number;
};

/** Build the document of a turn. */
export function resultDocument(outcome: TurnOutcome, facts: RunFacts): ResultDocument {
  const changed = new Set<string>();
  for (const { result } of outcome.calls) {
    for (const path of result.changed ?? []) changed.add(seenFrom(facts.workspace, path));
  }
  return {
    version: 1,
    session: facts.session,
    id: facts.id,
    model: facts.model,
    answer: outcome.answer,
    stop: outcome.stop === "tool_calls" ? "end" : outcome.stop,
    exitCode: facts.exitCode ?? exitCodeOf(outcome),
    requests: outcome.requests,
    durationMs: Math.round(facts.durationMs),
    usage: facts.usage.own,
    otherUsage: facts.usage.other,
    cost: total(facts.usage.requests.map((usage) => facts.cost(usage))),
    calls: outcome.calls.map(({ call, result, decision, asked, ms }) => ({
      id: call.id,
      name: call.name,
      verdict: decision.verdict,
      by: decision.by,
      asked,
      status: result.status,
      ms,
    })),
    changed: [...changed],
    ...failure(outcome),
  };
}

function failure(outcome: TurnOutcome): { error?: ResultError } {
  if (outcome.error !== undefined) return { error: errorOf(outcome.error) };
  if (outcome.stop !== "refusal") return {};
  const hint = "Say the request in other words, or choose another model with -m";
  return { error: { kind: "refusal", message: "The model refused to answer", hint } };
}

/** A sum that is known only if each part is; nothing asked for costs nothing that is known. */
function total(costs: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const cost of costs) {
    if (cost === null) return null;
    sum += cost;
  }
  return costs.length === 0 ? null : sum;
}
