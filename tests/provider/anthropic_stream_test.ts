import { deepStrictEqual as equal } from "node:assert/strict";
import type { ProviderEvent } from "@/protocol/provider.ts";
import type { Message } from "@/protocol/message.ts";
import { anthropicProvider } from "@/provider/anthropic_wire.ts";
import { messageOf, user } from "../support/conversation.ts";
import { serveFake } from "../support/fake_http.ts";
import { wireOptions } from "../support/wire_options.ts";
import { exchange, run } from "../support/with_anthropic.ts";

/** The events of a stream of these very events. */
async function fromEvents(events: readonly object[]): Promise<ProviderEvent[]> {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  await using server = serveFake(async ({ method }, reply) => {
    if (method === "GET") return await reply.whole(404, "{}");
    await reply.start(200, { "content-type": "text/event-stream" });
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions("anthropic", server.url, { retriesMax: 0 });
  using _ = options.http;
  return await run(anthropicProvider(options));
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
    ["pause_turn", "end"],
    ["something_new", "end"],
  ];
  for (const [reason, expected] of cases) {
    const done = (await fromEvents([start({}), ...textBlock, ...stop(reason)])).at(-1);
    equal(done?.type === "done" ? done.stop : "", expected, reason);
  }
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
