import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import type { Block, ProviderPrivate } from "@/protocol/message.ts";
import { ProviderError, type ProviderEvent, type Request } from "@/protocol/provider.ts";
import { openAiProvider } from "@/provider/openai_wire.ts";
import {
  assistant,
  call,
  PIXEL,
  READ_FILE,
  requestOf,
  result,
  user,
} from "../support/conversation.ts";
import { serveFake } from "../support/fake_http.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { sentTo } from "../support/with_openai.ts";

const BASE = "https://api.openai.com/v1";
const MODEL = "gpt-5.6-luna";

const kept = (data: unknown): ProviderPrivate => ({
  wire: "openai_responses",
  baseUrl: BASE,
  model: MODEL,
  data,
});
const ITEM = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc", novelty: 1 };
const thought: Block = { type: "thinking", text: "", private: kept(ITEM) };

Deno.test("openAiProvider() sends Responses this body for a conversation with everything in it (check 21)", async () => {
  const image = { type: "image" as const, mime: "image/png", data: PIXEL };
  const messages = [
    user("Read both.", image),
    assistant(
      thought,
      { type: "text", text: "Reading.", private: kept({ phase: "commentary" }) },
      call("c1"),
      call("c2"),
    ),
    result("c1", "1| x", { parts: [image] }),
    result("c2", "no such file", { status: "failed" }),
    user("Go on."),
  ];
  const { body, url } = await sentTo(
    BASE,
    requestOf(MODEL, messages, {
      tools: [READ_FILE],
      hints: { thinking: "adaptive", effort: "max" },
    }),
  );
  const sent = { type: "input_image", image_url: `data:image/png;base64,${PIXEL.toBase64()}` };
  const called = (call_id: string) => ({
    type: "function_call",
    call_id,
    name: "read_file",
    arguments: '{"filepath":"a"}',
  });
  equal(url, `${BASE}/responses`);
  equal(body, {
    model: MODEL,
    instructions: "Be brief.",
    input: [
      { role: "user", content: [{ type: "input_text", text: "Read both." }, sent] },
      ITEM,
      {
        type: "message",
        role: "assistant",
        phase: "commentary",
        content: [{ type: "output_text", text: "Reading." }],
      },
      called("c1"),
      called("c2"),
      {
        type: "function_call_output",
        call_id: "c1",
        output: [{ type: "input_text", text: "1| x" }, sent],
      },
      {
        type: "function_call_output",
        call_id: "c2",
        output: "[Error] read_file(filepath='a'): no such file",
      },
      { role: "user", content: [{ type: "input_text", text: "Go on." }] },
    ],
    tools: [{
      type: "function",
      name: "read_file",
      description: "Read a file.",
      parameters: READ_FILE.schema,
      strict: false,
    }],
    max_output_tokens: 1_000,
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "max", summary: "auto" },
  });
});

Deno.test("openAiProvider() sends no reasoning that nothing follows, and none of another model", async () => {
  const trailing = [user("a"), assistant("said", thought), user("b")];
  const { body } = await sentTo(BASE, requestOf(MODEL, trailing));
  ok(!JSON.stringify(body).includes("rs_1"));
  const inFront = [user("a"), assistant(thought, "said"), user("b")];
  ok(JSON.stringify((await sentTo(BASE, requestOf(MODEL, inFront))).body).includes("rs_1"));
  ok(!JSON.stringify((await sentTo(BASE, requestOf("gpt-6-sol", inFront))).body).includes("rs_1"));
});

Deno.test("openAiProvider() wishes for no more than a family of models has", async () => {
  const cases: [string, Request["hints"], unknown][] = [
    ["gpt-5.6-luna", {}, undefined],
    ["gpt-5.6-luna", { thinking: "off" }, undefined],
    ["gpt-5.6-luna", { thinking: "adaptive" }, { summary: "auto" }],
    ["gpt-5.6-luna", { effort: "max" }, { effort: "max" }],
    ["gpt-6-sol", { effort: "max" }, { effort: "max" }],
    ["gpt-5.4", { effort: "max" }, { effort: "xhigh" }],
    ["o3", { effort: "max" }, { effort: "high" }],
    ["gpt-5-pro", { effort: "low" }, { effort: "low" }],
  ];
  for (const [model, hints, expected] of cases) {
    equal(
      (await sentTo(BASE, requestOf(model, [user("Hi")], { hints }))).body.reasoning,
      expected,
      `${model} ${JSON.stringify(hints)}`,
    );
  }
  equal(
    (await sentTo(BASE, requestOf(MODEL, [user("Hi")], { outputTokensMax: 6 }))).body
      .max_output_tokens,
    16,
  );
});

/** The events of a stream of these very events. */
async function fromEvents(events: readonly object[]): Promise<ProviderEvent[]> {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  await using server = serveFake(async (_, reply) => {
    await reply.start(200, { "content-type": "text/event-stream" });
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions("openai", `${server.url}/v1`, { retriesMax: 0 });
  options.memory.of(options.connection.baseUrl, MODEL).speaksResponses = true;
  using _ = options.http;
  return await collect(openAiProvider(options).stream(requestOf(MODEL, [user("Hi")]), calm()));
}

const said = { type: "response.output_text.delta", delta: "x" };
const ended = (type: string, response: object = {}) => ({
  type,
  response: {
    model: "answered",
    usage: {
      input_tokens: 100,
      output_tokens: 9,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    },
    ...response,
  },
});

Deno.test("openAiProvider() maps every end of a response, and its four counts (check 16)", async () => {
  const cases: [object, string][] = [
    [ended("response.completed"), "end"],
    [
      ended("response.incomplete", { incomplete_details: { reason: "max_output_tokens" } }),
      "length",
    ],
    [ended("response.incomplete", { incomplete_details: { reason: "content_filter" } }), "refusal"],
    [ended("response.incomplete", {}), "length"],
    [ended("response.failed", { error: { code: "bio_policy", message: "no" } }), "refusal"],
  ];
  for (const [event, stop] of cases) {
    equal((await fromEvents([said, event])).at(-1), {
      type: "done",
      stop,
      usage: { input: 10, output: 9, cacheRead: 60, cacheWrite: 30 },
      model: "answered",
    });
  }
  equal(
    (await fromEvents([
      { type: "response.refusal.delta", delta: "I cannot" },
      ended("response.completed"),
    ])).at(-1)?.type === "done",
    true,
  );
});

Deno.test("openAiProvider() takes a failed response and an error event for errors", async () => {
  const cases: [object, ProviderError["kind"]][] = [
    [ended("response.failed", { error: { code: "server_error", message: "oops" } }), "overloaded"],
    [
      ended("response.failed", { error: { code: "rate_limit_exceeded", message: "slow" } }),
      "rate_limit",
    ],
    [{
      type: "error",
      code: "context_length_exceeded",
      message: "Your input exceeds the context window of this model.",
    }, "overflow"],
    [ended("response.cancelled"), "overloaded"],
  ];
  for (const [event, kind] of cases) {
    await rejects(fromEvents([said, event]), (error: unknown) => {
      ok(error instanceof ProviderError);
      equal(error.kind, kind);
      return true;
    });
  }
  await rejects(fromEvents([said]), /ended before it was complete/);
});

Deno.test("openAiProvider() takes a call from its finished item, or from the whole response, once", async () => {
  const item = {
    type: "function_call",
    id: "fc_1",
    call_id: "c1",
    name: "read_file",
    arguments: '{"filepath":"a"}',
  };
  const expected = [{ type: "tool_call", id: "c1", name: "read_file", input: { filepath: "a" } }];
  const whole = ended("response.completed", { output: [{ type: "message" }, item] });
  for (const events of [[{ type: "response.output_item.done", item }, whole], [whole]]) {
    const got = await fromEvents(events);
    equal(got.filter(({ type }) => type === "tool_call"), expected);
    equal(got.at(-1)?.type === "done" ? got.at(-1) : undefined, {
      type: "done",
      stop: "tool_calls",
      usage: { input: 10, output: 9, cacheRead: 60, cacheWrite: 30 },
      model: "answered",
    });
  }
  const started = { type: "response.output_item.added", item: { ...item, arguments: "" } };
  const cut = await fromEvents([started, {
    type: "response.function_call_arguments.delta",
    delta: '{"file',
  }, ended("response.incomplete", { incomplete_details: { reason: "max_output_tokens" } })]);
  equal(cut.map((event) => event.type === "tool_call" ? event.damage : event.type), [
    "the reply ended before the call was complete",
    "done",
  ]);
});

Deno.test("openAiProvider() takes a message from its finished item, or from the whole response, once", async () => {
  const content = [{ type: "output_text", text: "whole" }];
  const item = { type: "message", role: "assistant", content };
  const whole = ended("response.completed", { output: [item] });
  const finished = { type: "response.output_item.done", output_index: 0, item };
  const piece = { ...said, output_index: 0, delta: "whole" };
  for (const events of [[finished, whole], [whole], [piece, finished, whole], [piece, whole]]) {
    const got = await fromEvents(events);
    equal(got.flatMap((event) => event.type === "delta" ? [event.text] : []), ["whole"]);
  }
  const refusal = { ...item, content: [{ type: "refusal", refusal: "I cannot" }] };
  const done = (await fromEvents([{ ...finished, item: refusal }, ended("response.completed")]))
    .at(-1);
  equal(done?.type === "done" ? done.stop : "", "refusal");
});

Deno.test("openAiProvider() keeps every item of a server that names none, and takes each once", async () => {
  const finished = (item: Record<string, unknown>) => ({
    type: "response.output_item.done",
    item,
  });
  const thought = (encrypted_content: string) => ({
    type: "reasoning",
    summary: [],
    encrypted_content,
  });
  const message = (text: string) => ({
    type: "message",
    role: "assistant",
    phase: "commentary",
    content: [{ type: "output_text", text }],
  });
  const output = [thought("a"), message("one"), thought("b"), message("two")];
  const events = await fromEvents([
    finished(thought("a")),
    { ...said, delta: "one" },
    ...output.slice(1).map(finished),
    ended("response.completed", { output }),
  ]);
  equal(events.flatMap((event) => event.type === "delta" ? [event.text] : []), ["one", "two"]);
  const kept = events.flatMap((event) => event.type === "block_end" ? [event.private?.data] : []);
  const { phase } = message("");
  equal(JSON.parse(JSON.stringify(kept)), [thought("a"), { phase }, thought("b"), { phase }]);
});

Deno.test("openAiProvider() keeps reasoning only when it came encrypted", async () => {
  const events = await fromEvents([
    { type: "response.reasoning_summary_text.delta", delta: "one" },
    { type: "response.reasoning_summary_part.added", summary_index: 1 },
    { type: "response.reasoning_summary_text.delta", delta: "two" },
    {
      type: "response.output_item.done",
      item: { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null },
    },
    ended("response.completed"),
  ]);
  equal(events.map((event) => event.type === "delta" ? event.text : event.type), [
    "one",
    "\n\n",
    "two",
    "done",
  ]);
});

Deno.test("openAiProvider() leaves out what a model without reasoning refuses", async () => {
  const bodies: string[] = [];
  await using server = serveFake(async ({ body }, reply) => {
    bodies.push(body);
    if (bodies.length === 1) {
      return await reply.whole(
        400,
        JSON.stringify({
          error: {
            message: "Encrypted content is not supported with this model.",
            param: "include",
          },
        }),
      );
    }
    await reply.start(200, {});
    await reply.chunk(
      new TextEncoder().encode(`data: ${JSON.stringify(ended("response.completed"))}\n\n`),
    );
    await reply.end();
  });
  const options = wireOptions("openai", `${server.url}/v1`);
  options.memory.of(options.connection.baseUrl, MODEL).speaksResponses = true;
  using _ = options.http;
  await collect(openAiProvider(options).stream(requestOf(MODEL, [user("Hi")]), calm()));
  match(bodies[0] ?? "", /"include"/);
  ok(!bodies[1]?.includes('"include"'));
});
