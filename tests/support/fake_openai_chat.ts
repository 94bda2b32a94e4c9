/** A local Chat Completions server that speaks the real stream and refuses what the strictest real ones refuse. */
import { type FakeApi, type FakeWire, type Script, startFakeApi } from "./fake_api.ts";
import type { FakeRequest } from "./fake_http.ts";
import type { Frame, Part, ScriptedCall, ScriptedReply } from "./scripted_reply.ts";
import { pieces, stopOf } from "./scripted_reply.ts";
import { refusalOf } from "./strict_history.ts";

type Json = Record<string, unknown>;

export type FakeChatOptions = {
  key?: string;
  /** The list is refused without the key too. */
  guardsList?: boolean;
  /** The list of `/models`. */
  models?: readonly Json[];
  /** Fields that this server does not know. */
  refuses?: readonly string[];
  /** Other addresses and their answers. */
  pages?: Readonly<Record<string, unknown>>;
};

const FINISH = {
  end: "stop",
  tool_calls: "tool_calls",
  length: "length",
  refusal: "content_filter",
};

export function startFakeChat(script: Script, options: FakeChatOptions = {}): FakeApi {
  return startFakeApi(fakeChat(options), script);
}

export function fakeChat(options: FakeChatOptions = {}): FakeWire {
  return {
    contentType: "text/event-stream",
    isChat: ({ method, path }) => method === "POST" && path === "/v1/chat/completions",
    other: (request) => other(request, options),
    refusal: (request, body) => refusal(request, body as Json, options),
    frames: (reply, _, body) => frames(reply, body as Json),
    error: ({ message, type = "server_error" }) => data({ error: { message, type, code: null } }),
    ping: ": PROCESSING\n\n",
  };
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function problem(status: number, error: Json): { status: number; body: unknown } {
  return { status, body: { error } };
}

function other(
  { method, path, headers }: FakeRequest,
  { models, pages, guardsList, key }: FakeChatOptions,
): { status: number; body: unknown } | undefined {
  if (method !== "GET") return undefined;
  if (guardsList && headers.authorization !== `Bearer ${key}`) {
    return problem(401, { message: "No key" });
  }
  if (path === "/v1/models" && models !== undefined) {
    return { status: 200, body: { object: "list", data: models } };
  }
  const page = pages?.[path];
  return page === undefined ? undefined : { status: 200, body: page };
}

function refusal(
  { headers }: FakeRequest,
  body: Json,
  { key, refuses = [] }: FakeChatOptions,
): { status: number; body: unknown } | undefined {
  if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
    return problem(401, {
      message: "Incorrect API key provided: sk-ab***yz.",
      type: "invalid_request_error",
      code: "invalid_api_key",
    });
  }
  const refused = refuses.find((name) => name in body);
  if (refused !== undefined) {
    return problem(400, {
      message: `Unsupported parameter: '${refused}' is not supported with this model.`,
      type: "invalid_request_error",
      param: refused,
      code: "unsupported_parameter",
    });
  }
  const text = refusalOf("openai_chat", body);
  return text === undefined
    ? undefined
    : problem(400, { message: text, type: "invalid_request_error", param: null, code: null });
}

function frames(reply: ScriptedReply, body: Json): Frame[] {
  const chunk = (more: Json) =>
    data({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: reply.model ?? body.model,
      usage: null,
      ...more,
    });
  const says = (part: Part, delta: Json): Frame => ({
    part,
    text: chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
  });
  const stop = stopOf(reply);
  const usage = reply.usage ?? { input: 20, output: 10 };
  return [
    says("start", { role: "assistant", content: "" }),
    ...pieces(reply.thinking ?? "").map((reasoning_content) =>
      says("thinking", { reasoning_content })
    ),
    ...pieces(reply.text ?? "").map((content) => says("text", { content })),
    ...(reply.calls ?? []).flatMap((call, at) =>
      fragments(call, at).map((fragment) => says("call", { tool_calls: [fragment] }))
    ),
    {
      part: "end",
      text: chunk({ choices: [{ index: 0, delta: {}, finish_reason: FINISH[stop] }] }) +
        chunk({ choices: [], usage: counts(usage) }) + "data: [DONE]\n\n",
    },
  ];
}

function counts(
  { input, output, cacheRead = 0, cacheWrite = 0, thinking = 0 }: NonNullable<
    ScriptedReply["usage"]
  >,
): Json {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: thinking },
  };
}

function fragments({ name, arguments: input, id }: ScriptedCall, index: number): Json[] {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  const given = id === undefined ? `call_${index}` : id;
  const first = {
    index,
    ...(given === null ? {} : { id: given }),
    type: "function",
    function: { name, arguments: "" },
  };
  return [
    first,
    ...(json.match(/[\s\S]{1,5}/g) ?? []).map((piece) => ({
      index,
      function: { arguments: piece },
    })),
  ];
}
