/** One case at least for each row of the error tables: what was seen, and what the sentence must name. */
import type { ProviderErrorKind } from "@/protocol/provider.ts";
import { connectionOf, type ConnectionSources } from "@/provider/connection.ts";
import { readErrorText, readErrorValue } from "@/provider/error_body.ts";
import { OLLAMA_ROWS } from "@/provider/ollama_errors.ts";
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
export const fromFile = { saved: { api_key: "sesame" } };

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

/** Requests that got no reply, or not the whole of it. */
export const CONNECTION_CASES: Case[] = [
  {
    row: "offline",
    failure: lost("offline"),
    kind: "connection",
    names: [/Nothing was sent to api\.anthropic\.com: --offline/],
    again: "no",
  },
  {
    row: "no key to send",
    failure: lost("no_key"),
    kind: "auth",
    names: [
      /Nothing was sent to api\.anthropic\.com: it wants a key and none is set/,
      /Set ANTHROPIC_API_KEY or .*\/connect anthropic/,
    ],
    again: "no",
  },
  {
    row: "key that is none",
    failure: lost("bad_key"),
    sources: fromEnv,
    kind: "auth",
    names: [
      /Nothing was sent to api\.anthropic\.com: the key from ANTHROPIC_API_KEY holds a character/,
      /into ANTHROPIC_API_KEY anew/,
    ],
    again: "no",
  },
  {
    row: "key that is none",
    failure: lost("bad_key"),
    sources: fromFile,
    kind: "auth",
    names: [/saved in \/state\/providers\.json/, /\/connect anthropic/],
    again: "no",
  },
  {
    row: "no TLS",
    failure: lost("no_tls"),
    sources: { baseUrl: "https://localhost:8080" },
    kind: "connection",
    names: [
      /No https is spoken at https:\/\/localhost:8080 \(from --base-url\)/,
      /http:\/\/ in --base-url/,
    ],
    again: "once",
  },
  {
    row: "no HTTP",
    failure: lost("no_http"),
    sources: { baseUrl: "http://box:8443" },
    kind: "connection",
    names: [/No plain http is spoken at http:\/\/box:8443/, /https:\/\/ in --base-url/],
    again: "once",
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
    row: "model fault",
    failure: lost("model_fault", "MALFORMED_FUNCTION_CALL"),
    kind: "unknown",
    names: [/"some-model" made a reply .*"MALFORMED_FUNCTION_CALL"/, /another model/],
    again: "once",
  },
  {
    row: "connection lost",
    failure: lost("lost", "x: connection reset by peer"),
    kind: "connection",
    names: [/connection to api\.anthropic\.com was lost: "connection reset by peer"/],
    again: "yes",
  },
];

/** Whom a case's request was for. */
export function target({ ollama = false, sources = {} }: Case): Target {
  const facts = ollama ? factsOf("ollama") : cloud;
  const connection = connectionOf(facts, { env: {}, savedIn, ...sources });
  return { connection, model: "some-model", ...(ollama ? { rows: OLLAMA_ROWS } : {}) };
}
