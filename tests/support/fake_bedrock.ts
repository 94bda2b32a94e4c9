/**
 * A local Bedrock: Anthropic's Messages API behind signatures and AWS's binary event stream. It verifies each signature by
 * an implementation of its own, and refuses what the real one refuses.
 */
import { createHash, createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import { fakeAnthropic, type FakeAnthropicOptions } from "./fake_anthropic.ts";
import { type FakeApi, type FakeWire, type Script, startFakeApi } from "./fake_api.ts";
import type { FakeRequest } from "./fake_http.ts";
import { refusalOf } from "./strict_history.ts";
import { AWS_TEST_ENV } from "./wire_options.ts";

export type FakeBedrockOptions = FakeAnthropicOptions & {
  /** The secret of each access key that is known; that of the tests alone by default. */
  secrets?: Readonly<Record<string, string>>;
  region?: string;
  /** The bearer key that is known. */
  bearer?: string;
  /** What the lists say; without them there are none. */
  lists?: { models: unknown; profiles: readonly unknown[] };
};

type Json = Record<string, unknown>;
type Answer = { status: number; body: unknown };

const KNOWN = { [AWS_TEST_ENV.AWS_ACCESS_KEY_ID]: AWS_TEST_ENV.AWS_SECRET_ACCESS_KEY };
const PATH = /^\/model\/([^/]+)\/invoke-with-response-stream$/;

export function startFakeBedrock(script: Script, options: FakeBedrockOptions = {}): FakeApi {
  return startFakeApi(fakeBedrock(options), script);
}

function fakeBedrock(options: FakeBedrockOptions): FakeWire {
  const inner = fakeAnthropic(options);
  const whole = ({ path }: FakeRequest, body: unknown) => {
    const model = decodeURIComponent(PATH.exec(path)?.[1] ?? "");
    const { anthropic_version: _, ...rest } = body as Json;
    return { ...rest, model, stream: true };
  };
  return {
    contentType: "application/vnd.amazon.eventstream",
    isChat: ({ method, path }) => method === "POST" && PATH.test(path),
    other: (request) => unproven(request, options) ?? list(request, options),
    refusal: (request, body) =>
      unproven(request, options) ?? shape(body) ??
        asAws(inner.refusal({
          ...request,
          headers: { "anthropic-version": "2023-06-01" },
        }, whole(request, body))),
    frames: (reply, request, body) => inner.frames(reply, request, whole(request, body)),
    error: (fault) => inner.error(fault),
    ping: inner.ping,
    encode,
  };
}

/** The body's own fields: the model is in the address, and there is a version. */
function shape(body: unknown): Answer | undefined {
  const text = refusalOf("bedrock", body);
  return text === undefined ? undefined : problem(400, text);
}

function asAws(answer: Answer | undefined): Answer | undefined {
  if (answer === undefined) return undefined;
  const { error } = answer.body as { error: { message: string } };
  return problem(answer.status, error.message);
}

function problem(status: number, message: string): Answer {
  return { status, body: { message } };
}

function list({ path }: FakeRequest, { lists }: FakeBedrockOptions): Answer | undefined {
  if (lists === undefined) return undefined;
  const url = new URL(path, "http://x");
  if (url.pathname === "/foundation-models") return { status: 200, body: lists.models };
  const page = Number(url.searchParams.get("nextToken") ?? 0);
  return url.pathname === "/inference-profiles"
    ? { status: 200, body: lists.profiles[page] }
    : undefined;
}

/** Why a request is not from who it says. */
function unproven(
  request: FakeRequest,
  { secrets = KNOWN, region = AWS_TEST_ENV.AWS_REGION, bearer }: FakeBedrockOptions,
): Answer | undefined {
  const { authorization = "" } = request.headers;
  if (bearer !== undefined && authorization === `Bearer ${bearer}`) return undefined;
  const read =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
      .exec(authorization);
  if (read === null) return problem(403, "Missing Authentication Token");
  const [, id = "", day = "", place = "", signed = "", signature] = read;
  const secret = secrets[id];
  if (secret === undefined) {
    return problem(403, "The security token included in the request is invalid.");
  }
  const time = request.headers["x-amz-date"] ?? "";
  const names = signed.split(";");
  if (place !== region || !time.startsWith(day) || !names.includes("host")) {
    return problem(403, "Credential should be scoped to a valid region.");
  }
  const url = new URL(request.path, "http://x");
  const canonical = [
    request.method,
    url.pathname.split("/").map((part) => encodeURIComponent(part)).join("/"),
    [...url.searchParams].map(([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    ).sort().join("&"),
    ...names.map((name) => `${name}:${(request.headers[name] ?? "").trim()}`),
    "",
    signed,
    sha256(request.body),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, `${day}/${place}/bedrock/aws4_request`, sha256(canonical)]
    .join("\n");
  const key = [day, place, "bedrock", "aws4_request"].reduce<string | Uint8Array>(
    (key, part) => hmac(key, part),
    `AWS4${secret}`,
  );
  if (hmac(key, text).toHex() === signature) return undefined;
  return problem(
    403,
    `The request signature we calculated does not match the signature you provided. The Canonical String was\n${canonical}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(text).digest());
}

/** Events of the Messages API as messages of the binary stream; anything else as the bytes that it is. */
function encode(text: string): Uint8Array {
  const parts = text.split(/\r?\n\r?\n/).filter((part) => part !== "").map((part) => {
    const data = /^data: (.*)$/m.exec(part)?.[1];
    return data === undefined ? new TextEncoder().encode(`${part}\n`) : messageOf(data);
  });
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const EXCEPTIONS: Readonly<Record<string, string>> = {
  overloaded_error: "serviceUnavailableException",
  rate_limit_error: "throttlingException",
  invalid_request_error: "validationException",
};

function messageOf(data: string): Uint8Array {
  const { type, error } = JSON.parse(data);
  if (type === "error") {
    const name = EXCEPTIONS[error.type] ?? "internalServerException";
    return message({ ":message-type": "exception", ":exception-type": name }, {
      message: error.message,
    });
  }
  return message(
    { ":message-type": "event", ":event-type": "chunk", ":content-type": "application/json" },
    { bytes: new TextEncoder().encode(data).toBase64(), p: "abcdefgh" },
  );
}

/** One message of the binary stream. */
export function message(headers: Record<string, string>, payload: unknown): Uint8Array {
  const encoder = new TextEncoder();
  const head = new Uint8Array(
    Object.entries(headers).flatMap(([name, value]) => {
      const [key, text] = [encoder.encode(name), encoder.encode(value)];
      return [key.length, ...key, 7, text.length >> 8, text.length & 255, ...text];
    }),
  );
  const body = encoder.encode(JSON.stringify(payload));
  const bytes = new Uint8Array(16 + head.length + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length);
  view.setUint32(4, head.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(head, 12);
  bytes.set(body, 12 + head.length);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)));
  return bytes;
}
