/** What a refusal is about, told by its codes first and by its words where servers have no code for it. */
import { isObject } from "@/lib/json.ts";
import type { ErrorBody } from "./error_body.ts";

const MONEY_CODES: ReadonlySet<string> = new Set([
  "insufficient_quota",
  "billing_error",
  "billing_hard_limit_reached",
  "billing_not_active",
  "enforced_spend_limit_reached",
  "1308", // Z.ai: the plan's limit, for hours
  "1113", // Z.ai: no balance
]);

/** Too many requests or tokens in a time, whatever the status. */
export function isRate(body: ErrorBody): boolean {
  return /rate.?limit|too many requests|tokens per (?:minute|day|hour)|throttl/i.test(
    `${body.type ?? ""} ${body.code ?? ""} ${body.message}`,
  );
}

/** An image, or another item of the conversation, that the server will never take. */
export function isRejectedItem(body: ErrorBody): boolean {
  if (
    /image_(?:dimensions_too_large|parse_error)|invalid_image/.test(
      `${body.code} ${errorCode(body.details)}`,
    )
  ) return true;
  return /image (?:exceeds|dimensions)|could not process image|dimensions exceed|unsupported image|invalid image|unable to process input image|failed to decode image|illegal base64/i
    .test(body.message);
}

/** Money or a plan is used up: waiting a minute does not help. */
export function isMoney(body: ErrorBody): boolean {
  if (MONEY_CODES.has(body.code ?? "") || MONEY_CODES.has(body.type ?? "")) return true;
  if (MONEY_CODES.has(errorCode(body.details) ?? "")) return true;
  return /credit balance is too low|insufficient (?:balance|credits|funds|quota)/i.test(
    body.message,
  );
}

/** Gemini's limit for a day, or one that is zero. Its per-minute limit has the same status and nearly the same text. */
export function isDailyQuota(body: ErrorBody): boolean {
  if (!Array.isArray(body.details)) return false;
  const violations = body.details.filter(isObject)
    .filter((detail) => String(detail["@type"] ?? "").endsWith("QuotaFailure"))
    .flatMap((detail) =>
      Array.isArray(detail.violations) ? detail.violations.filter(isObject) : []
    );
  return violations.some((violation) =>
    /per_?day/i.test(`${violation.quotaId ?? ""} ${violation.quotaMetric ?? ""}`) ||
    String(violation.quotaValue ?? "") === "0"
  ) || /limit: 0\b/.test(body.message);
}

/** The key is missing or not accepted. Gemini says so with a 400. */
export function isKeyProblem({ status, body }: { status: number; body: ErrorBody }): boolean {
  if (status === 401) return true;
  if (status !== 400 && status !== 403) return false;
  return /API key not valid|API_KEY_INVALID|API key (?:is )?(?:missing|required)|valid API key|unregistered callers/i
    .test(`${body.message} ${JSON.stringify(body.details ?? "")}`);
}

/** The status that an error in the middle of a 200 stream would have had as a reply of its own. */
export function statusOf(body: ErrorBody): number {
  const numeric = Number(body.code);
  if (Number.isInteger(numeric) && numeric >= 400 && numeric < 600) return numeric;
  const named = [body.type, body.code].map((name) => STATUS_OF.get(name ?? "")).find(Boolean);
  if (named !== undefined) return named;
  return WORDS_OF.find(([words]) => words.test(body.message))?.[1] ?? 500;
}

const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["INVALID_ARGUMENT", 400],
  ["FAILED_PRECONDITION", 400],
  ["exceed_context_size_error", 400],
  ["context_length_exceeded", 400],
  ["authentication_error", 401],
  ["invalid_api_key", 401],
  ["UNAUTHENTICATED", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["PERMISSION_DENIED", 403],
  ["not_found_error", 404],
  ["model_not_found", 404],
  ["NOT_FOUND", 404],
  ["conflict_error", 409],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["insufficient_quota", 429],
  ["RESOURCE_EXHAUSTED", 429],
  ["api_error", 500],
  ["server_error", 500],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["timeout_error", 504],
  ["DEADLINE_EXCEEDED", 504],
  ["overloaded_error", 529],
]);

/** Ollama's errors are texts alone. */
const WORDS_OF: readonly (readonly [RegExp, number])[] = [
  [/not found|try pulling/i, 404],
  [/unauthorized/i, 401],
  [/does not support|longer than the context|context (?:size|length|window)|invalid/i, 400],
  [/too many requests|rate limit/i, 429],
  [/server busy|maximum pending requests/i, 503],
];

function errorCode(details: unknown): string | undefined {
  return isObject(details) && typeof details.error_code === "string"
    ? details.error_code
    : undefined;
}
