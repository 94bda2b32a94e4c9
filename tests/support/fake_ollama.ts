/** A local Ollama that speaks the real stream format and refuses what the real one, or a model's template, refuses. */
import { type FakeApi, type FakeWire, type Script, startFakeApi } from "./fake_api.ts";
import type { FakeRequest } from "./fake_http.ts";
import type { Frame, ScriptedCall, ScriptedReply } from "./scripted_reply.ts";
import { pieces, stopOf } from "./scripted_reply.ts";
import { refusalOf } from "./strict_history.ts";

export type FakeOllamaModel = {
  capabilities?: readonly string[];
  /** The training window. */
  contextLength?: number;
  /** The window that `/api/ps` says is allocated. */
  loaded?: number;
  parameterSize?: string;
};

export type FakeOllamaOptions = {
  /** The models that are pulled. Without it every model is, and each takes tools. */
  models?: Readonly<Record<string, FakeOllamaModel>>;
  tls?: { cert: string; key: string };
};

const DEFAULT_MODEL: FakeOllamaModel = {
  capabilities: ["completion", "tools"],
  contextLength: 131_072,
  parameterSize: "8.0B",
};
const CREATED = "2026-11-29T12:00:00.000000Z";

export function startFakeOllama(script: Script, options: FakeOllamaOptions = {}): FakeApi {
  return startFakeApi(fakeOllama(options), script, options.tls);
}

export function fakeOllama(options: FakeOllamaOptions = {}): FakeWire {
  const find = (name: string) =>
    options.models === undefined ? DEFAULT_MODEL : options.models[name];
  return {
    contentType: "application/x-ndjson",
    isChat: ({ method, path }) => method === "POST" && path === "/api/chat",
    other: (request) => other(request, options, find),
    refusal: (_, body) => refusal(body as Json, find),
    frames: (reply, _, body) => frames(reply, body as Json),
    error: ({ message }) => `${JSON.stringify({ error: message })}\n`,
    ping: `${
      JSON.stringify({
        model: "m",
        created_at: CREATED,
        message: { role: "assistant", content: "" },
        done: false,
      })
    }\n`,
  };
}

type Json = Record<string, unknown>;
type Find = (name: string) => FakeOllamaModel | undefined;

function other(
  request: FakeRequest,
  options: FakeOllamaOptions,
  find: Find,
): { status: number; body: unknown } | undefined {
  const names = Object.keys(options.models ?? { "gemma4:e4b": DEFAULT_MODEL });
  switch (`${request.method} ${request.path}`) {
    case "GET /api/tags":
      return { status: 200, body: { models: names.map((name) => tag(name, find(name) ?? {})) } };
    case "GET /api/ps": {
      const models = names.flatMap((name) => {
        const loaded = find(name)?.loaded;
        return loaded === undefined
          ? []
          : [{ name, model: name, context_length: loaded, size_vram: 1 }];
      });
      return { status: 200, body: { models } };
    }
    case "POST /api/show": {
      const { model } = JSON.parse(request.body);
      const found = find(model);
      return found === undefined ? notFound(model) : { status: 200, body: show(found) };
    }
    default:
      return undefined;
  }
}

function tag(name: string, { parameterSize = "8.0B" }: FakeOllamaModel): Json {
  return {
    name,
    model: name,
    size: 5_000_000_000,
    details: { family: "gemma4", parameter_size: parameterSize, quantization_level: "Q4_K_M" },
  };
}

function show({ capabilities, contextLength, parameterSize = "8.0B" }: FakeOllamaModel): Json {
  return {
    ...(capabilities === undefined ? {} : { capabilities }),
    details: { family: "gemma4", parameter_size: parameterSize },
    model_info: {
      "general.architecture": "gemma4",
      ...(contextLength === undefined ? {} : { "gemma4.context_length": contextLength }),
    },
    parameters: "num_ctx 8192",
  };
}

function refusal(body: Json, find: Find): { status: number; body: unknown } | undefined {
  const name = String(body.model);
  const found = find(name);
  if (found === undefined) return notFound(name);
  const text = refusalOf("ollama", body) ?? lacking(body, name, found.capabilities);
  return text === undefined ? undefined : { status: 400, body: { error: text } };
}

function lacking(
  body: Json,
  name: string,
  capabilities: readonly string[] | undefined,
): string | undefined {
  if (capabilities === undefined) return undefined;
  if (body.tools !== undefined && !capabilities.includes("tools")) {
    return `registry.ollama.ai/library/${name} does not support tools`;
  }
  const wantsThinking = body.think !== undefined && body.think !== false;
  if (wantsThinking && !capabilities.includes("thinking")) {
    return `"${name}" does not support thinking`;
  }
  return undefined;
}

function notFound(name: string): { status: number; body: unknown } {
  return { status: 404, body: { error: `model "${name}" not found, try pulling it first` } };
}

function frames(reply: ScriptedReply, body: Json): Frame[] {
  const model = reply.model ?? String(body.model);
  const line = (part: Frame["part"], more: Json): Frame => ({
    part,
    text: `${JSON.stringify({ model, created_at: CREATED, ...more })}\n`,
  });
  const says = (part: Frame["part"], message: Json) =>
    line(part, { message: { role: "assistant", content: "", ...message }, done: false });
  const usage = reply.usage ?? { input: 20, output: 10 };
  return [
    says("start", {}),
    ...pieces(reply.thinking ?? "").map((thinking) => says("thinking", { thinking })),
    ...pieces(reply.text ?? "").map((content) => says("text", { content })),
    ...(reply.calls ?? []).map((call, at) => says("call", { tool_calls: [rendered(call, at)] })),
    line("end", {
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: stopOf(reply) === "length" ? "length" : "stop",
      total_duration: 1_000_000,
      prompt_eval_count: usage.input,
      eval_count: usage.output,
    }),
  ];
}

function rendered(call: ScriptedCall, at: number): Json {
  return {
    ...(call.id === undefined || call.id === null ? {} : { id: call.id }),
    function: { index: at, name: call.name, arguments: call.arguments },
  };
}
