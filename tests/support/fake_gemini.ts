/** A local Gemini API that speaks the real stream and refuses what the real one refuses. */
import { type FakeApi, type FakeWire, type Script, startFakeApi } from "./fake_api.ts";
import type { FakeRequest } from "./fake_http.ts";
import type { Frame, Part, ScriptedCall, ScriptedReply } from "./scripted_reply.ts";
import { pieces, stopOf } from "./scripted_reply.ts";
import { refusalOf } from "./strict_history.ts";

type Json = Record<string, unknown>;

export type FakeGeminiOptions = {
  key?: string;
  /** The list of `/v1beta/models`, one a page. */
  models?: readonly Json[];
};

const FINISH = { end: "STOP", tool_calls: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" };
const STAND_INS = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

export function startFakeGemini(script: Script, options: FakeGeminiOptions = {}): FakeApi {
  return startFakeApi(fakeGemini(options), script);
}

export function fakeGemini(options: FakeGeminiOptions = {}): FakeWire {
  const issued = new Set<string>();
  return {
    contentType: "text/event-stream",
    isChat: ({ method, path }) =>
      method === "POST" && /^\/v1beta\/models\/[^:]+:streamGenerateContent\?alt=sse$/.test(path),
    other: (request) => other(request, options),
    refusal: (request, body) => refusal(request, body as Json, { options, issued }),
    frames: (reply, request, body) =>
      frames(reply, { model: modelOf(request), body: body as Json, issued }),
    error: ({ message, type = "UNAVAILABLE" }) =>
      data({ error: { code: 503, message, status: type } }),
    ping: ": ping\n\n",
  };
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function modelOf({ path }: FakeRequest): string {
  return decodeURIComponent(/models\/([^:?]+)/.exec(path)?.[1] ?? "");
}

function problem(code: number, status: string, message: string): { status: number; body: unknown } {
  // A stream is refused with a list.
  return { status: code, body: [{ error: { code, message, status } }] };
}

function other(
  { method, path }: FakeRequest,
  { models = [] }: FakeGeminiOptions,
): { status: number; body: unknown } | undefined {
  if (method !== "GET") return undefined;
  const url = new URL(path, "http://x");
  if (url.pathname === "/v1beta/models") {
    const at = Number(url.searchParams.get("pageToken") ?? 0);
    const next = at + 1 < models.length ? { nextPageToken: String(at + 1) } : {};
    return { status: 200, body: { models: models.slice(at, at + 1), ...next } };
  }
  const found = models.find(({ name }) => url.pathname === `/v1beta/${name}`);
  return found === undefined ? undefined : { status: 200, body: found };
}

type Checking = { options: FakeGeminiOptions; issued: ReadonlySet<string> };

function refusal(
  request: FakeRequest,
  body: Json,
  { options, issued }: Checking,
): { status: number; body: unknown } | undefined {
  const given = request.headers["x-goog-api-key"];
  if (options.key !== undefined && given !== options.key) {
    return problem(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.");
  }
  const needsSignatures = !/gemini-[12]/.test(modelOf(request));
  const text = refusalOf("gemini", body, { needsSignatures }) ?? changed(body, issued);
  return text === undefined ? undefined : problem(400, "INVALID_ARGUMENT", text);
}

function changed(body: Json, issued: ReadonlySet<string>): string | undefined {
  for (const { parts } of body.contents as { parts: Json[] }[]) {
    for (const { thoughtSignature } of parts) {
      if (thoughtSignature === undefined || STAND_INS.includes(String(thoughtSignature))) continue;
      if (!issued.has(String(thoughtSignature))) return "Corrupted thought signature.";
    }
  }
  return undefined;
}

type Telling = { model: string; body: Json; issued: Set<string> };

function frames(reply: ScriptedReply, { model, body, issued }: Telling): Frame[] {
  const { input = 20, output = 10, cacheRead = 0, thinking = 0 } = reply.usage ?? {};
  const usageMetadata = {
    promptTokenCount: input + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - thinking,
    thoughtsTokenCount: thinking,
    totalTokenCount: input + cacheRead + output,
  };
  const chunk = (part: Part, parts: Json[], more: Json = {}): Frame => ({
    part,
    text: data({
      candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
      usageMetadata: part === "end"
        ? usageMetadata
        : { promptTokenCount: input + cacheRead, cachedContentTokenCount: cacheRead },
      modelVersion: reply.model ?? model,
      responseId: "r1",
    }),
  });
  const sign = (of: string): string => {
    const signature = btoa(`signature ${new TextEncoder().encode(of).toBase64()}`);
    issued.add(signature);
    return signature;
  };
  const config = (body.generationConfig as Json | undefined)?.thinkingConfig as Json | undefined;
  const thoughts = config?.includeThoughts === true ? pieces(reply.thinking ?? "") : [];
  const isSigned = reply.thinking !== undefined;
  return [
    chunk("start", []),
    ...thoughts.map((text) => chunk("thinking", [{ text, thought: true }])),
    ...pieces(reply.text ?? "").map((text) => chunk("text", [{ text }])),
    // A part of its own without text carries the signature of the text.
    ...(isSigned && reply.text
      ? [chunk("text", [{ text: "", thoughtSignature: sign(reply.text) }])]
      : []),
    ...(reply.calls ?? []).map((call, at) => {
      const signature = at === 0
        ? { thoughtSignature: sign(call.name + JSON.stringify(call.arguments)) }
        : {};
      return chunk("call", [{ functionCall: called(call), ...signature }]);
    }),
    chunk("end", [], { finishReason: FINISH[stopOf(reply)] }),
  ];
}

function called({ name, arguments: args, id }: ScriptedCall): Json {
  const given = id === undefined || id === null ? {} : { id };
  return args === "" ? { ...given, name } : { ...given, name, args };
}
