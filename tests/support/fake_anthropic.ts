/** A local Messages API that speaks the real event stream and refuses what the real one refuses. */
import { type FakeApi, type FakeWire, type Script, startFakeApi } from "./fake_api.ts";
import type { FakeRequest } from "./fake_http.ts";
import type { Frame, Part, ScriptedCall, ScriptedReply } from "./scripted_reply.ts";
import { pieces, stopOf } from "./scripted_reply.ts";
import { refusalOf } from "./strict_history.ts";

export type FakeAnthropicOptions = {
  /** The key that is asked for; by default any will do, none too. */
  key?: string;
  /** What `/v1/models/{id}` says; without it the server knows no such address. */
  models?: readonly Json[];
};

type Json = Record<string, unknown>;

const STOPS = { end: "end_turn", tool_calls: "tool_use", length: "max_tokens", refusal: "refusal" };

export function startFakeAnthropic(script: Script, options: FakeAnthropicOptions = {}): FakeApi {
  return startFakeApi(fakeAnthropic(options), script);
}

export function fakeAnthropic(options: FakeAnthropicOptions = {}): FakeWire {
  /** Reasoning by its signature: it must come back as it went out. */
  const signed = new Map<string, string>();
  return {
    contentType: "text/event-stream; charset=utf-8",
    isChat: ({ method, path }) => method === "POST" && path === "/v1/messages",
    other: (request) => other(request, options),
    refusal: (request, body) => refusal(request, body, { options, signed }),
    frames: (reply, _, body) => frames(reply, body as Json, signed),
    error: ({ message, type = "overloaded_error" }) =>
      event("error", { error: { type, message }, request_id: "req_stream" }),
    ping: event("ping", {}),
  };
}

function event(type: string, more: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

function problem(status: number, type: string, message: string): { status: number; body: unknown } {
  return { status, body: { type: "error", error: { type, message }, request_id: "req_1" } };
}

function other(
  { method, path }: FakeRequest,
  { models }: FakeAnthropicOptions,
): { status: number; body: unknown } | undefined {
  if (method !== "GET" || models === undefined) return undefined;
  const url = new URL(path, "http://x");
  if (url.pathname === "/v1/models") {
    const after = models.findIndex(({ id }) => id === url.searchParams.get("after_id")) + 1;
    // One a page, so that every page has to be asked for.
    const data = models.slice(after, after + 1);
    return {
      status: 200,
      body: { data, has_more: after + 1 < models.length, last_id: data.at(-1)?.id ?? null },
    };
  }
  const found = models.find(({ id }) => url.pathname === `/v1/models/${id}`);
  return found === undefined
    ? problem(404, "not_found_error", `model: ${path}`)
    : { status: 200, body: found };
}

type Checking = { options: FakeAnthropicOptions; signed: ReadonlyMap<string, string> };

function refusal(
  { headers }: FakeRequest,
  body: unknown,
  { options, signed }: Checking,
): { status: number; body: unknown } | undefined {
  if (headers["anthropic-version"] === undefined) {
    return problem(400, "invalid_request_error", "anthropic-version: header is required");
  }
  if (headers["x-api-key"] !== undefined && headers.authorization !== undefined) {
    return problem(400, "invalid_request_error", "both x-api-key and authorization are given");
  }
  const given = headers["x-api-key"] ?? headers.authorization?.replace("Bearer ", "");
  if (options.key !== undefined && given !== options.key) {
    return problem(401, "authentication_error", "invalid x-api-key");
  }
  const text = refusalOf("anthropic", body) ?? changedThinking(body as Json, signed) ??
    wishes(body as Json, options);
  return text === undefined ? undefined : problem(400, "invalid_request_error", text);
}

function changedThinking(body: Json, signed: ReadonlyMap<string, string>): string | undefined {
  const messages = body.messages as { content: Json[] | string }[];
  for (const [at, { content }] of messages.entries()) {
    if (typeof content === "string") continue;
    for (const [index, block] of content.entries()) {
      const signature = block.type === "thinking"
        ? String(block.signature)
        : block.type === "redacted_thinking"
        ? String(block.data)
        : undefined;
      if (signature === undefined) continue;
      const text = block.type === "thinking" ? block.thinking : "";
      if (signed.get(signature) !== text) {
        return `messages.${at}.content.${index}: Invalid \`signature\` in \`thinking\` block`;
      }
    }
  }
  return undefined;
}

/** What a model listed with its capabilities does not take. */
function wishes(body: Json, { models }: FakeAnthropicOptions): string | undefined {
  const facts = models?.find(({ id }) => id === body.model) as {
    capabilities?: {
      thinking?: { types?: Record<string, { supported?: boolean }> };
      effort?: Record<string, { supported?: boolean }>;
    };
  } | undefined;
  if (facts?.capabilities === undefined) return undefined;
  const { thinking, effort } = facts.capabilities;
  const type = (body.thinking as Json | undefined)?.type;
  if (type !== undefined && thinking?.types?.[String(type)]?.supported !== true) {
    return `thinking.type: ${type} is not supported on this model`;
  }
  const wished = (body.output_config as Json | undefined)?.effort;
  if (wished !== undefined && effort?.[String(wished)]?.supported !== true) {
    return `output_config.effort: ${wished} is not supported`;
  }
  return undefined;
}

function frames(reply: ScriptedReply, body: Json, signed: Map<string, string>): Frame[] {
  const usage = reply.usage ?? { input: 20, output: 10 };
  let index = -1;
  const block = (part: Part, start: Json, deltas: Json[]): Frame[] => {
    index += 1;
    return [
      { part, text: event("content_block_start", { index, content_block: start }) },
      ...deltas.map((delta) => ({ part, text: event("content_block_delta", { index, delta }) })),
      { part, text: event("content_block_stop", { index }) },
    ];
  };
  const isThinking = (body.thinking as Json | undefined)?.type === "adaptive";
  return [
    {
      part: "start",
      text: event("message_start", {
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: reply.model ?? body.model,
          content: [],
          stop_reason: null,
          usage: {
            input_tokens: usage.input,
            cache_read_input_tokens: usage.cacheRead ?? 0,
            cache_creation_input_tokens: usage.cacheWrite ?? 0,
            output_tokens: 1,
          },
        },
      }) + event("ping", {}),
    },
    ...(isThinking && reply.thinking !== undefined ? thinking(reply.thinking, block, signed) : []),
    ...(reply.text === undefined || reply.text === "" ? [] : block(
      "text",
      { type: "text", text: "" },
      pieces(reply.text).map((text) => ({ type: "text_delta", text })),
    )),
    ...(reply.calls ?? []).flatMap((call, at) =>
      block("call", toolUse(call, at), argumentPieces(call))
    ),
    {
      part: "end",
      text: event("message_delta", {
        delta: { stop_reason: STOPS[stopOf(reply)], stop_sequence: null },
        usage: { output_tokens: usage.output, input_tokens: null },
      }) + event("future_event", { novelty: 1 }) + event("message_stop", {}),
    },
  ];
}

type MakeBlock = (part: Part, start: Json, deltas: Json[]) => Frame[];

function thinking(text: string, block: MakeBlock, signed: Map<string, string>): Frame[] {
  // The same reasoning is signed alike, so that replies can be compared.
  const signature = btoa(`signature ${new TextEncoder().encode(text).toBase64()}`);
  signed.set(signature, text);
  const redacted = btoa(`redacted ${signature}`);
  signed.set(redacted, "");
  return [
    ...block("thinking", { type: "thinking", thinking: "", signature: "" }, [
      ...pieces(text).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature },
    ]),
    ...block("thinking", { type: "redacted_thinking", data: redacted }, []),
  ];
}

function toolUse({ name, id }: ScriptedCall, at: number): Json {
  const given = id === undefined ? `toolu_${at}` : id;
  return { type: "tool_use", ...(given === null ? {} : { id: given }), name, input: {} };
}

function argumentPieces({ arguments: input }: ScriptedCall): Json[] {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  const cut = json.match(/[\s\S]{1,5}/g) ?? [];
  return cut.map((partial) => ({ type: "input_json_delta", partial_json: partial }));
}
