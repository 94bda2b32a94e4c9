/** How long a server asks to be left alone. There are six ways of saying it; the first that can be used counts. */
import { isObject } from "@/lib/json.ts";
import type { ErrorBody } from "./error_body.ts";

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * The wait in milliseconds that a reply asks for; undefined when it asks for none. What is zero, negative, past or
 * unreadable asks for none. `now` is the time in milliseconds, for a reply that does not say what time it is there.
 */
export function serverDelayMs(
  headers: Headers,
  body: ErrorBody,
  now: number,
): number | undefined {
  const there = Date.parse(headers.get("date") ?? "");
  const then = Number.isFinite(there) ? there : now;
  const found = [
    () => number(headers.get("retry-after-ms"), 1),
    () => number(headers.get("retry-after"), 1_000),
    () => untilDate(headers.get("retry-after"), then),
    () => retryInfo(body.details),
    () => inText(body.message),
    () => untilReset(headers, then),
  ];
  for (const look of found) {
    const delayMs = look();
    if (delayMs !== undefined && Number.isFinite(delayMs) && delayMs > 0) return Math.ceil(delayMs);
  }
  return undefined;
}

/** A duration such as `20ms`, `34.4s`, `6m0s`, `1h2m3.5s`; undefined when it is none. */
export function durationMs(text: string): number | undefined {
  const compact = text.trim();
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(compact)) return undefined;
  let total = 0;
  for (const [, amount = "", unit = ""] of compact.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (UNITS_MS[unit] ?? 0);
  }
  return total;
}

function number(value: string | null, unitMs: number): number | undefined {
  if (value === null || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value) * unitMs;
}

function untilDate(value: string | null, now: number): number | undefined {
  if (value === null || !/[a-z]/i.test(value)) return undefined;
  return Date.parse(value) - now;
}

/** Gemini sends no header: the delay is among the details. */
function retryInfo(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    if (isObject(detail) && typeof detail.retryDelay === "string") {
      return durationMs(detail.retryDelay);
    }
  }
  return undefined;
}

/** "Please try again in 5.289s", "Please retry in 26.6s", "try again in 1m2.5s", "in 20 seconds". */
function inText(message: string): number | undefined {
  const compact = /(?:try again|retry)(?: again)? (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)/i
    .exec(message)?.[1];
  if (compact !== undefined) return durationMs(compact.toLowerCase());
  const worded = /(?:try again|retry)(?: again)? (?:in|after) (\d+(?:\.\d+)?) (second|minute|hour)/i
    .exec(message);
  if (worded === null) return undefined;
  const [, amount = "", unit = ""] = worded;
  return Number(amount) * (UNITS_MS[unit.charAt(0).toLowerCase()] ?? 0);
}

/** The latest reset among Anthropic's buckets that are empty. */
function untilReset(headers: Headers, now: number): number | undefined {
  let latest: number | undefined;
  for (const bucket of ["requests", "tokens", "input-tokens", "output-tokens"]) {
    const name = `anthropic-ratelimit-${bucket}`;
    if (headers.get(`${name}-remaining`)?.trim() !== "0") continue;
    const reset = Date.parse(headers.get(`${name}-reset`) ?? "") - now;
    if (Number.isFinite(reset)) latest = Math.max(latest ?? 0, reset);
  }
  return latest;
}
