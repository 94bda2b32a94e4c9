/** One HTTP request of any kind, for APIs. */
import * as z from "zod";
import { clipMiddle } from "@/lib/clip.ts";
import { parsedJson } from "@/lib/json.ts";
import { outsideText } from "@/lib/outside_text.ts";
import { spokenSize } from "@/lib/size.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { EgressReply } from "@/sandbox/egress/mod.ts";
import { ADDRESS_HINT, readWebUrl, webUrlText } from "@/web/address.ts";
import { contentOf } from "@/web/decode.ts";
import { leftBehind, requestOf, WebError, type WebParts } from "@/web/fetch.ts";
import { PAGE_CHARS_MAX } from "@/web/page_text.ts";
import { fillSecrets, type SecretParts } from "@/web/secrets.ts";
import { defineTool, failed, ok } from "./spec.ts";

const TIMEOUT_MS = 30_000;
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const SENT_CHARS_MAX = 1_000_000;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const READING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** Headers of a reply that say more than that it is one. */
const TOLD =
  /^(content-type|location|link|retry-after|etag|last-modified|allow|www-authenticate|x-ratelimit-.*)$/;

/** What a body may be: a text as it is, or anything that JSON has. */
const payloadShape = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);
const headersShape = z.union([z.record(z.string(), z.string()), z.string()]);

/** What the tool works with. */
export type ApiParts = { web: WebParts; secrets: SecretParts };

export const callApi = (parts: ApiParts): ToolSpec =>
  defineTool({
    name: "call_api",
    description:
      "Send one HTTP request; returns status, headers and body. A secret that the user set up for the host is written " +
      "${NAME} in headers or payload.",
    input: z.object({
      url: z.string().refine((url) => readWebUrl(url) !== undefined, `It must be ${ADDRESS_HINT}`),
      method: z.string().default("GET"),
      headers: headersShape.optional(),
      payload: payloadShape.optional(),
    }),
    shownAs: {
      headers: z.record(z.string(), z.string()).optional(),
      payload: z.string().optional().describe("JSON or other text"),
    },
    aliases: {
      url: ["uri", "endpoint"],
      payload: ["body", "data", "json"],
      method: ["verb"],
    },
    otherNames: ["http_request", "request"],
    effect: ({ method }) => READING.includes(methodOf(method)) ? "reads" : "changes",
    subject: ({ url }) => ({ kind: "url", text: webUrlText(url) }),
    summary: ({ url, method }, result) => {
      const what = `${methodOf(method)} ${webUrlText(url)}`;
      const { status } = result?.meta ?? {};
      return result === undefined
        ? `send ${what}`
        : status === undefined
        ? `did not send ${what}`
        : `${what}: ${status}`;
    },
    async run(input, host) {
      try {
        return await send(parts, input, host.signal);
      } catch (error) {
        if (error instanceof WebError) return failed(error.message);
        throw error;
      }
    },
  });

type Input = {
  url: string;
  method: string;
  headers?: z.infer<typeof headersShape> | undefined;
  payload?: z.infer<typeof payloadShape> | undefined;
};

async function send({ web, secrets }: ApiParts, input: Input, signal: AbortSignal) {
  const method = methodOf(input.method);
  if (!METHODS.some((known) => known === method)) {
    throw new WebError(`Nothing was sent: "${input.method}" is none of ${METHODS.join(", ")}`);
  }
  const { headers, body } = bodyOf(input, headersOf(input.headers));
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    throw new WebError(
      `Nothing was sent: a ${method} request carries no payload; put it into the address (?name=value)`,
    );
  }
  const url = new URL(webUrlText(input.url));
  const filled = fillSecrets(secrets, { url, headers, ...(body === undefined ? {} : { body }) });
  const reply = await requestOf(web, {
    ...{ url: url.href, method, signal, timeoutMs: TIMEOUT_MS, bodyBytesMax: BODY_BYTES_MAX },
    headers: filled.headers,
    ...(filled.body === undefined ? {} : { body: filled.body }),
  });
  const text = filled.hide(replyText(reply));
  const meta = { status: reply.status };
  return reply.status < 400 ? ok(text, { meta }) : failed(text, { meta });
}

function methodOf(method: string): string {
  return method.trim().toUpperCase();
}

function headersOf(given: Input["headers"]): Record<string, string> {
  if (given === undefined || (typeof given === "string" && given.trim() === "")) return {};
  const read = typeof given === "string" ? parsedJson(given) : given;
  const shape = z.record(z.string(), z.coerce.string()).safeParse(read);
  if (!shape.success) {
    throw new WebError(
      'Nothing was sent: headers are a JSON object such as {"accept": "text/csv"}',
    );
  }
  const name = Object.keys(shape.data).find((one) => !/^[\w!#$%&'*+.^`|~-]+$/.test(one));
  if (name !== undefined) throw new WebError(`Nothing was sent: "${name}" is no name of a header`);
  const value = Object.entries(shape.data).find(([, one]) => /[^\t\x20-\x7e\x80-\xff]/.test(one));
  if (value !== undefined) {
    throw new WebError(
      `Nothing was sent: the header "${value[0]}" has a character that none may have`,
    );
  }
  return Object.fromEntries(
    Object.entries(shape.data).map(([one, text]) => [one.toLowerCase(), text]),
  );
}

function bodyOf({ payload }: Input, headers: Record<string, string>) {
  if (payload === undefined || payload === "") return { headers, body: undefined };
  const isText = typeof payload === "string";
  const body = isText ? payload : JSON.stringify(payload);
  if (body.length > SENT_CHARS_MAX) {
    throw new WebError(
      `Nothing was sent: the payload has ${body.length} characters, and ${SENT_CHARS_MAX} are the most`,
    );
  }
  const isJson = !isText || parsedJson(body) !== undefined;
  const type = isJson ? "application/json" : "text/plain; charset=utf-8";
  return { headers: { "content-type": type, ...headers }, body };
}

function replyText(reply: EgressReply): string {
  const { status, headers, body, isCut, url } = reply;
  const told = [...headers].filter(([name]) => TOLD.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  const size = `${isCut ? "more than " : ""}${spokenSize(body.length)}`;
  const head = `HTTP ${status} from ${url}, ${size}`;
  const left = leftBehind(reply);
  const notes = left === undefined ? told : [...told, left];
  if (body.length === 0) return outsideText(notes.join("\n"), `${head}, no body`);
  const content = contentOf(body, headers.get("content-type"));
  const text = content.kind === "other"
    ? `(not shown: ${content.type} is no text)`
    : clipMiddle(content.text, PAGE_CHARS_MAX, ({ chars }) => `[… ${chars} characters left out …]`);
  return outsideText([...notes, "", text].join("\n"), head);
}
