import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import { openAiProvider } from "@/provider/openai_wire.ts";
import { requestOf, user } from "../support/conversation.ts";
import { serveFake } from "../support/fake_http.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { fromChunks } from "../support/with_openai.ts";

const says = (delta: object, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const finish = (reason: string, more: object = {}) => ({
  choices: [{ index: 0, delta: {}, finish_reason: reason }],
  ...more,
});
const fragment = (...calls: object[]) => says({ tool_calls: calls });

function calls(events: readonly ProviderEvent[]) {
  return events.flatMap((event) =>
    event.type === "tool_call"
      ? [[event.id, event.name, event.input, ...(event.damage === undefined ? [] : [event.damage])]]
      : []
  );
}

function stopOf(events: readonly ProviderEvent[]): string {
  const done = events.at(-1);
  return done?.type === "done" ? done.stop : "none";
}

function text(events: readonly ProviderEvent[], channel: string): string {
  return events.flatMap((event) =>
    event.type === "delta" && event.channel === channel ? [event.text] : []
  ).join("");
}

const READ = ["read_file", { filepath: "a" }] as const;
const LIST = ["git_status", {}] as const;

// Case D18 of the user pains.
Deno.test("openAiProvider() puts calls together whichever way their fragments are marked (checks 8 and 10)", async () => {
  const cases: [string, object[], unknown[]][] = [
    ["interleaved by index", [
      fragment({ index: 0, id: "a", function: { name: "read_file", arguments: '{"file' } }),
      fragment({ index: 1, id: "b", function: { name: "git_status", arguments: "{" } }),
      fragment({ index: 0, function: { arguments: 'path":"a"}' } }, {
        index: 1,
        function: { arguments: "}" },
      }),
    ], [["a", ...READ], ["b", ...LIST]]],
    ["without index, by id", [
      fragment({ id: "a", function: { name: "read_file", arguments: '{"filepath"' } }),
      fragment({ id: "b", function: { name: "git_status", arguments: "" } }),
      fragment({ id: "a", function: { arguments: ':"a"}' } }),
    ], [["a", ...READ], ["b", ...LIST]]],
    ["without index and id, a name begins a call", [
      fragment({ function: { name: "read_file", arguments: '{"filepath"' } }),
      fragment({ function: { arguments: ':"a"}' } }),
      fragment({ function: { name: "git_status" } }),
    ], [["call_new_1", ...READ], ["call_new_2", ...LIST]]],
    ["the id in a later fragment", [
      fragment({ index: 0, id: "", function: { name: "read_file", arguments: "" } }),
      fragment({ index: 0, id: "late", function: { arguments: '{"filepath":"a"}' } }),
    ], [["late", ...READ]]],
    ["name and id repeated", [
      fragment({ index: 0, id: "a", function: { name: "read_file", arguments: '{"filepath"' } }),
      fragment({ index: 0, id: "a", function: { name: "read_file", arguments: ':"a"}' } }),
    ], [["a", ...READ]]],
    ["every whole call numbered 0", [
      fragment({
        index: 0,
        id: "a",
        function: { name: "read_file", arguments: '{"filepath":"a"}' },
      }),
      fragment({ index: 0, id: "b", function: { name: "git_status", arguments: "{}" } }),
    ], [["a", ...READ], ["b", ...LIST]]],
    ["arguments as an object", [
      fragment({
        index: 0,
        id: "a",
        function: { name: "read_file", arguments: { filepath: "a" } },
      }),
    ], [["a", ...READ]]],
    ["arguments null", [
      fragment({ index: 0, id: "a", function: { name: "git_status", arguments: null } }),
    ], [["a", ...LIST]]],
    ["a fragment that is none", [fragment({ index: "x" })], [[
      "call_new_1",
      "unnamed",
      {},
      "the call names no tool",
    ]]],
  ];
  for (const [name, chunks, expected] of cases) {
    const events = await fromChunks([...chunks, finish("stop")]);
    equal(calls(events), expected, name);
    equal(stopOf(events), "tool_calls", name);
  }
});

Deno.test("openAiProvider() maps every way of stopping (check 16)", async () => {
  const cases: [string, string][] = [
    ["stop", "end"],
    ["eos", "end"],
    ["end", "end"],
    ["novelty", "end"],
    ["length", "length"],
    ["model_length", "length"],
    ["model_context_window_exceeded", "length"],
    ["content_filter", "refusal"],
    ["sensitive", "refusal"],
  ];
  for (const [reason, expected] of cases) {
    equal(stopOf(await fromChunks([says({ content: "x" }), finish(reason)])), expected, reason);
  }
  equal(stopOf(await fromChunks([says({ refusal: "I cannot" }), finish("stop")])), "refusal");
});

Deno.test("openAiProvider() takes [DONE] or a reason as the end, and neither as a break", async () => {
  equal(stopOf(await fromChunks([says({ content: "x" }), finish("stop")], false)), "end");
  equal(stopOf(await fromChunks([says({ content: "x" }, { finish_reason: "" })])), "end");
  await rejects(
    fromChunks([says({ content: "x" }), says({ content: "y" }, { finish_reason: "" })], false),
    /ended before it was complete/,
  );
});

Deno.test("openAiProvider() takes reasons that are failures for failures", async () => {
  for (const reason of ["error", "network_error", "insufficient_system_resource"]) {
    await rejects(fromChunks([says({ content: "x" }), finish(reason)]), (error: unknown) => {
      ok(error instanceof ProviderError);
      equal(error.kind, "overloaded");
      match(error.message, new RegExp(reason));
      return true;
    });
  }
});

Deno.test("openAiProvider() shows reasoning once, however many fields it comes in (check 14)", async () => {
  const both = await fromChunks([
    says({ reasoning_content: "hm", reasoning: "hm" }),
    says({ reasoning: " so" }),
    says({ content: "x" }),
    finish("stop"),
  ]);
  equal([text(both, "thinking"), text(both, "text")], ["hm so", "x"]);
  const details = await fromChunks([
    says({
      reasoning: "hm",
      reasoning_details: [{ type: "reasoning.text", text: "hm", index: 0 }],
    }),
    finish("stop"),
  ]);
  equal(text(details, "thinking"), "hm");
  const chunks = await fromChunks([
    says({
      content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }, {
        type: "text",
        text: "x",
      }],
    }),
    finish("stop"),
  ]);
  equal([text(chunks, "thinking"), text(chunks, "text")], ["hm", "x"]);
});

Deno.test("openAiProvider() counts tokens wherever a server puts them, and the last count stands", async () => {
  const usage = { prompt_tokens: 6_040, completion_tokens: 12 };
  const cases: [object[], object][] = [
    [[finish("stop"), {
      choices: [],
      usage: { ...usage, prompt_tokens_details: { cached_tokens: 5_888 } },
    }], { input: 152, output: 12, cacheRead: 5_888, cacheWrite: 0 }],
    [[finish("stop"), {
      choices: [],
      usage: {
        ...usage,
        prompt_tokens_details: { cached_tokens: 5_000, cache_write_tokens: 1_000 },
      },
    }], { input: 40, output: 12, cacheRead: 5_000, cacheWrite: 1_000 }],
    [[finish("stop", { usage: { ...usage, prompt_cache_hit_tokens: 40 } })], {
      input: 6_000,
      output: 12,
      cacheRead: 40,
      cacheWrite: 0,
    }],
    [
      [{ choices: [{ delta: {}, finish_reason: "stop", usage: { ...usage, cached_tokens: 40 } }] }],
      { input: 6_000, output: 12, cacheRead: 40, cacheWrite: 0 },
    ],
    [[finish("stop", { x_groq: { usage } })], {
      input: 6_040,
      output: 12,
      cacheRead: 0,
      cacheWrite: 0,
    }],
    [[says({}, {}), { ...finish("stop"), usage: { prompt_tokens: 5, completion_tokens: 1 } }, {
      choices: null,
      usage: { ...usage, num_cached_tokens: 9_999 },
    }], { input: 0, output: 12, cacheRead: 9_999, cacheWrite: 0 }],
    [[finish("stop")], { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }],
  ];
  for (const [chunks, expected] of cases) {
    const done = (await fromChunks([says({ content: "x" }), ...chunks])).at(-1);
    equal(done?.type === "done" ? done.usage : undefined, expected);
  }
});

Deno.test("openAiProvider() reads past comments, blank data and what it does not know", async () => {
  const events = await fromChunks([
    ": keep-alive",
    "data:",
    { object: "novelty", prompt_filter_results: [] },
    says({ role: "assistant", novelty: 1 }),
    says({ content: "x" }),
    finish("stop"),
  ]);
  equal(events.map(({ type }) => type), ["delta", "done"]);
});

Deno.test("openAiProvider() takes an error inside the stream in each of its shapes (check 6)", async () => {
  const shapes: [object, ProviderError["kind"]][] = [
    [{ error: { message: "Overloaded", code: 503 } }, "overloaded"],
    [{ error: { message: "Rate limited", code: "rate_limit_exceeded" } }, "rate_limit"],
    [{ error: "plain words" }, "overloaded"],
    [{
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        code: "context_length_exceeded",
      },
    }, "overflow"],
    [{
      choices: [{ delta: {}, finish_reason: "error" }],
      error: { message: "no money", code: 402 },
    }, "quota"],
  ];
  for (const [shape, kind] of shapes) {
    await rejects(fromChunks([says({ content: "x" }), shape]), (error: unknown) => {
      ok(error instanceof ProviderError);
      equal(error.kind, kind, JSON.stringify(shape));
      return true;
    });
  }
});

/** The private data of a reply by the quirks of a host, which is only named. */
async function keptBy(baseUrl: string, chunks: readonly object[]): Promise<unknown> {
  const { Http } = await import("@/provider/http.ts");
  class Canned extends Http {
    override send(): Promise<Response> {
      const text =
        [...chunks, finish("stop")].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") +
        "data: [DONE]\n\n";
      return Promise.resolve(new Response(text));
    }
  }
  using http = new Canned({ env: {}, offline: true });
  const options = wireOptions("openai", baseUrl, { http, retriesMax: 0 });
  const events = await collect(
    openAiProvider(options).stream(requestOf("m", [user("Hi")]), calm()),
  );
  const done = events.at(-1);
  return done?.type === "done" ? done.private?.map(({ data }) => data) : undefined;
}

Deno.test("openAiProvider() keeps of the reasoning what the host wants back", async () => {
  equal(
    await keptBy("https://api.deepseek.com", [
      says({ reasoning_content: "h" }),
      says({ reasoning_content: "m" }),
    ]),
    [{ reasoning_content: "hm" }],
  );
  equal(await keptBy("https://api.groq.com/openai/v1", [says({ reasoning: "hm" })]), undefined);
  const pieces = [
    says({ reasoning_details: [{ type: "reasoning.text", text: "h", index: 0, format: "f" }] }),
    says({ reasoning_details: [{ type: "reasoning.text", text: "m", index: 0, signature: null }] }),
    says({ reasoning_details: [{ type: "reasoning.text", text: "", index: 0, signature: "sig" }] }),
    says({
      reasoning_details: [{ type: "reasoning.encrypted", data: "e1", index: 1 }, {
        type: "reasoning.encrypted",
        data: "e2",
        index: 1,
      }],
    }),
  ];
  equal(await keptBy("https://openrouter.ai/api/v1", pieces), [{
    reasoning_details: [
      { type: "reasoning.text", text: "hm", index: 0, format: "f", signature: "sig" },
      { type: "reasoning.encrypted", data: "e1", index: 1 },
      { type: "reasoning.encrypted", data: "e2", index: 1 },
    ],
  }]);
  const thinking = (words: string, more: object = {}) =>
    says({ content: [{ type: "thinking", thinking: [{ type: "text", text: words }], ...more }] });
  equal(
    await keptBy("https://api.mistral.ai/v1", [thinking("h"), thinking("m", { signature: "s" })]),
    [{ chunks: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }], signature: "s" }] }],
  );
});

Deno.test("openAiProvider() takes a whole JSON body where events were asked for as the error that it is", async () => {
  const cases: [string, ProviderError["kind"], RegExp][] = [
    ['{"error":{"message":"Overloaded","code":503}}', "overloaded", /"Overloaded"/],
    [
      '[{"error":{"message":"no","status":"RESOURCE_EXHAUSTED"}}]',
      "rate_limit",
      /RESOURCE_EXHAUSTED/,
    ],
    ['{"choices":[{"message":{"content":"whole"}}]}', "connection", /not a reply of its API/],
  ];
  for (const [body, kind, text] of cases) {
    await using server = serveFake((_, reply) =>
      reply.whole(200, body, { "content-type": "application/json" })
    );
    const options = wireOptions("openai", `${server.url}/v1`, { retriesMax: 0 });
    using _ = options.http;
    await rejects(
      collect(openAiProvider(options).stream(requestOf("m", [user("Hi")]), calm())),
      (error: unknown) => {
        ok(error instanceof ProviderError);
        equal(error.kind, kind, body);
        match(error.message, text);
        return true;
      },
    );
  }
});

Deno.test("openAiProvider() takes a limit that was reached before the first token for an overflow (check 39)", async () => {
  const counted = (completion_tokens: number) =>
    finish("length", { usage: { prompt_tokens: 8_190, completion_tokens } });
  await rejects(fromChunks([says({ role: "assistant", content: "" }), counted(0)]), {
    name: "ProviderError",
    kind: "overflow",
  });
  equal(stopOf(await fromChunks([says({ content: "" }), counted(2)])), "length");
  equal(stopOf(await fromChunks([says({ content: "x" }), counted(0)])), "length");
});
