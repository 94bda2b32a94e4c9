/**
 * Errors that a person can act on: each names its cause and the places to look. What was seen (a failure) is looked
 * up in two tables, connection_errors.ts and reply_errors.ts, behind the rows that a kind of server brings itself;
 * nothing else words a provider error.
 */
import { ProviderError } from "@/protocol/provider.ts";
import { redact } from "@/lib/secret.ts";
import { CONNECTION_ROWS, type ConnectionRow } from "./connection_errors.ts";
import {
  type ErrorRow,
  FailedAttempt,
  type Failure,
  type RetryAdvice,
  type Target,
} from "./failure.ts";
import { REPLY_ROWS, type ReplyRow } from "./reply_errors.ts";
import { serverDelayMs } from "./retry_after.ts";

/** Causes that one kind of server has. */
export type ErrorRows = {
  readonly connection: readonly ConnectionRow[];
  readonly reply: readonly ReplyRow[];
};

/** Names of the rows that hold for every server, in the order in which they are tried. */
export const ERROR_ROWS: readonly string[] = [
  ...CONNECTION_ROWS.map(({ name }) => name),
  ...REPLY_ROWS.map(({ name }) => name),
];

const REQUEST_ID_HEADERS = [
  "request-id",
  "x-request-id",
  "x-amzn-requestid",
  "x-groq-request-id",
  "mistral-correlation-id",
  "cf-ray",
];

/** A failed try as an error with advice on trying again. `now` is the time in milliseconds, for waits until a date. */
export function failedAttempt(target: Target, seen: Failure, now: number): FailedAttempt {
  const failure = cleaned(seen, target);
  return failure.at === "connection"
    ? connectionError(failure, target)
    : replyError(failure, target, now);
}

/** The name of the row that words a failure. */
export function rowOf(target: Target, failure: Failure): string {
  return failure.at === "connection"
    ? connectionRow(failure, target).name
    : replyRow(failure, target).name;
}

type ConnectionFact = Extract<Failure, { at: "connection" }>;
type ReplyFact = Extract<Failure, { at: "reply" }>;

function connectionError(fact: ConnectionFact, target: Target): FailedAttempt {
  const row = connectionRow(fact, target);
  const error = new ProviderError(row.kind, row.message(fact, target), {
    hint: row.hint(fact, target),
    detail: fact.words,
  });
  const advice = { again: againOf(row, target), soon: row.soon ?? false };
  return new FailedAttempt(error, advice, fact);
}

function replyError(fact: ReplyFact, target: Target, now: number): FailedAttempt {
  const row = replyRow(fact, target);
  const { body, headers, status, inStream, messageIndex } = fact;
  const requestId = body.requestId ?? requestIdOf(headers);
  const error = new ProviderError(row.kind, row.message(fact, target), {
    hint: row.hint(fact, target),
    detail: body.message,
    ...(inStream ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(messageIndex === undefined ? {} : { messageIndex }),
  });
  return new FailedAttempt(error, adviceOf(againOf(row, target), fact, now), fact);
}

function againOf({ again }: ErrorRow<never>, target: Target): RetryAdvice["again"] {
  return typeof again === "function" ? again(target) : again;
}

function adviceOf(again: RetryAdvice["again"], fact: ReplyFact, now: number): RetryAdvice {
  const said = fact.headers.get("x-should-retry")?.trim().toLowerCase();
  const advised = said === "true" ? "yes" : said === "false" ? "no" : again;
  const afterMs = serverDelayMs(fact.headers, fact.body, now);
  return { again: advised, soon: false, ...(afterMs === undefined ? {} : { afterMs }) };
}

function connectionRow(fact: ConnectionFact, target: Target): ConnectionRow {
  const row = [...target.rows?.connection ?? [], ...CONNECTION_ROWS].find((candidate) =>
    candidate.when(fact, target)
  );
  if (row === undefined) throw new Error("The table of connection errors has no last row");
  return row;
}

function replyRow(fact: ReplyFact, target: Target): ReplyRow {
  const row = [...target.rows?.reply ?? [], ...REPLY_ROWS].find((candidate) =>
    candidate.when(fact, target)
  );
  if (row === undefined) throw new Error("The table of reply errors has no last row");
  return row;
}

function requestIdOf(headers: Headers): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const id = headers.get(name);
    if (id !== null && id !== "") return id;
  }
  return undefined;
}

/** Nothing that a server or the system said gets further before keys are out of it. */
function cleaned(failure: Failure, { connection, secrets: more = [] }: Target): Failure {
  const secrets = [connection.key, connection.userInfo, ...more];
  if (failure.at === "connection") return { ...failure, words: redact(failure.words, secrets) };
  const body = { ...failure.body, message: redact(failure.body.message, secrets) };
  return { ...failure, body };
}
