import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import type { Block } from "@/protocol/message.ts";
import { ProviderError, type ProviderEvent, type Request } from "@/protocol/provider.ts";
import { ollamaProvider } from "@/provider/ollama_wire.ts";
import { ServerMemory } from "@/provider/server_memory.ts";
import { assistant, call, PIXEL, READ_FILE, result, user } from "../support/conversation.ts";
import type { Script } from "../support/fake_api.ts";
import { type FakeOllamaOptions, startFakeOllama } from "../support/fake_ollama.ts";
import { serveFake } from "../support/fake_http.ts";
import { calm, type TestOptions, wireOptions } from "../support/wire_options.ts";
import { bodyOf, HELLO, MODEL, oneModel, run, withOllama } from "../support/with_ollama.ts";

const THINKER = oneModel({ capabilities: ["completion", "tools", "thinking"] });

Deno.test("ollamaProvider() sends this body for a conversation with everything in it (check 21)", async () => {
  const image = { type: "image" as const, mime: "image/png", data: PIXEL };
  const messages = [
    user("Read both.", image),
    assistant("Reading.", call("c1"), call("c2", "read_file", { filepath: "b" })),
    result("c1", "1| x", { parts: [image] }),
    result("c2", "no such file", { status: "failed" }),
    user("Go on."),
  ];
  const server = oneModel({
    capabilities: ["completion", "tools", "vision", "thinking"],
    contextLength: 131_072,
  });
  const body = await bodyOf({ server }, {
    messages,
    tools: [READ_FILE],
    hints: { thinking: "adaptive" },
  });
  const pixel = PIXEL.toBase64();
  equal(body, {
    model: MODEL,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Read both.", images: [pixel] },
      {
        role: "assistant",
        content: "Reading.",
        tool_calls: [
          { id: "c1", function: { index: 0, name: "read_file", arguments: { filepath: "a" } } },
          { id: "c2", function: { index: 1, name: "read_file", arguments: { filepath: "b" } } },
        ],
      },
      {
        role: "tool",
        content: "1| x",
        images: [pixel],
        tool_name: "read_file",
        tool_call_id: "c1",
      },
      {
        role: "tool",
        content: "[Error] read_file(filepath='b'): no such file",
        tool_name: "read_file",
        tool_call_id: "c2",
      },
      { role: "user", content: "Go on." },
    ],
    tools: [{
      type: "function",
      function: { name: "read_file", description: "Read a file.", parameters: READ_FILE.schema },
    }],
    stream: true,
    think: true,
    truncate: false,
    shift: false,
    options: { num_ctx: 8_192, num_predict: 1_000 },
  });
});

Deno.test("ollamaProvider() always sends num_ctx, never more than the model was trained for", async () => {
  const cases: [number, number | undefined, number | undefined][] = [
    [65_536, 131_072, 65_536],
    [65_536, 40_960, 40_960],
    [65_536, undefined, 65_536],
    [0, 40_960, 40_960],
    [0, undefined, undefined],
  ];
  for (const [numCtx, contextLength, expected] of cases) {
    const server = oneModel({
      capabilities: ["tools"],
      ...(contextLength === undefined ? {} : { contextLength }),
    });
    await withOllama({ server, numCtx }, async (provider, api) => {
      await run(provider);
      const [body] = api.bodies as {
        options: Record<string, unknown>;
        truncate: boolean;
        shift: boolean;
      }[];
      equal([body?.options.num_ctx, body?.truncate, body?.shift], [expected, false, false]);
      equal((await provider.model(MODEL, calm())).windowTokens, expected ?? contextLength);
    });
  }
});

Deno.test("ollamaProvider() sends no sampling parameters (check 25)", async () => {
  equal(Object.keys((await bodyOf({})).options as object), ["num_ctx", "num_predict"]);
});

Deno.test("ollamaProvider() sends a model its own thinking where it was kept, and nobody else's", async () => {
  const thought = (by?: string) =>
    assistant({ type: "thinking", text: "hm", ...(by === undefined ? {} : { by }) }, "yes");
  const messages = [`ollama/${MODEL}`, "ollama/other", `openai/${MODEL}`, undefined]
    .flatMap((by) => [user("a"), thought(by)]);
  const body = await bodyOf({ server: THINKER }, { messages: [...messages, user("b")] });
  const sent = body["messages"] as { role: string; thinking?: string }[];
  const answers = sent.filter(({ role }) => role === "assistant");
  equal(answers.map(({ thinking }) => thinking), ["hm", undefined, undefined, undefined]);
});

Deno.test("ollamaProvider() asks for thinking only where the model can", async () => {
  const cases: [FakeOllamaOptions, Request["hints"], unknown][] = [
    [THINKER, {}, undefined],
    [THINKER, { thinking: "adaptive" }, true],
    [THINKER, { thinking: "adaptive", effort: "max" }, "max"],
    [THINKER, { effort: "low" }, "low"],
    [THINKER, { thinking: "off", effort: "low" }, false],
    [oneModel({ capabilities: ["tools"] }), { thinking: "adaptive", effort: "high" }, undefined],
    [oneModel({ capabilities: ["tools"] }), { thinking: "off" }, false],
    [oneModel({}), { thinking: "adaptive" }, undefined],
  ];
  for (const [server, hints, think] of cases) {
    equal((await bodyOf({ server }, { hints })).think, think, JSON.stringify(hints));
  }
});

Deno.test("ollamaProvider() drops think once when a server refuses it, and remembers that", async () => {
  const refused = {
    fault: {
      kind: "status" as const,
      status: 400,
      body: { error: `"${MODEL}" does not support thinking` },
    },
  };
  await withOllama(
    { script: [refused, { text: "Hello." }, { text: "Again." }], server: THINKER },
    async (provider, api) => {
      const hints = { thinking: "adaptive" as const };
      equal((await run(provider, { hints })).map(({ type }) => type).at(-1), "done");
      await run(provider, { hints });
      equal((api.bodies as { think?: unknown }[]).map(({ think }) => think), [
        true,
        undefined,
        undefined,
      ]);
    },
  );
  await withOllama({ script: [refused, refused], server: THINKER }, async (provider, api) => {
    await rejects(run(provider, { hints: { thinking: "adaptive" } }), ProviderError);
    equal(api.bodies.length, 2, "a second refusal is reported");
  });
});

const LONG = user("word ".repeat(4_000));

Deno.test("ollamaProvider() takes a limit that was reached before the first token for an overflow", async () => {
  const script: Script = () => ({ text: "", stop: "length", usage: { input: 8_190, output: 0 } });
  await withOllama({ script, server: oneModel({}) }, async (provider) => {
    await rejects(run(provider), { name: "ProviderError", kind: "overflow" });
  });
});

Deno.test("ollamaProvider() counts only what it sends: no data of other servers", async () => {
  const elsewhere = { wire: "gemini", baseUrl: "u", model: "g" };
  const data = { thoughtSignature: "x".repeat(40_000) };
  const foreign = { ...call("1"), private: { ...elsewhere, data } } as Block;
  const messages = [user("word ".repeat(900)), assistant(foreign), result("1", "ok")];
  const script: Script = () => ({ text: "x", usage: { input: 900, output: 1 } });
  await withOllama({ script, server: oneModel({}) }, async (provider) => {
    const events = await run(provider, { messages });
    equal(events.filter(({ type }) => type === "notice"), []);
  });
});

// Case D23 of the user pains.
Deno.test("ollamaProvider() warns once when the server has read far less than was sent", async () => {
  const script: Script = () => ({ text: "x", usage: { input: 900, output: 1 } });
  const server = oneModel({ capabilities: ["tools"], loaded: 4_096 });
  await withOllama({ script, server }, async (provider) => {
    const notices = (events: ProviderEvent[]) =>
      events.flatMap((event) => event.type === "notice" ? [event] : []);
    const [notice, ...more] = notices(await run(provider, { messages: [LONG] }));
    equal(more, []);
    equal([notice?.level, notice?.about], ["warn", MODEL]);
    match(
      notice?.text ?? "",
      /^Ollama read only 900 prompt tokens of about 5\d\d\d: it has cut the prompt\. Its context window is 4096 tokens, where 8192 were asked for/,
    );
    equal(notices(await run(provider, { messages: [LONG] })), []);
  });
});

Deno.test("ollamaProvider() does not warn about an estimate that is only a little off", async () => {
  for (
    const usage of [{ input: 4_000, output: 1 }, { input: 0, output: 1 }, {
      input: 9_000,
      output: 1,
    }]
  ) {
    await withOllama({ script: [{ text: "x", usage }] }, async (provider) => {
      equal(
        (await run(provider, { messages: [LONG] })).filter(({ type }) => type === "notice"),
        [],
      );
    });
  }
});

Deno.test("ollamaProvider() reads an error line as its HTTP form", async () => {
  const cases: [string, ProviderError["kind"], RegExp][] = [
    [`model "${MODEL}" not found, try pulling it first`, "not_found", /ollama pull/],
    ["unauthorized", "auth", /ollama signin/],
    [
      "the prompt is longer than the context length currently available to the model; x",
      "overflow",
      /does not fit/,
    ],
    ["llama runner process has terminated: exit status 2", "overloaded", /terminated/],
    [
      "server busy, please try again.  maximum pending requests exceeded",
      "overloaded",
      /OLLAMA_MAX_QUEUE/,
    ],
    [`"${MODEL}" does not support tools`, "no_tools", /NATIVE_TOOLS/],
    [
      "model requires more system memory (12.0 GiB) than is available",
      "invalid_request",
      /smaller model/,
    ],
  ];
  for (const [message, kind, text] of cases) {
    const script: Script = [{ text: "x", fault: { kind: "error", at: "text", message } }];
    await withOllama({ script, options: { retriesMax: 0 } }, async (provider) => {
      await rejects(run(provider), (error: unknown) => {
        ok(error instanceof ProviderError);
        equal(error.kind, kind, message);
        match(`${error.message} ${error.hint}`, text);
        return true;
      });
    });
  }
});

Deno.test("ollamaProvider() learns the true window from an overflow", async () => {
  const memory = new ServerMemory();
  const fault = {
    kind: "status" as const,
    status: 400,
    body: {
      error: "the request exceeds the available context size (4096 tokens), try increasing it",
    },
  };
  await withOllama({ script: [{ fault }], options: { memory } }, async (provider, api) => {
    await rejects(
      run(provider),
      (error: unknown) => error instanceof ProviderError && error.kind === "overflow",
    );
    equal(memory.of(api.url, MODEL).windowTokens, 4_096);
    equal((await provider.model(MODEL, calm())).windowTokens, 4_096);
  });
});

Deno.test("ollamaProvider() tries again after a line that is none", async () => {
  const script: Script = [{
    text: "one two",
    fault: { kind: "garbage", at: "end", line: "<html>oops" },
  }, { text: "Hello." }];
  await withOllama({ script }, async (provider) => {
    const events = await run(provider);
    const [retry] = events.flatMap((event) => event.type === "retry" ? [event] : []);
    equal(retry?.discarded, true);
    match(
      retry?.reason ?? "",
      /Ollama sent something that is not a reply of its API: "<html>oops"/,
    );
    equal(events.at(-1)?.type, "done");
  });
});

/** The events of a stream of these very lines. */
async function fromLines(lines: readonly unknown[]): Promise<ProviderEvent[]> {
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await using server = serveFake(async ({ path }, reply) => {
    if (path !== "/api/chat") return await reply.whole(404, "{}");
    await reply.start(200, { "content-type": "application/x-ndjson" });
    await reply.chunk(bytes);
    await reply.end();
  });
  const options = wireOptions("ollama", server.url, { retriesMax: 0 });
  using _ = options.http;
  return await run(ollamaProvider({ ...options, numCtx: () => 1 }));
}

Deno.test("ollamaProvider() takes calls from any chunk, the last one too", async () => {
  const calls = (name: string, args: unknown) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ function: { name, arguments: args } }],
  });
  const events = await fromLines([
    { message: { content: "a" }, done: false },
    { message: calls("functions.read_file<|channel|>commentary", { filepath: "x" }), done: false },
    { message: calls("git_status", null), done: true, done_reason: "stop" },
  ]);
  equal(events, [
    { type: "delta", channel: "text", text: "a" },
    { type: "tool_call", id: "call_new_1", name: "read_file", input: { filepath: "x" } },
    { type: "tool_call", id: "call_new_2", name: "git_status", input: {} },
    {
      type: "done",
      stop: "tool_calls",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      model: MODEL,
    },
  ]);
});

Deno.test("ollamaProvider() reports a call that is none instead of guessing", async () => {
  const events = await fromLines([
    {
      message: { content: "", tool_calls: [{ function: { arguments: {} } }, { nonsense: 1 }, 7] },
      done: false,
    },
    { done: true },
  ]);
  const calls = events.flatMap((event) => event.type === "tool_call" ? [event] : []);
  equal(
    calls.map(({ name, damage }) => [name, damage]),
    Array(3).fill(["unnamed", "the call names no tool"]),
  );
});

Deno.test("ollamaProvider() skips what it does not know and takes nothing from null members", async () => {
  const events = await fromLines([
    { message: null, done: false, novelty: 1 },
    {
      message: { role: "assistant", content: null, thinking: null, tool_calls: null, audio: "x" },
      done: null,
      error: null,
    },
    {
      model: "answered:1b",
      message: { content: "hi" },
      done: true,
      done_reason: "novel",
      prompt_eval_count: 3,
      eval_count: 2,
    },
  ]);
  equal(events.at(-1), {
    type: "done",
    stop: "end",
    usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0 },
    model: "answered:1b",
  });
});

Deno.test("ollamaProvider() proves who asks where there is a key or a user", async () => {
  const cases: [TestOptions["sources"], string | undefined][] = [
    [{}, undefined],
    [{ env: { OLLAMA_API_KEY: "k1" } }, "Bearer k1"],
    [{ saved: { api_key: "k2" } }, "Bearer k2"],
  ];
  for (const [sources, expected] of cases) {
    await withOllama({ options: { sources: sources ?? {} } }, async (provider, api) => {
      await run(provider);
      equal(api.requests[0]?.headers.authorization, expected);
    });
  }
  await using api = startFakeOllama(HELLO);
  const options = wireOptions("ollama", api.url.replace("//", "//me:p%40ss@"));
  using _ = options.http;
  await run(ollamaProvider({ ...options, numCtx: () => 1 }));
  equal(api.requests[0]?.headers.authorization, `Basic ${btoa("me:p@ss")}`);
});

Deno.test("ollamaProvider() says that the daemon is not running", async () => {
  const gone = serveFake((_, reply) => reply.gone);
  await gone[Symbol.asyncDispose]();
  const waits: number[] = [];
  const options = wireOptions("ollama", gone.url, { waits });
  using _ = options.http;
  await rejects(run(ollamaProvider({ ...options, numCtx: () => 1 })), (error: unknown) => {
    ok(error instanceof ProviderError);
    equal(
      error.message,
      `Ollama does not answer: nothing listens at ${gone.url} (from --base-url) (tried 2 times)`,
    );
    match(error.hint, /ollama serve/);
    return true;
  });
  equal(waits, [200], "it may just be restarting, but a person is not kept waiting");
});
