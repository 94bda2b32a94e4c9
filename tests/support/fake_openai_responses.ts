/** A local Responses API that speaks the real event stream and refuses what the real one refuses. */
import { type FakeApi, type FakeWire, type Script, startFakeApi } from "./fake_api.ts";
import type { Frame, Part, ScriptedCall, ScriptedReply } from "./scripted_reply.ts";
import { pieces, stopOf } from "./scripted_reply.ts";
import { refusalOf } from "./strict_history.ts";

type Json = Record<string, unknown>;

export function startFakeResponses(script: Script): FakeApi {
  return startFakeApi(fakeResponses(), script);
}

export function fakeResponses(): FakeWire {
  /** Encrypted reasoning by its id: it must come back as it went out. */
  const issued = new Map<string, string>();
  return {
    contentType: "text/event-stream",
    isChat: ({ method, path }) => method === "POST" && path === "/v1/responses",
    other: () => undefined,
    refusal: (_, body) => {
      const text = refusalOf("openai_responses", body) ?? changed(body as Json, issued);
      return text === undefined ? undefined : {
        status: 400,
        body: {
          error: { message: text, type: "invalid_request_error", param: "input", code: null },
        },
      };
    },
    frames: (reply, _, body) => frames(reply, body as Json, issued),
    error: ({ message, type = "server_error" }) =>
      event("error", { code: type, message, param: null }),
    ping: ": ping\n\n",
  };
}

function changed(body: Json, issued: ReadonlyMap<string, string>): string | undefined {
  for (const item of body.input as Json[]) {
    if (item.type !== "reasoning") continue;
    if (issued.get(String(item.id)) !== item.encrypted_content) {
      return `The encrypted content for item ${item.id} could not be verified.`;
    }
  }
  return undefined;
}

function event(type: string, more: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 1, ...more })}\n\n`;
}

function frames(reply: ScriptedReply, body: Json, issued: Map<string, string>): Frame[] {
  const { input = 20, output = 10, cacheRead = 0, cacheWrite = 0, thinking = 0 } = reply.usage ??
    {};
  const stop = stopOf(reply);
  const response = (more: Json) => ({
    id: "resp_1",
    model: reply.model ?? body.model,
    output: [],
    ...more,
  });
  const usage = {
    input_tokens: input + cacheRead + cacheWrite,
    output_tokens: output,
    total_tokens: input + cacheRead + cacheWrite + output,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens_details: { reasoning_tokens: thinking },
  };
  const isCut = stop === "length" || stop === "refusal";
  const reason = stop === "length" ? "max_output_tokens" : "content_filter";
  const ended = isCut
    ? event("response.incomplete", {
      response: response({ status: "incomplete", incomplete_details: { reason }, usage }),
    })
    : event("response.completed", { response: response({ status: "completed", usage }) });
  return [
    {
      part: "start",
      text: event("response.created", { response: response({ status: "in_progress" }) }) +
        event("response.novelty", {}),
    },
    ...(reply.thinking === undefined ? [] : reasoning(reply.thinking, issued)),
    ...(reply.text === undefined || reply.text === "" ? [] : message(reply.text)),
    ...(reply.calls ?? []).flatMap(called),
    { part: "end", text: ended },
  ];
}

function reasoning(text: string, issued: Map<string, string>): Frame[] {
  const id = `rs_${new TextEncoder().encode(text).toHex().slice(0, 12)}`;
  const encrypted = btoa(`encrypted ${new TextEncoder().encode(text).toBase64()}`);
  issued.set(id, encrypted);
  const frame = frameOf("thinking");
  return [
    frame("response.output_item.added", {
      output_index: 0,
      item: { type: "reasoning", id, summary: [], encrypted_content: "partial" },
    }),
    frame("response.reasoning_summary_part.added", {
      item_id: id,
      summary_index: 0,
      part: { type: "summary_text", text: "" },
    }),
    ...pieces(text).map((delta) =>
      frame("response.reasoning_summary_text.delta", { item_id: id, summary_index: 0, delta })
    ),
    frame("response.output_item.done", {
      output_index: 0,
      item: {
        type: "reasoning",
        id,
        summary: [{ type: "summary_text", text }],
        encrypted_content: encrypted,
      },
    }),
  ];
}

function message(text: string): Frame[] {
  const frame = frameOf("text");
  const item = { type: "message", id: "msg_1", role: "assistant", phase: "commentary" };
  return [
    frame("response.output_item.added", { output_index: 1, item: { ...item, content: [] } }),
    ...pieces(text).map((delta) => frame("response.output_text.delta", { output_index: 1, delta })),
    frame("response.output_text.done", { output_index: 1, text }),
    frame("response.output_item.done", {
      output_index: 1,
      item: { ...item, content: [{ type: "output_text", text }] },
    }),
  ];
}

function called({ name, arguments: input, id }: ScriptedCall, at: number): Frame[] {
  const frame = frameOf("call");
  const json = typeof input === "string" ? input : JSON.stringify(input);
  const given = id === undefined ? `call_${at}` : id;
  const item = {
    type: "function_call",
    id: `fc_${at}`,
    name,
    ...(given === null ? {} : { call_id: given }),
  };
  return [
    frame("response.output_item.added", { output_index: at + 2, item: { ...item, arguments: "" } }),
    ...(json.match(/[\s\S]{1,5}/g) ?? []).map((delta) =>
      frame("response.function_call_arguments.delta", { output_index: at + 2, delta })
    ),
    frame("response.function_call_arguments.done", { output_index: at + 2, arguments: json }),
    frame("response.output_item.done", {
      output_index: at + 2,
      item: { ...item, arguments: json },
    }),
  ];
}

function frameOf(part: Part) {
  return (type: string, more: Json): Frame => ({ part, text: event(type, more) });
}
