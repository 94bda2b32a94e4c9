/** Error sentences for what a server refused. The first row that fits is the one. */
import type { ErrorRow, Failure, Target } from "./failure.ts";
import { originText } from "./connection.ts";
import { isDailyQuota, isKeyProblem, isMoney, isRate, isRejectedItem } from "./error_signs.ts";
import { readOverflow } from "./overflow.ts";
import {
  address,
  addressPlace,
  capital,
  key,
  keyPlaces,
  model,
  quoted,
  said,
  server,
} from "./error_words.ts";

export type ReplyFact = Extract<Failure, { at: "reply" }>;

export type ReplyRow = ErrorRow<ReplyFact>;

const isSelfHosted = ({ connection }: Target) => connection.provider.isSelfHosted === true;
const hasKey = ({ connection }: Target) => connection.key !== undefined;

const ADDRESS_ROWS: readonly ReplyRow[] = [
  {
    name: "redirect",
    when: ({ status }) => status >= 300 && status < 400,
    kind: "not_found",
    message: ({ headers }, target) =>
      `${address(target)} sends requests on to ${
        quoted(headers.get("location") ?? "")
      }; keys are not sent after them`,
    hint: (_, target) => `If that is the right server, put it into ${addressPlace(target)}`,
    again: "no",
  },
  {
    name: "web page",
    when: ({ status, body }) => body.isPage && status < 500 && status !== 429,
    kind: "not_found",
    message: ({ status }, target) =>
      `${address(target)} answered with a web page (HTTP ${status}), not as the API does`,
    hint: (_, target) =>
      `Check ${
        addressPlace(target)
      }: it may lack a path such as /v1, or a proxy may stand in between`,
    again: "no",
  },
];

const SIZE_ROWS: readonly ReplyRow[] = [
  {
    name: "window overflow",
    when: ({ status, body }) => readOverflow(body, status) !== undefined,
    kind: "overflow",
    message: (fact, target) =>
      `The conversation does not fit the context window of ${model(target)}${said(fact)}`,
    hint: (_, target) =>
      isSelfHosted(target)
        ? "Use /compact, start a new session, or raise NUM_CTX"
        : "Use /compact, start a new session, or choose a model with a larger window",
    again: "no",
  },
  {
    name: "too large",
    when: ({ status, body }) => status === 413 && !isRate(body),
    kind: "too_large",
    message: (fact, target) => `The request is too large for ${server(target)}${said(fact)}`,
    hint: () => "An image or a long result is the usual cause; a new session starts without it",
    again: "no",
  },
  {
    name: "rejected item",
    when: ({ status, body }) => status === 400 && isRejectedItem(body),
    kind: "too_large",
    message: (fact, target) =>
      `${capital(server(target))} takes one item of the conversation for unusable${said(fact)}`,
    hint: () => "An image is the usual cause; a new session starts without it",
    again: "no",
  },
];

const LIMIT_ROWS: readonly ReplyRow[] = [
  {
    name: "quota",
    when: ({ status, body }) => status === 402 || isMoney(body) || isDailyQuota(body),
    kind: "quota",
    message: (fact, target) => `The plan or credit behind ${key(target)} is used up${said(fact)}`,
    hint: (_, target) =>
      `Look at the billing page of ${target.connection.provider.title}, or use another key or provider with /connect`,
    again: "no",
  },
  {
    name: "rate limit",
    when: ({ status, body }) => status === 429 || (status === 413 && isRate(body)),
    kind: "rate_limit",
    message: (fact, target) =>
      `${capital(server(target))} takes no more requests at the moment${said(fact)}`,
    hint: () => "Wait and try again, or use another model",
    again: "yes",
  },
];

const KEY_ROWS: readonly ReplyRow[] = [
  {
    name: "no key",
    when: (fact, target) => isKeyProblem(fact) && !hasKey(target),
    kind: "auth",
    message: (fact, target) =>
      `${capital(server(target))} wants a key and none is set${said(fact)}`,
    hint: (_, target) => capital(keyPlaces(target)),
    again: "no",
  },
  {
    name: "variable hides saved key",
    when: (fact, { connection }) => isKeyProblem(fact) && connection.hiddenKeyFrom !== undefined,
    kind: "auth",
    message: (fact, target) =>
      `${capital(server(target))} did not accept ${key(target)}${said(fact)}`,
    hint: (_, { connection }) => {
      const { keyFrom, hiddenKeyFrom } = connection;
      const variable = keyFrom === undefined ? "The variable" : originText(keyFrom);
      const file = hiddenKeyFrom === undefined ? "" : originText(hiddenKeyFrom);
      return `${variable} may be stale, and it hides another key saved in ${file}: unset or correct the variable`;
    },
    again: "no",
  },
  {
    name: "key refused",
    when: (fact) => isKeyProblem(fact),
    kind: "auth",
    message: (fact, target) =>
      `${capital(server(target))} did not accept ${key(target)}${said(fact)}`,
    hint: (_, target) => {
      const { keyFrom, provider, baseUrl } = target.connection;
      const elsewhere = `or belong to another server than ${baseUrl}`;
      return keyFrom?.kind === "variable"
        ? `It may be expired ${elsewhere}. Check ${keyFrom.name}, or unset it and use /connect ${provider.name}`
        : `It may be expired ${elsewhere}. Save a new one with /connect ${provider.name}, and check ${
          addressPlace(target)
        }`;
    },
    again: "no",
  },
  {
    name: "no rights",
    when: ({ status }) => status === 403,
    kind: "auth",
    message: (fact, target) =>
      `${capital(server(target))} does not let ${key(target)} use ${model(target)}${said(fact)}`,
    hint: (_, target) =>
      `Check what the key may do, or choose a model from /models; the key is changed with /connect ${target.connection.provider.name}`,
    again: "no",
  },
];

/** Ollama, vLLM, llama.cpp, OpenRouter, Gemini and their kin. */
const NO_TOOLS =
  /does not support (?:tools|tool use|(?:tool|function) calling)|tool.?call.?parser|--jinja|endpoints found that support tool use|(?:tools|tool use|(?:tool|function) calling) (?:is|are) not (?:supported|enabled)/i;

const MODEL_ROWS: readonly ReplyRow[] = [
  {
    name: "no tools",
    when: ({ status, body }) => [400, 404, 422].includes(status) && NO_TOOLS.test(body.message),
    kind: "no_tools",
    message: (fact, target) =>
      `${model(target)} takes no native tool calls on this server${said(fact)}`,
    hint: () =>
      "Turn them off with /set NATIVE_TOOLS off: the tools are then described in the prompt",
    again: "no",
  },
  {
    name: "unknown model",
    when: ({ status, body }) =>
      (status === 404 && /model/i.test(`${body.message} ${body.code ?? ""}`)) ||
      body.code === "model_not_found",
    kind: "not_found",
    message: (fact, target) =>
      `${capital(server(target))} has no model named ${model(target)} for this key${said(fact)}`,
    hint: (_, target) =>
      `Choose one from /models, or check that ${addressPlace(target)} names the right server`,
    again: "no",
  },
  {
    name: "wrong base URL",
    when: ({ status }) => status === 404 || status === 405,
    kind: "not_found",
    message: (fact, target) => `There is no such API at ${address(target)}${said(fact)}`,
    hint: (_, target) => `Check ${addressPlace(target)}: ${usualAddress(target)}`,
    again: "no",
  },
  {
    name: "model too big",
    when: ({ body }) =>
      /requires more (?:system )?memory|out of memory|insufficient memory/i.test(body.message),
    kind: "invalid_request",
    message: (fact, target) =>
      `The machine has not enough memory for ${model(target)}${said(fact)}`,
    hint: () => "Choose a smaller model, or lower NUM_CTX",
    again: "no",
  },
  {
    name: "spoilt call",
    when: ({ body }) => body.code === "tool_use_failed",
    kind: "unknown",
    message: (fact, target) =>
      `${model(target)} made a call that its server cannot read${said(fact)}`,
    hint: () => "Say it again in other words, or use another model",
    again: "once",
  },
];

const SERVER_ROWS: readonly ReplyRow[] = [
  {
    name: "timed out",
    when: ({ status }) => [408, 409, 499, 504, 524].includes(status),
    kind: "overloaded",
    message: (fact, target) => `${capital(server(target))} gave the request up${said(fact)}`,
    hint: () => "Try again in a while",
    again: "yes",
  },
  {
    name: "overloaded",
    when: ({ status }) => status >= 500,
    kind: "overloaded",
    message: (fact, target) => `${capital(server(target))} failed or is overloaded${said(fact)}`,
    hint: (_, target) =>
      isSelfHosted(target)
        ? `Try again; the log of ${server(target)} says what happened`
        : "Try again in a while, or use another model",
    again: "yes",
  },
  {
    name: "refused request",
    when: ({ status }) => status >= 400,
    kind: "invalid_request",
    message: (fact, target) => `${capital(server(target))} refused the request${said(fact)}`,
    hint: (_, target) =>
      `If the server is not the one that was meant, check ${addressPlace(target)}`,
    again: "no",
  },
  {
    name: "strange reply",
    when: () => true,
    kind: "unknown",
    message: (fact, target) =>
      `${capital(server(target))} answered in a way that is not its API's${said(fact)}`,
    hint: (_, target) => `Check that ${addressPlace(target)} names the right server`,
    again: "no",
  },
];

export const REPLY_ROWS: readonly ReplyRow[] = [
  ...ADDRESS_ROWS,
  ...SIZE_ROWS,
  ...LIMIT_ROWS,
  ...KEY_ROWS,
  ...MODEL_ROWS,
  ...SERVER_ROWS,
];

/** Who names a server of their own by its host alone has often left out the path that the API stands below. */
function usualAddress({ connection: { baseUrl, provider } }: Target): string {
  const usual = new URL(provider.defaultBaseUrl);
  const isWithoutPath = new URL(baseUrl).pathname === "/" && usual.pathname !== "/";
  return isWithoutPath
    ? `servers of this API usually answer at ${baseUrl.replace(/\/$/, "")}${usual.pathname}`
    : `the usual address is ${provider.defaultBaseUrl}`;
}
