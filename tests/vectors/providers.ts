/** The `providers` vectors against the wires, over local servers that speak the real formats. */
import { z } from "zod";
import { ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import type { Message } from "@/protocol/message.ts";
import type { WireProvider } from "@/provider/wire.ts";
import { readSse } from "@/provider/sse.ts";
import type { Adapter, Adapters } from "./adapter.ts";
import { assistant, requestOf, user } from "../support/conversation.ts";
import type { FakeApi, Script } from "../support/fake_api.ts";
import { serveFake } from "../support/fake_http.ts";
import { startFakeChat } from "../support/fake_openai_chat.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { load } from "../support/wires.ts";

type Json = Record<string, unknown>;

const object = z.record(z.string(), z.unknown());
const inputs = {
  marks: z.strictObject({ messages: z.number() }),
  usage: z.strictObject({ usage: object }),
  gemini: z.strictObject({ usageMetadata: object }),
  roles: z.strictObject({ roles: z.array(z.enum(["user", "assistant"])) }),
  pieces: z.strictObject({ pieces: z.array(z.string()) }),
  error: z.strictObject({ error: z.string() }),
  capabilities: z.strictObject({ capabilities: z.array(z.string()) }),
  stream: z.strictObject({ stream: z.string() }),
  refusal: z.strictObject({ status: z.number(), body: z.unknown() }),
  statuses: z.strictObject({ statuses: z.array(z.number()) }),
  stop: z.strictObject({ stop_reason: z.string() }),
};

/** What the adapter does with each kind of input. */
const KINDS: { [K in keyof typeof inputs]: (input: z.infer<(typeof inputs)[K]>) => unknown } = {
  async marks({ messages }) {
    const body = await sentToAnthropic(
      talk(Array.from({ length: messages }, (_, at) => at % 2 === 0 ? "user" : "assistant")),
    );
    const marks = found(body, "cache_control");
    return { marks: marks.length, type: object.parse(marks[0]).type };
  },
  usage: ({ usage }) => "input_tokens" in usage ? anthropicUsage(usage) : chatUsage(usage),
  gemini: ({ usageMetadata }) =>
    counts(overSse("gemini", [{ candidates: [{ finishReason: "STOP" }], usageMetadata }])),
  async roles({ roles }) {
    const messages = talk(roles);
    const body = await sentToAnthropic(messages);
    const sent = z.array(object).parse(body.messages).map(({ role }) => role);
    // A user's word that had to be added, so that the model has the last one, is not the conversation's.
    return { roles: roles.at(-1) === "assistant" ? sent.slice(0, -1) : sent };
  },
  async pieces({ pieces }) {
    const call = (await overSse("anthropic", toolUse(pieces))).find((event) =>
      event.type === "tool_call"
    );
    if (call?.type !== "tool_call") return {};
    return {
      arguments: call.input,
      runs: call.damage === undefined,
      error: call.damage !== undefined,
    };
  },
  async error({ error }) {
    const refusal = {
      fault: { kind: "status" as const, status: 400, body: { error: { message: error } } },
    };
    return await over("openai", startFakeChat([refusal, { text: "x" }]), async (provider, api) => {
      await ask(provider);
      const [, second] = api.bodies.map((body) => object.parse(body));
      return {
        retries: api.bodies.length - 1,
        field: Object.keys(second ?? {}).find((name) => name.startsWith("max_")),
      };
    });
  },
  capabilities: async ({ capabilities }) =>
    await over(
      "ollama",
      startFakeOllama([], { models: { m: { capabilities } } }),
      async (provider) => ({
        native: await provider.protocolOf("m", calm()) === "native",
      }),
    ),
  async stream({ stream }) {
    const body = new Response(stream).body;
    const events = body === null ? [] : await Array.fromAsync(readSse(body, calm()));
    return { events: events.map(({ event, data }) => [event, data]) };
  },
  async refusal({ status, body }) {
    const fault = { kind: "status" as const, status, body: object.parse(body) };
    const error = await over(
      "anthropic",
      startFakeAnthropic([{ fault }]),
      (provider) => ask(provider).catch((thrown: unknown) => thrown),
    );
    return { mentions: error instanceof ProviderError ? error.message : "" };
  },
  async statuses({ statuses }) {
    const script: Script = statuses.map((status) =>
      status === 200 ? { text: "x" } : { fault: { kind: "status", status } }
    );
    const events = await over("anthropic", startFakeAnthropic(script), (provider) => ask(provider));
    return { retries: events.filter(({ type }) => type === "retry").length };
  },
  async stop({ stop_reason: reason }) {
    const events = [{ type: "message_start", message: {} }, {
      type: "message_delta",
      delta: { stop_reason: reason },
    }, { type: "message_stop" }];
    // The loop tells the person of a reply whose stop is "length".
    return {
      notice: (await overSse("anthropic", events)).some((event) =>
        event.type === "done" && event.stop === "length"
      ),
    };
  },
};

const providers: Adapter = (input) => {
  for (const [name, schema] of Object.entries(inputs)) {
    const read = schema.safeParse(input);
    if (read.success) return KINDS[name as keyof typeof KINDS](read.data as never);
  }
  return undefined;
};

export const adapters: Adapters = { providers };

function talk(roles: readonly ("user" | "assistant")[]): Message[] {
  return roles.map((role, at) => role === "user" ? user(`word ${at}`) : assistant(`word ${at}`));
}

function ask(
  provider: WireProvider,
  messages: readonly Message[] = [user("Hi")],
): Promise<ProviderEvent[]> {
  return collect(provider.stream(requestOf("m", messages), calm()));
}

async function over<T>(
  name: string,
  api: FakeApi,
  body: (provider: WireProvider, api: FakeApi) => Promise<T>,
): Promise<T> {
  await using _api = api;
  const options = wireOptions(name, name === "openai" ? `${api.url}/v1` : api.url);
  using _ = options.http;
  return await body(await load(name, options), api);
}

async function sentToAnthropic(messages: readonly Message[]): Promise<Json> {
  return await over("anthropic", startFakeAnthropic([{ text: "x" }]), async (provider, api) => {
    await ask(provider, messages);
    return object.parse(api.bodies[0]);
  });
}

/** The events of a provider whose server streams these values. */
async function overSse(name: string, values: readonly object[]): Promise<ProviderEvent[]> {
  const text = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
  await using server = serveFake(async ({ method }, reply) => {
    if (method === "GET") return await reply.whole(404, "{}");
    await reply.start(200, { "content-type": "text/event-stream" });
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions(name, server.url, { retriesMax: 0 });
  using _ = options.http;
  return await ask(await load(name, options));
}

function anthropicUsage(usage: Json): Promise<unknown> {
  return counts(
    overSse("anthropic", [{ type: "message_start", message: { usage } }, {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
    }, { type: "message_stop" }]),
  );
}

function chatUsage(usage: Json): Promise<unknown> {
  return counts(
    overSse("openai", [{ choices: [{ delta: {}, finish_reason: "stop" }] }, {
      choices: [],
      usage,
    }]),
  );
}

async function counts(events: Promise<readonly ProviderEvent[]>): Promise<unknown> {
  const done = (await events).at(-1);
  if (done?.type !== "done") return {};
  const { input, cacheRead, cacheWrite } = done.usage;
  return { prompt: input + cacheRead + cacheWrite, cached: cacheRead };
}

function toolUse(pieces: readonly string[]): object[] {
  return [
    { type: "message_start", message: {} },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t", name: "read_file", input: {} },
    },
    ...pieces.map((partial) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: partial },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
}

/** Values of a key anywhere in a body. */
function found(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((inner) => found(inner, key));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key ? [inner] : found(inner, key)
  );
}
