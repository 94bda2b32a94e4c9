/** One case at least for each row of the error tables: what was seen, and what the sentence must name. */
import type { ProviderErrorKind } from "@/protocol/provider.ts";
import { connectionOf, type ConnectionSources } from "@/provider/connection.ts";
import { readErrorText, readErrorValue } from "@/provider/error_body.ts";
import type { Failure, RetryAdvice, Target } from "@/provider/failure.ts";
import { factsOf } from "../support/wire_options.ts";

const savedIn = "/state/providers.json";
const cloud = {
  name: "anthropic",
  title: "Anthropic",
  keyVariables: ["ANTHROPIC_API_KEY"],
  baseUrlVariable: "ANTHROPIC_BASE_URL",
  defaultBaseUrl: "https://api.anthropic.com",
};

export type Case = {
  row: string;
  failure: Failure;
  ollama?: boolean;
  sources?: Partial<ConnectionSources>;
  kind: ProviderErrorKind;
  /** What the sentence and the hint must name. */
  names: RegExp[];
  again: RetryAdvice["again"];
};

export const fromEnv = { env: { ANTHROPIC_API_KEY: "sesame" } };
const fromFile = { saved: { api_key: "sesame" } };

function lost(
  problem: Extract<Failure, { at: "connection" }>["problem"],
  words = "",
  more = {},
): Failure {
  return { at: "connection", problem, words, ...more };
}

export function reply(
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): Failure {
  const read = typeof body === "string" ? readErrorText(body) : readErrorValue(body);
  return { at: "reply", status, body: read, headers: new Headers(headers), inStream: false };
}

export const said = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
});

export const CASES: Case[] = [
  {
    row: "offline",
    failure: lost("offline"),
    kind: "connection",
    names: [/Nothing was sent to api\.anthropic\.com: --offline/],
    again: "no",
  },
  {
    row: "Ollama is not running",
    ollama: true,
    failure: lost("refused"),
    kind: "connection",
    names: [
      /Ollama does not answer: nothing listens at http:\/\/127\.0\.0\.1:11434 \(from the default\)/,
      /ollama serve/,
      /OLLAMA_HOST/,
    ],
    again: "once",
  },
  {
    row: "nothing listens",
    failure: lost("refused"),
    sources: { baseUrl: "http://box:8000" },
    kind: "connection",
    names: [/http:\/\/box:8000 \(from --base-url\)/, /correct --base-url/],
    again: "once",
  },
  {
    row: "unknown host",
    failure: lost("unknown_host"),
    sources: { env: { ANTHROPIC_BASE_URL: "https://api.antropic.com" } },
    kind: "connection",
    names: [/No host named "api\.antropic\.com"/, /ANTHROPIC_BASE_URL/, /HTTPS_PROXY/],
    again: "once",
  },
  {
    row: "unknown host",
    failure: lost("unknown_host"),
    kind: "connection",
    names: [/api\.anthropic\.com \(from the default\)/],
    again: "yes",
  },
  {
    row: "unreachable",
    failure: lost("unreachable"),
    kind: "connection",
    names: [/api\.anthropic\.com cannot be reached/, /HTTPS_PROXY/],
    again: "yes",
  },
  {
    row: "certificate",
    failure: lost("certificate", "x: invalid peer certificate: UnknownIssuer"),
    kind: "connection",
    names: [/certificate of api\.anthropic\.com is not trusted: "UnknownIssuer"/, /SSL_CERT_FILE/],
    again: "no",
  },
  {
    row: "proxy",
    failure: lost("proxy", "x: unsuccessful tunnel", { variable: "https_proxy" }),
    kind: "connection",
    names: [/The proxy of https_proxy did not let/, /NO_PROXY/],
    again: "once",
  },
  {
    row: "certificate file",
    failure: lost("ca_file", 'Cannot use the certificates in "/x": No such file'),
    kind: "connection",
    names: [/in "\/x": No such file/, /SSL_CERT_FILE/],
    again: "no",
  },
  {
    row: "blocked port",
    failure: lost("blocked"),
    sources: { baseUrl: "http://box:6000" },
    kind: "connection",
    names: [/port of http:\/\/box:6000/, /--base-url/],
    again: "no",
  },
  {
    row: "silent from the start",
    ollama: true,
    failure: lost("silent_before", "", { afterMs: 600_000 }),
    kind: "connection",
    names: [/sent nothing for 10 min/, /FIRST_TOKEN_TIMEOUT/, /load/],
    again: "yes",
  },
  {
    row: "silent in the middle",
    failure: lost("silent_after", "", { afterMs: 60_000 }),
    kind: "connection",
    names: [/fell silent .* for 60 s/, /STREAM_IDLE_TIMEOUT/],
    again: "yes",
  },
  {
    row: "reply cut off",
    failure: lost("cut"),
    kind: "connection",
    names: [/reply of Anthropic ended before it was complete/, /proxy/],
    again: "yes",
  },
  {
    row: "not the protocol",
    failure: lost("garbled", "<html>"),
    kind: "connection",
    names: [/"<html>"/, /ANTHROPIC_BASE_URL/],
    again: "once",
  },
  {
    row: "connection lost",
    failure: lost("lost", "x: connection reset by peer"),
    kind: "connection",
    names: [/connection to api\.anthropic\.com was lost: "connection reset by peer"/],
    again: "yes",
  },
  {
    row: "redirect",
    failure: reply(308, "", { location: "https://new.example/v1" }),
    kind: "not_found",
    names: [/"https:\/\/new\.example\/v1"/, /ANTHROPIC_BASE_URL or --base-url/],
    again: "no",
  },
  {
    row: "web page",
    failure: reply(403, "<!doctype html><p>Sign in to the hotel</p>"),
    kind: "not_found",
    names: [/web page \(HTTP 403\)/, /\/v1/],
    again: "no",
  },
  {
    row: "window overflow",
    failure: reply(
      400,
      said("invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum"),
    ),
    kind: "overflow",
    names: [/does not fit the context window of "some-model"/, /212345/, /\/compact/],
    again: "no",
  },
  {
    row: "too large",
    failure: reply(413, said("request_too_large", "Request exceeds the maximum size")),
    kind: "too_large",
    names: [/too large for Anthropic/, /image/],
    again: "no",
  },
  {
    row: "quota",
    failure: reply(402, said("billing_error", "Your credit balance is too low")),
    sources: fromEnv,
    kind: "quota",
    names: [/behind the key from ANTHROPIC_API_KEY is used up/, /billing page of Anthropic/],
    again: "no",
  },
  {
    row: "quota",
    failure: reply(429, {
      error: { message: "You exceeded your current quota", code: "insufficient_quota" },
    }),
    kind: "quota",
    names: [/insufficient_quota/],
    again: "no",
  },
  {
    row: "quota",
    failure: reply(429, {
      error: {
        message: "x",
        status: "RESOURCE_EXHAUSTED",
        details: [{
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [{ quotaId: "GenerateRequestsPerDayPerProject" }],
        }],
      },
    }),
    kind: "quota",
    names: [/RESOURCE_EXHAUSTED/],
    again: "no",
  },
  {
    row: "rate limit",
    failure: reply(429, said("rate_limit_error", "This request would exceed the rate limit")),
    kind: "rate_limit",
    names: [/takes no more requests/, /rate_limit_error, HTTP 429/],
    again: "yes",
  },
  {
    row: "rate limit",
    failure: reply(413, {
      error: { message: "Request too large for model on tokens per minute (TPM)" },
    }),
    kind: "rate_limit",
    names: [/HTTP 413/],
    again: "yes",
  },
  {
    row: "Ollama sign-in",
    ollama: true,
    failure: reply(401, { error: "unauthorized", signin_url: "https://ollama.com/connect?x" }),
    kind: "auth",
    names: [/cloud/, /ollama signin/, /https:\/\/ollama\.com\/connect\?x/, /OLLAMA_API_KEY/],
    again: "no",
  },
  {
    row: "no key",
    failure: reply(401, said("authentication_error", "x-api-key header is required")),
    kind: "auth",
    names: [/wants a key and none is set/, /Set ANTHROPIC_API_KEY or use \/connect anthropic/],
    again: "no",
  },
  {
    row: "variable hides saved key",
    failure: reply(401, said("authentication_error", "invalid x-api-key")),
    sources: { ...fromEnv, saved: { api_key: "other" } },
    kind: "auth",
    names: [
      /the key from ANTHROPIC_API_KEY: "invalid x-api-key" \(authentication_error, HTTP 401\)/,
      /may be stale/,
      /\/state\/providers\.json/,
    ],
    again: "no",
  },
  {
    row: "key refused",
    failure: reply(401, said("authentication_error", "invalid x-api-key")),
    sources: fromEnv,
    kind: "auth",
    names: [
      /Anthropic did not accept the key from ANTHROPIC_API_KEY/,
      /unset it and use \/connect anthropic/,
    ],
    again: "no",
  },
  {
    row: "key refused",
    failure: reply(400, {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
      },
    }),
    sources: fromFile,
    kind: "auth",
    names: [/the key saved in \/state\/providers\.json/, /\/connect anthropic/],
    again: "no",
  },
  {
    row: "no rights",
    failure: reply(403, said("permission_error", "no access")),
    sources: fromEnv,
    kind: "auth",
    names: [/does not let the key from ANTHROPIC_API_KEY use "some-model"/, /\/models/],
    again: "no",
  },
  {
    row: "model not pulled",
    ollama: true,
    failure: reply(404, { error: 'model "some-model" not found, try pulling it first' }),
    kind: "not_found",
    names: [/does not have "some-model"/, /ollama pull some-model/, /OLLAMA_HOST/],
    again: "no",
  },
  {
    row: "unknown model",
    failure: reply(404, said("not_found_error", "model: some-model")),
    kind: "not_found",
    names: [/no model named "some-model"/, /\/models/],
    again: "no",
  },
  {
    row: "wrong base URL",
    failure: reply(404, "404 page not found"),
    sources: { baseUrl: "http://box:8000" },
    kind: "not_found",
    names: [
      /no such API at http:\/\/box:8000 \(from --base-url\)/,
      /usual address is https:\/\/api\.anthropic\.com/,
    ],
    again: "no",
  },
  {
    row: "model too big",
    ollama: true,
    failure: reply(500, {
      error: "model requires more system memory (12.0 GiB) than is available (7.9 GiB)",
    }),
    kind: "invalid_request",
    names: [/not enough memory for "some-model"/, /NUM_CTX/],
    again: "no",
  },
  {
    row: "no tools",
    ollama: true,
    failure: reply(400, { error: "registry.ollama.ai/library/gemma3 does not support tools" }),
    kind: "invalid_request",
    names: [/native tool calls/, /NATIVE_TOOLS off/],
    again: "no",
  },
  {
    row: "Ollama is busy",
    ollama: true,
    failure: reply(503, {
      error: "server busy, please try again.  maximum pending requests exceeded",
    }),
    kind: "overloaded",
    names: [/too many requests waiting/, /OLLAMA_MAX_QUEUE/],
    again: "yes",
  },
  {
    row: "Ollama cloud unreachable",
    ollama: true,
    failure: reply(502, { error: "bad gateway" }),
    kind: "overloaded",
    names: [/cannot reach its cloud/],
    again: "yes",
  },
  {
    row: "timed out",
    failure: reply(408),
    kind: "overloaded",
    names: [/gave the request up/],
    again: "yes",
  },
  {
    row: "timed out",
    failure: reply(409, said("conflict_error", "x")),
    kind: "overloaded",
    names: [/conflict_error/],
    again: "yes",
  },
  {
    row: "overloaded",
    failure: reply(529, said("overloaded_error", "Overloaded")),
    kind: "overloaded",
    names: [/"Overloaded" \(overloaded_error, HTTP 529\)/],
    again: "yes",
  },
  {
    row: "overloaded",
    failure: reply(500, "<html>oops</html>"),
    kind: "overloaded",
    names: [/"oops"/],
    again: "yes",
  },
  {
    row: "refused request",
    failure: reply(400, said("invalid_request_error", "messages: roles must alternate")),
    kind: "invalid_request",
    names: [/refused the request: "messages: roles must alternate"/],
    again: "no",
  },
  { row: "strange reply", failure: reply(204), kind: "unknown", names: [/HTTP 204/], again: "no" },
];

/** Whom a case's request was for. */
export function target({ ollama = false, sources = {} }: Case): Target {
  const facts = ollama ? factsOf("ollama") : cloud;
  return { connection: connectionOf(facts, { env: {}, savedIn, ...sources }), model: "some-model" };
}
