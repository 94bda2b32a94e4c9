import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError, type Request } from "@/protocol/provider.ts";
import {
  assistant,
  call,
  PIXEL,
  READ_FILE,
  requestOf,
  result,
  user,
} from "../support/conversation.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { calm } from "../support/wire_options.ts";
import { type Body, MODEL, run, sentTo, withChat } from "../support/with_openai.ts";

const image = { type: "image" as const, mime: "image/png", data: PIXEL };
const HISTORY = [
  user("Read both.", image),
  assistant("Reading.", call("c1"), call("c|2", "read_file", { filepath: "b" })),
  result("c1", "1| x", { parts: [image] }),
  result("c|2", "no such file", { status: "failed" }),
  user("Go on."),
];

Deno.test("openAiProvider() sends this body for a conversation with everything in it (check 21)", async () => {
  let body: Body;
  await withChat({}, async (provider, api) => {
    await run(provider, { messages: HISTORY, tools: [READ_FILE], hints: { effort: "max" } });
    body = api.bodies[0];
  });
  const url = `data:image/png;base64,${PIXEL.toBase64()}`;
  const mapped = body.messages[2].tool_calls[1].id;
  match(mapped, /^[0-9a-f]{24}$/);
  equal(body, {
    model: MODEL,
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url } }, { type: "text", text: "Read both." }],
      },
      {
        role: "assistant",
        content: "Reading.",
        tool_calls: [
          {
            id: "c1",
            type: "function",
            function: { name: "read_file", arguments: '{"filepath":"a"}' },
          },
          {
            id: mapped,
            type: "function",
            function: { name: "read_file", arguments: '{"filepath":"b"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "1| x" },
      {
        role: "tool",
        tool_call_id: mapped,
        content: "[Error] read_file(filepath='b'): no such file",
      },
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url } }, { type: "text", text: "Go on." }],
      },
    ],
    tools: [{
      type: "function",
      function: { name: "read_file", description: "Read a file.", parameters: READ_FILE.schema },
    }],
    max_completion_tokens: 1_000,
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "high",
  });
});

Deno.test("openAiProvider() sends nothing that was not asked for (check 25)", async () => {
  await withChat({}, async (provider, api) => {
    await run(provider);
    equal(Object.keys(api.bodies[0] as object), [
      "model",
      "messages",
      "tools",
      "max_completion_tokens",
      "stream",
      "stream_options",
    ]);
    equal(api.requests[0]?.headers.authorization, undefined, "no key, no header");
  });
});

Deno.test("openAiProvider() asks each host for thinking in its own words", async () => {
  const cases: [string, string, Request["hints"], Record<string, unknown>][] = [
    ["https://openrouter.ai/api/v1", "x", { thinking: "off" }, { reasoning: { enabled: false } }],
    ["https://openrouter.ai/api/v1", "x", { effort: "max" }, { reasoning: { effort: "xhigh" } }],
    ["https://openrouter.ai/api/v1", "x", { thinking: "adaptive" }, {
      reasoning: { enabled: true },
    }],
    ["https://api.deepseek.com", "deepseek-v4", { thinking: "off", effort: "high" }, {
      thinking: { type: "disabled" },
    }],
    ["https://api.deepseek.com", "deepseek-v4", { thinking: "adaptive", effort: "medium" }, {
      thinking: { type: "enabled" },
      reasoning_effort: "high",
    }],
    ["https://api.deepseek.com", "deepseek-reasoner", { thinking: "adaptive", effort: "high" }, {}],
    ["https://api.z.ai/api/paas/v4", "glm-5", { thinking: "adaptive" }, {
      thinking: { type: "enabled", clear_thinking: false },
    }],
    ["https://api.moonshot.ai/v1", "kimi-k2.6", { thinking: "off" }, {
      thinking: { type: "disabled" },
    }],
    ["https://api.moonshot.ai/v1", "kimi-k3", { thinking: "off", effort: "max" }, {
      reasoning_effort: "max",
    }],
    ["https://api.together.xyz/v1", "x", { thinking: "adaptive", effort: "low" }, {
      reasoning: { enabled: true },
      reasoning_effort: "low",
    }],
    ["https://api.minimax.io/v1", "x", {}, { reasoning_split: true }],
    ["https://api.x.ai/v1", "grok-4.20-reasoning", { effort: "high" }, {}],
    ["https://api.x.ai/v1", "grok-4.5", { effort: "high" }, { reasoning_effort: "high" }],
    ["http://127.0.0.1:8000/v1", "x", { thinking: "off" }, {}],
    ["https://api.openai.com/v1", "gpt-4.1", { thinking: "adaptive" }, {}],
  ];
  for (const [baseUrl, model, hints, expected] of cases) {
    const { body } = await sentTo(baseUrl, requestOf(model, [user("Hi")], { hints }));
    const sent = Object.fromEntries(
      ["reasoning", "thinking", "reasoning_effort", "reasoning_split"].flatMap((name) =>
        name in body ? [[name, body[name]]] : []
      ),
    );
    equal(sent, expected, `${baseUrl} ${model} ${JSON.stringify(hints)}`);
  }
});

Deno.test("openAiProvider() names the cap as the host does", async () => {
  const cases: [string, string][] = [
    ["https://api.openai.com/v1", "max_completion_tokens"],
    ["https://api.groq.com/openai/v1", "max_completion_tokens"],
    ["https://api.mistral.ai/v1", "max_tokens"],
    ["https://api.deepseek.com", "max_tokens"],
    ["http://127.0.0.1:8000/v1", "max_completion_tokens"],
  ];
  for (const [baseUrl, name] of cases) {
    const { body, url } = await sentTo(baseUrl, requestOf("some-model", [user("Hi")]));
    equal(
      ["max_completion_tokens", "max_tokens"].filter((field) => field in body),
      [name],
      baseUrl,
    );
    equal(url, `${baseUrl}/chat/completions`);
  }
});

Deno.test("openAiProvider() gives Mistral ids of nine characters and a word between result and person (check 36)", async () => {
  const { body } = await sentTo("https://api.mistral.ai/v1", requestOf("mistral-large", HISTORY));
  const ids = body.messages.flatMap((
    message: Body,
  ) => [message.tool_call_id, ...(message.tool_calls ?? []).map(({ id }: Body) => id)]).filter(
    Boolean,
  );
  equal(ids.length, 4);
  ok(ids.every((id: string) => /^[a-zA-Z0-9]{9}$/.test(id)), ids.join());
  equal(ids.slice(0, 2), ids.slice(2), "call and result agree");
  equal(body.messages.map(({ role }: Body) => role), [
    "system",
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
    "user",
  ]);
});

Deno.test("openAiProvider() sends reasoning back where it is demanded and nowhere else", async () => {
  const baseUrl = "https://api.deepseek.com";
  const kept = (
    model: string,
  ) => [{ wire: "openai_chat", baseUrl, model, data: { reasoning_content: "hm" } }];
  const thought = { ...assistant(call("c1")), private: kept("deepseek-v4") };
  const messages = [user("a"), thought, result("c1", "x"), assistant("done"), user("b")];
  const { body } = await sentTo(baseUrl, requestOf("deepseek-v4", messages));
  equal(
    body.messages.filter(({ role }: Body) => role === "assistant").map((message: Body) =>
      message.reasoning_content
    ),
    ["hm", ""],
  );
  const other =
    (await sentTo("https://api.groq.com/openai/v1", requestOf("deepseek-v4", messages))).body;
  ok(!JSON.stringify(other).includes("reasoning_content"));
  const details = [{ type: "reasoning.text", text: "hm", signature: "s", index: 0 }, {
    type: "reasoning.encrypted",
    data: "e",
  }];
  const routed = {
    ...assistant("said"),
    private: [{
      wire: "openai_chat",
      baseUrl: "https://openrouter.ai/api/v1",
      model: "x",
      data: { reasoning_details: details },
    }],
  };
  const back = await sentTo(
    "https://openrouter.ai/api/v1",
    requestOf("x", [user("a"), routed, user("b")]),
  );
  equal(back.body.messages[2].reasoning_details, details);
});

Deno.test("openAiProvider() proves who asks, to Azure by its own header", async () => {
  const request = requestOf("x", [user("Hi")]);
  equal(
    (await sentTo("https://api.groq.com/openai/v1", request)).headers.authorization,
    "Bearer key-1",
  );
  const azure = (await sentTo("https://res.openai.azure.com/openai/v1", request)).headers;
  equal([azure["api-key"], azure.authorization], ["key-1", undefined]);
});

Deno.test("openAiProvider() names the conversation for the cache where the host knows such a name", async () => {
  const keyFor = async (baseUrl: string, model: string) => {
    const request = requestOf(model, [user("Hi")], { hints: { cacheKey: "0199-session" } });
    return (await sentTo(baseUrl, request)).body.prompt_cache_key;
  };
  equal(await keyFor("https://api.openai.com/v1", "gpt-5.1"), "0199-session");
  equal(await keyFor("https://api.openai.com/v1", "gpt-6-sol"), "0199-session", "over Responses");
  equal(await keyFor("https://api.mistral.ai/v1", "mistral-large"), "0199-session");
  equal(await keyFor("https://api.groq.com/openai/v1", "qwen"), undefined);
  equal(await keyFor("http://127.0.0.1:9/v1", "local"), undefined);
});

Deno.test("openAiProvider() tries the other name of the cap once and remembers it (check 26)", async () => {
  await withChat({ server: { refuses: ["max_completion_tokens"] } }, async (provider, api) => {
    await run(provider);
    await run(provider);
    equal((api.bodies as Body[]).map((body) => "max_tokens" in body), [false, true, true]);
  });
});

Deno.test("openAiProvider() leaves out an optional field that is refused, once, and remembers it (check 27)", async () => {
  await withChat({ server: { refuses: ["stream_options"] } }, async (provider, api) => {
    await run(provider);
    await run(provider);
    equal((api.bodies as Body[]).map((body) => "stream_options" in body), [true, false, false]);
  });
  await withChat(
    { server: { refuses: ["stream_options", "reasoning_effort"] } },
    async (provider, api) => {
      await rejects(
        run(provider, { hints: { effort: "low" } }),
        (error: unknown) => error instanceof ProviderError && error.kind === "invalid_request",
      );
      equal(api.bodies.length, 2, "a second refusal is reported");
    },
  );
});

Deno.test("openAiProvider() moves a model to the Responses API when the server says so (check 28)", async () => {
  const refusal: ScriptedReply = {
    fault: {
      kind: "status",
      status: 400,
      body: {
        error: {
          message:
            "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
          param: "reasoning_effort",
          code: null,
        },
      },
    },
  };
  await withChat({ script: [refusal] }, async (provider, api) => {
    await rejects(
      run(provider, { messages: HISTORY }),
      /no such API/,
      "this fake has no such address",
    );
    const [moved] = api.others.filter(({ path }) => path === "/v1/responses");
    const body = JSON.parse(moved?.body ?? "{}");
    equal(body.input.length, 7, "the conversation goes on with the same history");
    await rejects(run(provider), ProviderError);
    equal(api.bodies.length, 1, "and Chat Completions is not asked again");
  });
});

Deno.test("openAiProvider() speaks Responses from the start to OpenAI's newer models", async () => {
  const cases: [string, string, string][] = [
    ["https://api.openai.com/v1", "gpt-4.1", "chat/completions"],
    ["https://api.openai.com/v1", "gpt-5", "chat/completions"],
    ["https://api.openai.com/v1", "gpt-5.6-luna", "responses"],
    ["https://api.openai.com/v1", "gpt-6-astra", "responses"],
    ["https://api.openai.com/v1", "o3", "responses"],
    ["https://api.openai.com/v1", "gpt-5-pro", "responses"],
    ["https://api.openai.com/v1", "gpt-5.3-codex", "responses"],
    ["https://res.openai.azure.com/openai/v1", "gpt-6", "responses"],
    ["https://openrouter.ai/api/v1", "openai/gpt-6", "chat/completions"],
    ["http://127.0.0.1:1/v1", "gpt-6", "chat/completions"],
  ];
  for (const [baseUrl, model, path] of cases) {
    equal((await sentTo(baseUrl, requestOf(model, [user("Hi")]))).url, `${baseUrl}/${path}`, model);
  }
});

Deno.test("openAiProvider() offers no more tools than the API takes, and says so once", async () => {
  const tools = Array.from({ length: 140 }, (_, at) => ({ ...READ_FILE, name: `tool_${at}` }));
  await withChat({}, async (provider, api) => {
    const notices = [];
    for (let times = 0; times < 2; times += 1) {
      notices.push(
        ...(await run(provider, { tools })).flatMap((event) =>
          event.type === "notice" ? [event.text] : []
        ),
      );
    }
    equal((api.bodies[0] as Body).tools.length, 128);
    equal(notices, [
      `Only the first 128 of 140 tools were offered to ${MODEL}: the API takes no more`,
    ]);
  });
});

Deno.test("openAiProvider() reads windows out of every kind of list", async () => {
  const models = [
    {
      id: "router",
      context_length: 1,
      top_provider: { context_length: 200_000, max_completion_tokens: 8_000 },
      supported_parameters: ["tools"],
      architecture: { input_modalities: ["text", "image"] },
    },
    { id: "groq", context_window: 131_072, max_completion_tokens: 32_768 },
    { id: "vllm", max_model_len: 40_960 },
    { id: "mistral", max_context_length: 32_768, capabilities: { function_calling: true } },
    { id: "openai", owned_by: "openai" },
    { nonsense: 1 },
  ];
  await withChat({ server: { models } }, async (provider, api) => {
    equal(await provider.models(calm()), [
      { name: "groq", windowTokens: 131_072, outputTokensMax: 32_768 },
      { name: "mistral", windowTokens: 32_768 },
      { name: "openai" },
      {
        name: "router",
        windowTokens: 200_000,
        outputTokensMax: 8_000,
        takesTools: true,
        thinks: false,
        takesImages: true,
      },
      { name: "vllm", windowTokens: 40_960 },
    ]);
    equal((await provider.model("vllm", calm())).windowTokens, 40_960);
    equal(await provider.model("unlisted", calm()), { name: "unlisted" });
    equal(
      [await provider.protocolOf("router", calm()), await provider.protocolOf("vllm", calm())],
      ["native", "native"],
    );
    equal(api.others.map(({ path }) => path), ["/v1/models", "/props"], "each is asked once");
  });
});

Deno.test("openAiProvider() believes llama.cpp's slots more than its list", async () => {
  const server = {
    models: [{ id: "m", meta: { n_ctx_train: 131_072 } }],
    pages: { "/props": { default_generation_settings: { n_ctx: 4_096 } } },
  };
  await withChat({ server }, async (provider) => {
    equal((await provider.model("m", calm())).windowTokens, 4_096);
  });
});

Deno.test("openAiProvider() knows only the name of a model when the server cannot be asked", async () => {
  await withChat({}, async (provider) => {
    equal(await provider.model("m", calm()), { name: "m" });
    await rejects(
      provider.models(calm()),
      (error: unknown) => error instanceof ProviderError && error.kind === "not_found",
    );
  });
});

Deno.test("protocolOf() is text for a model that the list says takes no tools", async () => {
  const models = [{ id: "plain", supported_parameters: ["temperature"] }];
  await withChat({ server: { models } }, async (provider) => {
    equal(await provider.protocolOf("plain", calm()), "text");
  });
});
