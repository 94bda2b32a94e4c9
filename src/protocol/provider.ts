/** One model API, whichever wire it speaks. */
import type { Message, ProviderPrivate, StopReason } from "./message.ts";
import type { ToolDefinition } from "./tool.ts";

/** One model API. `stream` throws only ProviderError (or the signal's reason); a refusal is a stop reason. */
export interface Provider {
  readonly name: string;
  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent>;
}

/** All that one request says. `messages` is a valid history: every call answered, in order. */
export interface Request {
  model: string;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  /** Cap on what the model may write, in tokens. */
  outputTokensMax: number;
  hints: RequestHints;
  /** Resolves when it may leave, once what led to it is on disk; it is put together meanwhile. Absent for at once. */
  after?: Promise<void>;
}

/** Wishes; a provider that has no place for one ignores it and never fails because of it. */
export type RequestHints = {
  thinking?: "off" | "adaptive";
  effort?: "low" | "medium" | "high" | "max";
  cacheTtl?: "5m" | "1h";
  /** A name that the requests of one conversation share, so that they reach the server that has their prefix. */
  cacheKey?: string;
};

/** What arrives, in wire order. `done` is the last event of a reply that ended; a stream without it was broken. */
export type ProviderEvent =
  | { type: "delta"; channel: "text" | "thinking"; text: string }
  /** The text or thinking block shown so far is complete and carries private data. */
  | { type: "block_end"; channel: "text" | "thinking"; private: ProviderPrivate }
  | ProviderToolCall
  /**
   * The request is being tried again: deltas since the last message are void if `discarded`. `usage` is what the
   * broken try had cost, where the wire told it. Attempt 0 tries nothing again: what was shown turned out not to be
   * the answer.
   */
  | {
    type: "retry";
    reason: string;
    attempt: number;
    waitMs: number;
    discarded: boolean;
    usage?: Usage;
  }
  /** Something the person should know that is not a failure (for example: the server cut the prompt). */
  | { type: "notice"; level: "info" | "warn"; text: string; about?: string }
  | {
    type: "done";
    stop: StopReason;
    usage: Usage;
    /** The model that really answered. */
    model: string;
    /** Why a reply of stop "length" is not whole and what can be done, where that is not the cap on a reply. */
    cut?: string;
    private?: readonly ProviderPrivate[];
  };

/** A call, complete, however many fragments the wire cut it into. With `damage` it must not run. */
export type ProviderToolCall = {
  type: "tool_call";
  id: string;
  name: string;
  input: unknown;
  raw?: readonly string[];
  damage?: string;
  private?: ProviderPrivate;
};

/** The four kinds of tokens, which never overlap, whichever API answered. */
export type TokenKind = "input" | "output" | "cacheRead" | "cacheWrite";

/** Tokens by kind. `cacheWrite1h` is the part of `cacheWrite` that is kept for an hour, which costs more. */
export type Usage = Record<TokenKind, number> & { cacheWrite1h?: number };

/** No tokens at all. */
export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cacheWrite1h = (a.cacheWrite1h ?? 0) + (b.cacheWrite1h ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(cacheWrite1h === 0 ? {} : { cacheWrite1h }),
  };
}

/** What kind of failure a provider met; decides retry, compaction and the sentence. */
export type ProviderErrorKind =
  | "auth" // key missing, wrong or without rights
  | "not_found" // model or endpoint unknown
  | "overflow" // the prompt does not fit the window
  | "too_large" // the request is too large in bytes, or an item of it was rejected
  | "rate_limit"
  | "overloaded" // 5xx, 529, overload in mid-stream
  | "connection" // no connection, lost before the end, or silent for too long
  | "invalid_request"
  | "no_tools" // the model takes no native tool calls on this server
  | "quota" // money or plan is used up
  | "unknown";

/** The only error a provider throws. `message` names what happened, `hint` what to do next. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  readonly hint: string;
  readonly status?: number;
  readonly requestId?: string;
  /** The server's own words, whole, at most 2,000 characters. */
  readonly detail?: string;
  /** Which of the request's messages the server named as the one that it rejects. */
  readonly messageIndex?: number;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    more: {
      hint?: string;
      status?: number;
      requestId?: string;
      detail?: string;
      messageIndex?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.kind = kind;
    this.hint = more.hint ?? "";
    if (more.status !== undefined) this.status = more.status;
    if (more.requestId !== undefined) this.requestId = more.requestId;
    if (more.detail !== undefined) this.detail = more.detail;
    if (more.messageIndex !== undefined) this.messageIndex = more.messageIndex;
  }

  /** The same error with some of it said in another way; this one is its cause. */
  with(
    changes: { message?: string; hint?: string; messageIndex?: number | undefined },
  ): ProviderError {
    const { kind, hint, status, requestId, detail, messageIndex } = { ...this, ...changes };
    return new ProviderError(kind, changes.message ?? this.message, {
      hint,
      cause: this,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(detail === undefined ? {} : { detail }),
      ...(messageIndex === undefined ? {} : { messageIndex }),
    });
  }
}
