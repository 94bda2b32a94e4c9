/** What servers say when they refuse: one shape out of the five that are in use. */
import { startOf } from "@/lib/clip.ts";
import { isObject } from "@/lib/json.ts";

/** A server's refusal as far as it could be read. */
export type ErrorBody = {
  /** The server's words, at most 2,000 characters. */
  message: string;
  type?: string;
  code?: string;
  param?: string;
  requestId?: string;
  /** Where a person can sign in (Ollama's cloud models). */
  signInUrl?: string;
  /** Structured details (Gemini's list; Anthropic's object), as they came. */
  details?: unknown;
  /** It is a web page: whoever answered is not the API. */
  isPage: boolean;
};

const MESSAGE_CHARS_MAX = 2_000;

/** Read the text of a refusal. */
export function readErrorText(text: string): ErrorBody {
  try {
    return readErrorValue(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      message: bounded(withoutTags(text)),
      isPage: /^\s*<(?:!doctype|html|head|body)/i.test(text),
    };
  }
}

/** Read the value of a refusal: a body, or an event in the middle of a stream. */
export function readErrorValue(value: unknown): ErrorBody {
  const outer: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(outer)) return { message: bounded(String(outer ?? "")), isPage: false };
  const requestId = text(outer.request_id);
  const signInUrl = text(outer.signin_url);
  return {
    ...inner(outer),
    ...(requestId === undefined ? {} : { requestId }),
    ...(signInUrl === undefined ? {} : { signInUrl }),
    isPage: false,
  };
}

function inner(outer: Record<string, unknown>): Omit<ErrorBody, "isPage"> {
  const { error } = outer;
  if (isObject(error)) return fields(error);
  // Ollama and some gateways: the error is the text. xAI: the same with a code beside it.
  if (typeof error === "string") return { ...fields(outer), message: bounded(error) };
  return fields(outer);
}

function fields(body: Record<string, unknown>): Omit<ErrorBody, "isPage"> {
  const type = text(body.type) ?? text(body.status);
  const code = text(body.code);
  const param = text(body.param);
  return {
    message: bounded(messageOf(body)),
    ...(type === undefined || type === "error" ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(body.details === undefined ? {} : { details: body.details }),
  };
}

function messageOf(body: Record<string, unknown>): string {
  const said = text(body.message) ?? text(body.detail) ?? listed(body.detail) ??
    JSON.stringify(body);
  // A router passes on what the server behind it said.
  const raw = isObject(body.metadata) ? text(body.metadata.raw) : undefined;
  return raw === undefined || said.includes(raw) ? said : `${said}: ${raw}`;
}

/** FastAPI's list of `{loc, msg}`. */
function listed(detail: unknown): string | undefined {
  if (!Array.isArray(detail)) return undefined;
  const problems = detail.map((entry: unknown) => {
    if (!isObject(entry)) return String(entry);
    const place = Array.isArray(entry.loc) ? entry.loc.join(".") : "";
    const words = text(entry.msg) ?? JSON.stringify(entry);
    return place === "" ? words : `${place}: ${words}`;
  });
  return problems.join("; ");
}

/** A text or a number; nothing else, and nothing empty. */
function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function withoutTags(page: string): string {
  return page.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ").replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ").trim();
}

function bounded(message: string): string {
  return startOf(message, MESSAGE_CHARS_MAX);
}
