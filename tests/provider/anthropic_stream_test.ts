import { deepStrictEqual as equal } from "node:assert/strict";
import type { ProviderEvent } from "@/protocol/provider.ts";
import type { Message } from "@/protocol/message.ts";
import { anthropicProvider } from "@/provider/anthropic_wire.ts";
import { messageOf, user } from "../support/conversation.ts";
import { serveFake } from "../support/fake_http.ts";
import { refusalOf } from "../support/strict_history.ts";
import { wireOptions } from "../support/wire_options.ts";
import { type Body, exchange, run } from "../support/with_anthropic.ts";

/** The events of a stream of these very events. */
async function fromEvents(events: readonly object[]): Promise<ProviderEvent[]> {
  return (await fromStreams([events])).events;
}

/** The events of a reply over these streams, the last one again and again, and the bodies that asked for them. */
async function fromStreams(
  streams: readonly (readonly object[])[],
): Promise<{ events: ProviderEvent[]; bodies: Body[] }> {
  const bodies: Body[] = [];
  await using server = serveFake(async ({ method, body }, reply) => {
    if (method === "GET") return await reply.whole(404, "{}");
    const events = streams[bodies.length] ?? streams.at(-1) ?? [];
    const refused = refusalOf("anthropic", bodies[bodies.push(JSON.parse(body)) - 1]);
    if (refused !== undefined) {
      const error = { type: "invalid_request_error", message: refused };
      return await reply.whole(400, JSON.stringify({ type: "error", error }));
    }
    await reply.start(200, { "content-type": "text/event-stream" });
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions("anthropic", server.url, { retriesMax: 1, waits: [] });
  using _ = options.http;
  return { events: await run(anthropicProvider(options)), bodies };
}

const start = (usage: object) => ({
  type: "message_start",
  message: { model: "claude-answered", usage },
});
const stop = (
  reason: string,
  usage: object = {},
  more: object = {},
) => [{ type: "message_delta", delta: { stop_reason: reason, ...more }, usage }, {
  type: "message_stop",
}];
const textBlock = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } },
  { type: "content_block_stop", index: 0 },
];

Deno.test("anthropicProvider() overwrites counts and never erases one with nothing (check 19)", async () => {
  const events = await fromEvents([
    start({
      input_tokens: 40,
      cache_read_input_tokens: 5_900,
      cache_creation_input_tokens: 120,
      output_tokens: 1,
    }),
    ...textBlock,
    {
      type: "message_delta",
      delta: {},
      usage: { output_tokens: 7, input_tokens: null, cache_read_input_tokens: undefined },
    },
    ...stop("end_turn", { output_tokens: 12 }),
  ]);
  equal(events.at(-1), {
    type: "done",
    stop: "end",
    usage: { input: 40, output: 12, cacheRead: 5_900, cacheWrite: 120 },
    model: "claude-answered",
  });
});

Deno.test("anthropicProvider() tells writes kept for an hour from the others (check 20)", async () => {
  const written = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 100 };
  const first = { cache_creation_input_tokens: 120, cache_creation: written };
  const events = await fromEvents([
    start({ input_tokens: 1, ...first }),
    ...textBlock,
    ...stop("end_turn", { output_tokens: 2, cache_creation: null }),
  ]);
  const done = events.at(-1);
  equal(done?.type === "done" ? done.usage : undefined, {
    input: 1,
    output: 2,
    cacheRead: 0,
    cacheWrite: 120,
    cacheWrite1h: 100,
  });
});

Deno.test("anthropicProvider() maps every way of stopping (check 16)", async () => {
  const cases: [string, string][] = [
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
    ["something_new", "end"],
  ];
  for (const [reason, expected] of cases) {
    const done = (await fromEvents([start({}), ...textBlock, ...stop(reason)])).at(-1);
    equal(done?.type === "done" ? done.stop : "", expected, reason);
  }
});

Deno.test("anthropicProvider() says which of the two limits a reply has reached", async () => {
  const cuts: (string | undefined)[] = [];
  for (const reason of ["max_tokens", "model_context_window_exceeded"]) {
    const done = (await fromEvents([start({}), ...textBlock, ...stop(reason)])).at(-1);
    cuts.push(done?.type === "done" ? done.cut : "");
  }
  equal(cuts, [
    undefined,
    "The reply was cut off: the context window of claude-opus-5 is full. Use /compact, or start a new session",
  ]);
});

Deno.test("anthropicProvider() says why the model declined where the API does", async () => {
  const events = await fromEvents([
    start({}),
    ...stop("refusal", {}, { stop_details: { category: "cyber", explanation: "No." } }),
  ]);
  equal(events.map((event) => event.type === "notice" ? event.text : event.type), [
    "The model declined (cyber: No.)",
    "done",
  ]);
});

Deno.test("anthropicProvider() reports a call that the cap cut and never as one to run (check 13)", async () => {
  const events = await fromEvents([
    start({}),
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t1", name: "read_file", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"filepath":"a"}' },
    },
    ...stop("max_tokens"),
  ]);
  const [cut, done] = events;
  equal([cut?.type === "tool_call" ? cut.damage : "", done?.type === "done" ? done.stop : ""], [
    "the reply ended before the call was complete",
    "length",
  ]);
});

Deno.test("anthropicProvider() keeps interleaved calls apart and takes arguments that came whole (check 8)", async () => {
  const begin = (index: number, input: unknown) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: `t${index}`, name: "read_file", input },
  });
  const piece = (index: number, json: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json: json },
  });
  const events = await fromEvents([
    start({}),
    begin(0, {}),
    begin(1, {}),
    piece(0, '{"file'),
    piece(1, '{"filepath":"b"'),
    piece(0, 'path":"a"}'),
    piece(1, "}"),
    { type: "content_block_stop", index: 0 },
    { type: "content_block_stop", index: 1 },
    begin(2, { filepath: "c" }),
    { type: "content_block_stop", index: 2 },
    ...stop("tool_use"),
  ]);
  equal(events.flatMap((event) => event.type === "tool_call" ? [event.input] : []), [
    { filepath: "a" },
    { filepath: "b" },
    { filepath: "c" },
  ]);
});

Deno.test("anthropicProvider() shows unsigned reasoning and never sends it back (check 34)", async () => {
  const events = await fromEvents([
    start({}),
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "said" } },
    { type: "content_block_stop", index: 1 },
    ...stop("end_turn"),
  ]);
  const message: Message = messageOf(events);
  equal(message.role === "assistant" ? message.content : [], [{ type: "thinking", text: "hm" }, {
    type: "text",
    text: "said",
  }]);
  const { body } = await exchange({}, { messages: [user("a"), message, user("b")] });
  equal(body.messages[1].content, [{ type: "text", text: "said" }]);
});

Deno.test("anthropicProvider() skips what it does not know", async () => {
  const events = await fromEvents([
    { type: "ping" },
    start({}),
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "server_tool_use", id: "s", name: "x", input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "novel_delta", novelty: 1 } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_delta", index: 9, delta: { type: "text_delta", text: "nobody's" } },
    ...textBlock,
    { type: "novel_event" },
    ...stop("end_turn"),
  ]);
  equal(events.map(({ type }) => type), ["delta", "done"]);
});

/** A block of a stream, in pieces. */
function block(index: number, began: object, ...deltas: object[]): object[] {
  return [
    { type: "content_block_start", index, content_block: began },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

const SEARCHED = [
  { type: "thinking", thinking: "Look it up.", signature: "sig" },
  { type: "text", text: "Looking. ", citations: [{ cited_text: "a" }] },
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ encrypted: "e" }] },
];

const PAUSES = [
  start({ input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 }),
  ...block(
    0,
    { type: "thinking", thinking: "", signature: "" },
    { type: "thinking_delta", thinking: "Look it " },
    { type: "thinking_delta", thinking: "up." },
    { type: "signature_delta", signature: "sig" },
  ),
  ...block(
    1,
    { type: "text", text: "" },
    { type: "text_delta", text: "Look" },
    { type: "text_delta", text: "ing. " },
    { type: "citations_delta", citation: { cited_text: "a" } },
  ),
  ...block(2, { type: "text", text: "" }),
  ...block(
    3,
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    { type: "input_json_delta", partial_json: '{"query"' },
    { type: "input_json_delta", partial_json: ':"x"}' },
  ),
  ...block(4, SEARCHED[3] ?? {}),
  ...stop("pause_turn", { output_tokens: 3 }),
];

Deno.test("anthropicProvider() sends back unchanged what was said before a pause, and goes on", async () => {
  const call = { type: "tool_use", id: "t", name: "git_status", input: {} };
  const { events, bodies } = await fromStreams([
    PAUSES,
    [start({ input_tokens: 12, output_tokens: 1 }), ...block(0, call), ...stop("tool_use")],
  ]);
  const { messages, ...rest } = bodies[1] ?? {};
  equal({ ...rest, messages: messages.slice(0, -1) }, bodies[0], "the same body again");
  equal(messages.at(-1), { role: "assistant", content: SEARCHED });
  const shown = events.flatMap((event) => event.type === "delta" ? [event.text] : []);
  equal(shown.join(""), "Look it up.Looking. ");
  const usage = { input: 22, output: 4, cacheRead: 5, cacheWrite: 0 };
  equal(events.at(-1), { type: "done", stop: "tool_calls", usage, model: "claude-answered" });
});

Deno.test("anthropicProvider() goes on five times after pauses and then calls the reply cut", async () => {
  const { events, bodies } = await fromStreams([PAUSES]);
  equal(bodies.length, 6);
  equal(bodies[5].messages.at(-1).content.length, 5 * SEARCHED.length);
  const done = events.at(-1);
  const cut = 'The reply was cut off: the server interrupted it 6 times. Say "go on" for the rest';
  equal(done?.type === "done" ? [done.stop, done.usage.input, done.cut] : [], ["length", 60, cut]);
});

Deno.test("anthropicProvider() begins anew where going on after a pause breaks off", async () => {
  const { events, bodies } = await fromStreams([
    PAUSES,
    [start({ input_tokens: 12 }), ...block(0, { type: "text", text: "And" })],
    [start({ input_tokens: 10 }), ...textBlock, ...stop("end_turn")],
  ]);
  equal(bodies[2], bodies[0], "nothing of the parts that are void is sent");
  const retry = events.find(({ type }) => type === "retry");
  equal(retry?.type === "retry" ? [retry.discarded, retry.usage?.input] : [], [true, 22]);
  const said = messageOf(events.slice(events.findIndex(({ type }) => type === "retry") + 1));
  equal(said.role === "assistant" ? said.content : [], [{ type: "text", text: "x" }]);
});

Deno.test("anthropicProvider() has a call of ours answered before a paused reply goes on", async () => {
  const call = { type: "tool_use", id: "t", name: "git_status", input: {} };
  const { events, bodies } = await fromStreams([
    [start({}), ...block(0, call), ...stop("pause_turn")],
  ]);
  const done = events.at(-1);
  equal([bodies.length, done?.type === "done" ? done.stop : ""], [1, "tool_calls"]);
});
