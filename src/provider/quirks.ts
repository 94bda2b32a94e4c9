/**
 * Where servers that speak Chat Completions differ from each other: one row a host, the model where that decides.
 * A host that is not listed gets the plain protocol, and what it refuses is learnt (adapt.ts). Facts of November 2026.
 */
import type { RequestHints } from "@/protocol/provider.ts";
import type { IdForm } from "./fitted_id.ts";

/** What of a reply's reasoning has to go back with the message it came with. */
export type ReasoningBack =
  | "no"
  /** `reasoning_content`, the field itself even where there was none. */
  | "content"
  /** `reasoning_content` where there was some. */
  | "content_if_any"
  /** `reasoning_details`, unchanged and in order. */
  | "details"
  /** Chunks of the content list. */
  | "chunks";

export type Quirks = {
  capField: "max_completion_tokens" | "max_tokens";
  ids: IdForm;
  reasoningBack: ReasoningBack;
  /** Fields that ask for thinking, or for none. */
  thinking(hints: RequestHints): Record<string, unknown>;
  /** What stands between a result and what a person says, where that may not follow directly. */
  bridge?: string;
  /** Whether `prompt_cache_key` is known: it leads requests of one conversation to the machine that has their prefix. */
  takesCacheKey: boolean;
};

type Row = { host: RegExp; model?: RegExp; quirks: Partial<Quirks> };

const PLAIN: Quirks = {
  capField: "max_completion_tokens",
  ids: { pattern: /^[a-zA-Z0-9_-]+$/, charsMax: 40 },
  reasoningBack: "no",
  thinking: effortUpTo("high"),
  takesCacheKey: false,
};

const OPENAI = /^api\.openai\.com$|\.openai\.azure\.com$/;

const ROWS: readonly Row[] = [
  { host: OPENAI, quirks: { takesCacheKey: true } },
  {
    host: /(^|\.)openrouter\.ai$/,
    quirks: { reasoningBack: "details", thinking: openRouterReasoning },
  },
  { host: /^api\.groq\.com$/, quirks: {} },
  {
    host: /^api\.together\.(?:xyz|ai)$/,
    quirks: { capField: "max_tokens", thinking: togetherReasoning },
  },
  // The first reasoner refuses what its successors demand.
  {
    host: /^api\.deepseek\.com$/,
    model: /reasoner|r1/i,
    quirks: { capField: "max_tokens", thinking: nothing },
  },
  {
    host: /^api\.deepseek\.com$/,
    quirks: {
      capField: "max_tokens",
      reasoningBack: "content",
      thinking: switched({ effortMax: true }),
    },
  },
  {
    host: /^api\.moonshot\.(?:ai|cn)$/,
    model: /k3/i,
    quirks: { reasoningBack: "content", thinking: effortUpTo("max") },
  },
  {
    host: /^api\.moonshot\.(?:ai|cn)$/,
    quirks: { reasoningBack: "content", thinking: switched({}) },
  },
  {
    host: /^(?:api\.z\.ai|open\.bigmodel\.cn)$/,
    quirks: {
      capField: "max_tokens",
      reasoningBack: "content_if_any",
      thinking: switched({ keeps: true }),
    },
  },
  {
    host: /^api\.minimax\.(?:io|chat)$/,
    quirks: {
      capField: "max_tokens",
      reasoningBack: "details",
      thinking: () => ({ reasoning_split: true }),
    },
  },
  {
    host: /^api\.mistral\.ai$/,
    quirks: {
      capField: "max_tokens",
      ids: { pattern: /^[a-zA-Z0-9]{9}$/, charsMax: 9 },
      reasoningBack: "chunks",
      bridge: "Understood.",
      takesCacheKey: true,
    },
  },
  { host: /^api\.x\.ai$/, model: /grok-4\.20/, quirks: { thinking: nothing } },
  { host: /^api\.cerebras\.ai$/, quirks: {} },
];

/** How to speak to a server about a model. */
export function quirksOf(baseUrl: string, model: string): Quirks {
  const { hostname } = new URL(baseUrl);
  const row = ROWS.find((candidate) =>
    candidate.host.test(hostname) && (candidate.model?.test(model) ?? true)
  );
  return { ...PLAIN, ...row?.quirks };
}

/** Whether a server is OpenAI's own: only there is a second wire, and only there are models known by their names. */
export function isOpenAi(baseUrl: string): boolean {
  return OPENAI.test(new URL(baseUrl).hostname);
}

function nothing(): Record<string, unknown> {
  return {};
}

/** `reasoning_effort` and nothing else: a word for "off" is a 400 for every model that cannot be switched off. */
function effortUpTo(strongest: "high" | "max") {
  return ({ effort }: RequestHints): Record<string, unknown> => {
    if (effort === undefined) return {};
    return { reasoning_effort: effort === "max" ? strongest : effort };
  };
}

function openRouterReasoning({ thinking, effort }: RequestHints): Record<string, unknown> {
  if (thinking === "off") return { reasoning: { enabled: false } };
  if (effort !== undefined) return { reasoning: { effort: effort === "max" ? "xhigh" : effort } };
  return thinking === "adaptive" ? { reasoning: { enabled: true } } : {};
}

function togetherReasoning({ thinking, effort }: RequestHints): Record<string, unknown> {
  const strength = effort === undefined
    ? {}
    : { reasoning_effort: effort === "max" ? "high" : effort };
  if (thinking === undefined) return strength;
  return { reasoning: { enabled: thinking === "adaptive" }, ...strength };
}

/** `thinking: {type}`, with the effort where the host knows one. */
function switched({ effortMax = false, keeps = false }: { effortMax?: boolean; keeps?: boolean }) {
  return ({ thinking, effort }: RequestHints): Record<string, unknown> => {
    const kept = keeps ? { clear_thinking: false } : {};
    const type = thinking === "off" ? "disabled" : "enabled";
    const asked = thinking === undefined
      ? {}
      : { thinking: { type, ...(type === "enabled" ? kept : {}) } };
    // Three words only: medium is what this host calls high.
    const strength = effort === "medium" ? "high" : effort;
    return strength === undefined || !effortMax || thinking === "off"
      ? asked
      : { ...asked, reasoning_effort: strength };
  };
}
