/** What no wire knows is skipped, and the word of it is told: APIs add values within a version. */
import { deepStrictEqual as equal } from "node:assert/strict";
import type { ProviderEvent } from "@/protocol/provider.ts";
import type { WireOptions } from "@/provider/wire.ts";
import { requestOf, user } from "../support/conversation.ts";
import { doneOf, textOf } from "../support/wire_replies.ts";
import { serveFake } from "../support/fake_http.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { load } from "../support/wires.ts";

type Strange = {
  provider: string;
  model: string;
  path?: string;
  events: object[];
  seen: [string, string][];
};

const delta = { content: [{ type: "hologram", text: "Hel" }, { type: "text", text: "lo." }] };
const completed = { type: "response.completed", response: { model: "m", output: [] } };

const CASES: readonly Strange[] = [
  {
    provider: "anthropic",
    model: "claude-opus-5",
    events: [
      { type: "message_start", message: { model: "m" } },
      { type: "message_mood", mood: "secret" },
      { type: "content_block_start", index: 0, content_block: { type: "hologram" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "Hello." } },
      { type: "content_block_delta", index: 1, delta: { type: "smell_delta" } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "sunset" } },
      { type: "message_stop" },
    ],
    seen: [
      ["event", "message_mood"],
      ["block", "hologram"],
      ["delta", "smell_delta"],
      ["stop reason", "sunset"],
    ],
  },
  {
    provider: "openai",
    model: "local-model",
    path: "/v1",
    events: [{ choices: [{ delta }] }, { choices: [{ delta: {}, finish_reason: "sunset" }] }],
    seen: [["part", "hologram"], ["stop reason", "sunset"]],
  },
  {
    provider: "openai",
    model: "gpt-5.6",
    path: "/v1",
    events: [
      { type: "response.mood", mood: "secret" },
      { type: "response.output_text.delta", delta: "Hello." },
      { type: "response.output_text.done", text: "Hello." },
      { type: "response.output_item.done", item: { type: "hologram" } },
      completed,
    ],
    seen: [["event", "response.mood"], ["item", "hologram"]],
  },
  {
    provider: "gemini",
    model: "gemini-3-pro",
    events: [{
      candidates: [{
        content: { parts: [{ hologram: { secret: 1 } }, { text: "Hello." }] },
        finishReason: "SUNSET",
      }],
    }],
    seen: [["part", "hologram"], ["stop reason", "SUNSET"]],
  },
  {
    provider: "ollama",
    model: "gemma4:e4b",
    events: [{ message: { content: "Hello." } }, { done: true, done_reason: "sunset" }],
    seen: [["stop reason", "sunset"]],
  },
];

for (const strange of CASES) {
  const name = `${strange.provider}/${strange.model}`;
  Deno.test(`${name}: stream() skips what it does not know and tells its word (check 4)`, async () => {
    const told: [string, string][] = [];
    const reply = await replyOf(strange, ({ place, word }) => told.push([place, word]));
    equal([textOf(reply), doneOf(reply).stop], ["Hello.", "end"]);
    equal(told, strange.seen);
  });
}

/** The events of a server that says this and nothing else. */
async function replyOf(
  { provider, model, path = "", events }: Strange,
  onUnknown: NonNullable<WireOptions["onUnknown"]>,
): Promise<ProviderEvent[]> {
  const isLines = provider === "ollama";
  const text = events.map((event) => JSON.stringify(event)).map((json) =>
    isLines ? `${json}\n` : `data: ${json}\n\n`
  ).join("");
  await using server = serveFake(async (request, reply) => {
    if (request.method === "GET" || request.path === "/api/show") {
      return await reply.whole(404, "{}");
    }
    await reply.start(200, { "content-type": isLines ? "text/plain" : "text/event-stream" });
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = { ...wireOptions(provider, server.url + path, { retriesMax: 0 }), onUnknown };
  if (model === "gpt-5.6") options.memory.of(server.url + path, model).speaksResponses = true;
  using _ = options.http;
  const made = await load(provider, options);
  return await collect(made.stream(requestOf(model, [user("Hi")]), calm()));
}
