/** What one try of a request ended in, before it is decided whether there is another one. */
import type { ProviderError, ProviderErrorKind, Usage } from "@/protocol/provider.ts";
import type { Secret } from "@/lib/secret.ts";
import type { ConnectionProblem } from "./http.ts";
import type { Connection } from "./connection.ts";
import type { ErrorBody } from "./error_body.ts";
import type { ErrorRows } from "./errors.ts";

/** Whom a request was for; error sentences name all of it. */
export type Target = {
  connection: Connection;
  model?: string;
  /** Causes that only this kind of server has: looked at before all others. */
  rows?: ErrorRows;
  /** What besides the key must not be told. */
  secrets?: readonly Secret[];
};

/** What went wrong, as plain facts. */
export type Failure =
  | {
    at: "connection";
    problem:
      | ConnectionProblem
      | "silent_before"
      | "silent_after"
      | "cut"
      | "garbled"
      | "model_fault";
    /** The system's words, or ours. */
    words: string;
    variable?: string;
    afterMs?: number;
  }
  | {
    at: "reply";
    /** The HTTP status, or the one that an error in mid-stream would have had. */
    status: number;
    body: ErrorBody;
    headers: Headers;
    /** It came after the status 200. */
    inStream: boolean;
    /** The message of the request that it names. */
    messageIndex?: number;
  };

/**
 * Whether another try makes sense: never, one more at once (a server may be just restarting), or several. `soon`:
 * the first of them need not wait for the usual back-off.
 */
export type RetryAdvice = { again: "no" | "once" | "yes"; soon: boolean; afterMs?: number };

/** One cause of failure: what it looks like, the sentence, what to do next, and whether another try makes sense. */
export type ErrorRow<Fact> = {
  name: string;
  when(fact: Fact, target: Target): boolean;
  kind: ProviderErrorKind;
  message(fact: Fact, target: Target): string;
  hint(fact: Fact, target: Target): string;
  again: RetryAdvice["again"] | ((target: Target) => RetryAdvice["again"]);
  /** The first further try need not wait. */
  soon?: boolean;
};

/** Thrown by a wire's single try; the retrying stream turns it into a wait or into the error itself. */
export class FailedAttempt extends Error {
  override readonly name = "FailedAttempt";
  readonly error: ProviderError;
  readonly advice: RetryAdvice;
  readonly failure: Failure;
  /** What the try had cost by then, where the wire told it. */
  usage?: Usage;

  constructor(error: ProviderError, advice: RetryAdvice, failure: Failure) {
    super(error.message, { cause: error });
    this.error = error;
    this.advice = advice;
    this.failure = failure;
  }
}
