/** Anthropic's models on Amazon Bedrock: the same bodies and events, signed, in AWS's binary event stream. */
import * as z from "zod";
import { isObject, parsedJson } from "@/lib/json.ts";
import { once } from "@/lib/once.ts";
import { ProviderError } from "@/protocol/provider.ts";
import type { AwsAccess } from "./aws_access.ts";
import type { AnthropicBody } from "./anthropic_body.ts";
import { claudeProvider } from "./anthropic_wire.ts";
import { authorization } from "./authorization.ts";
import { awsProfile, awsRegion, credentialsFrom, hasEnvKeys } from "./aws_place.ts";
import { bedrockRows } from "./bedrock_errors.ts";
import { MODELS, PROFILES, readModelList, readProfilePage } from "./bedrock_models.ts";
import { GarbledStream, readEventStream, type StreamMessage } from "./event_stream.ts";
import type { ModelInfo } from "./model_source.ts";
import { Server } from "./server.ts";
import type { WireOptions, WireProvider } from "./wire.ts";

const VERSION = "bedrock-2023-05-31";
const ACCEPT = "application/vnd.amazon.eventstream";

/** What a chunk carries: an event of the Messages API in base64. */
const chunk = z.looseObject({ bytes: z.string() });

/** The HTTP status that an exception in mid-stream would have had. */
const STATUS: Readonly<Record<string, number>> = {
  internalServerException: 500,
  modelStreamErrorException: 500,
  modelTimeoutException: 408,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

/** Bedrock in the region of the environment, or at another address. Credentials are found with the first request. */
export function bedrockProvider(options: WireOptions): WireProvider {
  const { env, http, connection, now } = options;
  const region = regionOf(connection.baseUrl) ?? awsRegion(env);
  let found: AwsAccess | undefined;
  const access = once(async () => {
    const { AwsAccess } = await import("./aws_access.ts");
    found = new AwsAccess({ env, http, region, now });
    return found;
  });
  const secrets = () => found?.secrets ?? [];
  const facts = {
    source: credentialsFrom(env),
    profile: awsProfile(env),
    isEnvKeys: hasEnvKeys(env),
    region,
  };
  const server = new Server(options, {
    accept: ACCEPT,
    headers: authorization,
    rows: bedrockRows(facts),
    secrets,
    ...(connection.key === undefined && {
      sign: async (request) => await (await access()).sign(request),
    }),
  });
  return claudeProvider({
    name: "bedrock",
    server,
    post: (body) => server.post(pathOf(body.model), bodyOf(body)),
    events: (reply, model, signal) => values(reply, { server, model, signal }),
    models: (signal) => models(server, signal),
  });
}

/** The region that an address of AWS's names. */
function regionOf(baseUrl: string): string | undefined {
  return /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com/.exec(new URL(baseUrl).host)
    ?.[1];
}

function pathOf(model: string): string {
  return `/model/${encodeURIComponent(model)}/invoke-with-response-stream`;
}

/** The model stands in the address, and that it is to be streamed. */
function bodyOf({ model: _, stream: __, ...body }: AnthropicBody): Record<string, unknown> {
  return { anthropic_version: VERSION, ...body };
}

type Reading = { server: Server; model: string; signal: AbortSignal };

async function* values(
  reply: ReadableStream<Uint8Array>,
  { server, model, signal }: Reading,
): AsyncGenerator<unknown, void, undefined> {
  try {
    for await (const message of readEventStream(reply, signal)) {
      const value = valueOf(message, { server, model });
      if (value !== undefined) yield value;
    }
  } catch (error) {
    if (!(error instanceof GarbledStream)) throw error;
    throw server.garbled(model, error.message);
  }
}

/** The event that a message carries; undefined for one of a kind that is not known. Throws FailedAttempt for an exception. */
function valueOf({ headers, payload }: StreamMessage, { server, model }: Omit<Reading, "signal">) {
  const json = parsedJson(new TextDecoder().decode(payload));
  const exception = headers[":exception-type"] ?? headers[":error-code"];
  if (exception !== undefined) {
    const message = isObject(json) ? json.message : headers[":error-message"];
    const error = { type: exception, code: STATUS[exception] ?? 500, message };
    throw server.streamError(model, { error });
  }
  if (headers[":event-type"] !== "chunk") return undefined;
  const read = chunk.safeParse(json);
  if (!read.success) throw server.garbled(model, `${JSON.stringify(json)}`);
  const text = new TextDecoder().decode(decoded(read.data.bytes));
  return parsedJson(text) ?? unread(text);
}

function decoded(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new GarbledStream("a chunk is no base64");
  }
}

function unread(text: string): never {
  throw new GarbledStream(`a chunk is no JSON: ${text}`);
}

/** Profiles first: newer models are reached by these alone. Who may not list them may still list models. */
async function models(server: Server, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const base = server.baseUrl.replace("://bedrock-runtime", "://bedrock");
  const asked = await server.list(MODELS, signal, readModelList, base);
  try {
    return [...await server.list(PROFILES, signal, readProfilePage, base), ...asked];
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "auth") throw error;
    return asked;
  }
}
