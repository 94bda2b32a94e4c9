import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import { geminiProvider } from "@/provider/gemini_wire.ts";
import { requestOf, user } from "../support/conversation.ts";
import { serveFake } from "../support/fake_http.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";

const MODEL = "gemini-3-pro";

/** The events of a stream of these very chunks. */
async function fromChunks(
  chunks: readonly object[],
  waits: number[] = [],
): Promise<ProviderEvent[]> {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");
  await using server = serveFake(async (_, reply) => {
    await reply.start(200, { "content-type": "text/event-stream" });
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions("gemini", server.url, { retriesMax: 3, waits });
  using _ = options.http;
  return await collect(geminiProvider(options).stream(requestOf(MODEL, [user("Hi")]), calm()));
}

const says = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, ...more }],
});

Deno.test("geminiProvider() maps every way of stopping (check 16)", async () => {
  const cases: [object[], string][] = [
    [[says([{ text: "x" }], { finishReason: "STOP" })], "end"],
    [[says([{ functionCall: { name: "git_status" } }], { finishReason: "STOP" })], "tool_calls"],
    [[says([{ text: "x" }], { finishReason: "MAX_TOKENS" })], "length"],
    [[says([{ text: "x" }], { finishReason: "CONTINUATION" })], "length"],
    [[says([], { finishReason: "SAFETY" })], "refusal"],
    [[says([], { finishReason: "IMAGE_SAFETY" })], "refusal"],
    [[says([], { finishReason: "PROHIBITED_CONTENT", finishMessage: "No." })], "refusal"],
    [[{ promptFeedback: { blockReason: "BLOCKLIST" } }], "refusal"],
    [[says([{ text: "x" }], { finishReason: "NOVELTY" })], "end"],
  ];
  for (const [chunks, expected] of cases) {
    const events = await fromChunks(chunks);
    const done = events.at(-1);
    equal(done?.type === "done" ? done.stop : "", expected, JSON.stringify(chunks));
    equal(events.some(({ type }) => type === "notice"), expected === "refusal");
  }
});

Deno.test("geminiProvider() adds thoughts and tool prompts, and parts cached from new", async () => {
  const usageMetadata = {
    promptTokenCount: 6_040,
    cachedContentTokenCount: 5_888,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 7,
    toolUsePromptTokenCount: 3,
    totalTokenCount: 6_060,
  };
  const done = (await fromChunks([says([{ text: "x" }]), {
    ...says([], { finishReason: "STOP" }),
    usageMetadata,
    modelVersion: "gemini-3-pro-002",
  }])).at(-1);
  equal(done, {
    type: "done",
    stop: "end",
    usage: { input: 155, output: 17, cacheRead: 5_888, cacheWrite: 0 },
    model: "gemini-3-pro-002",
  });
  equal(155 + 17 + 5_888, 6_060);
});

Deno.test("geminiProvider() keeps signatures at their parts and ids with their calls (check 34)", async () => {
  const events = await fromChunks([
    says([{ text: "hm", thought: true }]),
    says([{ text: "Hello " }]),
    says([{ text: "world", thoughtSignature: "s1" }, { text: "", thoughtSignature: "s2" }]),
    says([{ functionCall: { id: "own", name: "git_status", args: {} }, thoughtSignature: "s3" }, {
      functionCall: { name: "git_status", args: null },
    }, { executableCode: { code: "1" } }]),
    says([], { finishReason: "STOP" }),
  ]);
  const privates = events.flatMap((event) =>
    event.type === "block_end" || event.type === "tool_call" ? [event.private?.data ?? null] : []
  );
  equal(privates, [
    { thoughtSignature: "s1", text: "world" },
    { thoughtSignature: "s2", text: "" },
    { thoughtSignature: "s3", id: "own" },
    null,
  ]);
});

Deno.test("geminiProvider() takes a call that is sent twice for one", async () => {
  const twice = { functionCall: { id: "own", name: "git_status", args: {} } };
  const events = await fromChunks([
    says([twice]),
    says([twice, { functionCall: { id: "own", name: "read_file", args: { filepath: "a" } } }]),
    says([], { finishReason: "STOP" }),
  ]);
  equal(events.flatMap((event) => event.type === "tool_call" ? [event.name] : []), [
    "git_status",
    "read_file",
  ]);
});

Deno.test("geminiProvider() tries once more what the model has spoilt, then says so", async () => {
  const waits: number[] = [];
  await rejects(
    fromChunks([
      says([{ text: "x" }]),
      says([], { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "bad" }),
    ], waits),
    (error: unknown) => {
      ok(error instanceof ProviderError);
      match(
        error.message,
        /"gemini-3-pro" made a reply .*"MALFORMED_FUNCTION_CALL: bad" \(tried 2 times\)/,
      );
      return true;
    },
  );
  equal(waits.length, 1);
});

/** A server that gives these streams, one a request, and keeps the bodies; every request over that is refused. */
async function fromStreams(streams: readonly (readonly object[])[]) {
  const bodies: Record<string, unknown>[] = [];
  await using server = serveFake(async (request, reply) => {
    const chunks = streams[bodies.push(JSON.parse(request.body)) - 1];
    if (chunks === undefined) return await reply.whole(400, "{}");
    await reply.start(200, { "content-type": "text/event-stream" });
    const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions("gemini", server.url, { retriesMax: 0 });
  using _ = options.http;
  const request = requestOf(MODEL, [user("Hi")]);
  const events = await collect(geminiProvider(options).stream(request, calm()));
  return { bodies, events };
}

const goesOn = (text: string, token: string) => ({
  ...says([{ text }], { finishReason: "CONTINUATION", continuationToken: token }),
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 },
});

Deno.test("geminiProvider() goes on where the server interrupts itself, with the token it gave", async () => {
  const { bodies, events } = await fromStreams([
    [says([{ text: "One" }], { continuationToken: "early" }), goesOn(" two", "a")],
    [goesOn(" three", "b")],
    [{
      ...says([{ functionCall: { name: "git_status" } }], { finishReason: "STOP" }),
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
    }],
  ]);
  const texts = events.flatMap((event) => event.type === "delta" ? [event.text] : []);
  equal(texts.join(""), "One two three");
  equal(bodies.map(({ continuationToken }) => continuationToken), [undefined, "a", "b"]);
  const { continuationToken: _, ...again } = bodies[1] ?? {};
  equal(again, bodies[0], "the same body again");
  const done = events.at(-1);
  equal(done?.type === "done" ? [done.stop, done.usage] : [], ["tool_calls", {
    input: 30,
    output: 9,
    cacheRead: 0,
    cacheWrite: 0,
  }]);
});

Deno.test("geminiProvider() goes on a few times and then calls the reply cut", async () => {
  const { bodies, events } = await fromStreams(Array(6).fill([goesOn("x", "t")]));
  const done = events.at(-1);
  equal([bodies.length, done?.type === "done" ? done.stop : ""], [6, "length"]);
});
