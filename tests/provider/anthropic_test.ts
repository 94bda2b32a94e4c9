import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError, type ProviderEvent, type Request } from "@/protocol/provider.ts";
import { anthropicProvider } from "@/provider/anthropic.ts";
import {
  assistant,
  call,
  PIXEL,
  READ_FILE,
  requestOf,
  result,
  user,
} from "../support/conversation.ts";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import {
  type Body,
  exchange,
  HELLO,
  MODEL,
  run,
  withAnthropic,
} from "../support/with_anthropic.ts";
import { calm, collect, type TestOptions, wireOptions } from "../support/wire_options.ts";

const MARK = { type: "ephemeral" };

Deno.test("anthropicProvider() sends this body for a conversation with everything in it", async () => {
  const image = { type: "image" as const, mime: "image/png", data: PIXEL };
  const messages = [
    user("Read both.", image),
    assistant("Reading.", call("c1"), call("c|2", "read_file", { filepath: "b" })),
    result("c1", "1| x", { parts: [image] }),
    result("c|2", "no such file", { status: "failed", parts: [image] }),
    user("Go on."),
  ];
  const { body } = await exchange({}, {
    messages,
    tools: [READ_FILE],
    hints: { thinking: "adaptive", effort: "high" },
  });
  const sent = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: PIXEL.toBase64() },
  };
  const mapped = body.messages[1].content[2].id;
  match(mapped, /^[0-9a-f]{24}$/);
  equal(body, {
    model: MODEL,
    max_tokens: 1_000,
    system: [{ type: "text", text: "Be brief.", cache_control: MARK }],
    tools: [{ name: "read_file", description: "Read a file.", input_schema: READ_FILE.schema }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Read both." }, sent] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Reading." },
          { type: "tool_use", id: "c1", name: "read_file", input: { filepath: "a" } },
          { type: "tool_use", id: mapped, name: "read_file", input: { filepath: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: [{ type: "text", text: "1| x" }, sent],
          },
          {
            type: "tool_result",
            tool_use_id: mapped,
            content: "[Error] read_file(filepath='b'): no such file",
            is_error: true,
          },
          sent,
          { type: "text", text: "Go on.", cache_control: MARK },
        ],
      },
    ],
    stream: true,
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
  });
});

Deno.test("anthropicProvider() puts one cache mark on the system text and one on the last block", async () => {
  const marks = (body: Body) => JSON.stringify(body).split('"cache_control"').length - 1;
  equal(marks((await exchange({})).body), 2);
  const hour = (await exchange({}, { hints: { cacheTtl: "1h" } })).body;
  equal(
    [hour.system[0].cache_control, hour.messages[0].content[0].cache_control],
    Array(2).fill({ type: "ephemeral", ttl: "1h" }),
  );
  const bare = (await exchange({}, { system: "" })).body;
  equal([marks(bare), bare.tools.at(-1).cache_control], [2, MARK]);
});

Deno.test("anthropicProvider() puts a mark where the last request ended when a turn is long", async () => {
  const ids = Array.from({ length: 12 }, (_, at) => `c${at}`);
  const messages = [
    user("Do it."),
    assistant(...ids.map((id) => call(id))),
    ...ids.map((id) => result(id, "x")),
  ];
  const { body } = await exchange({}, { messages });
  equal(body.messages[0].content[0].cache_control, MARK);
  equal(JSON.stringify(body).split('"cache_control"').length - 1, 3);
});

Deno.test("anthropicProvider() never changes the history that it was given", async () => {
  const messages = [user("a"), assistant(call("1")), result("1", "x")];
  const before = structuredClone(messages);
  await exchange({}, { messages });
  equal(messages, before);
});

/** What `/v1/models/{id}` says of a model. */
function listed(adaptive: boolean, disabled: boolean, efforts: string[]) {
  const flag = (supported: boolean) => ({ supported });
  return {
    id: MODEL,
    max_input_tokens: 1_000_000,
    max_tokens: 128_000,
    capabilities: {
      image_input: flag(true),
      thinking: {
        types: {
          adaptive: flag(adaptive),
          disabled: flag(disabled),
          enabled: flag(false),
          between_tools: null,
        },
      },
      effort: Object.fromEntries(
        ["low", "medium", "high", "xhigh", "max"].map((
          name,
        ) => [name, name === "xhigh" ? null : flag(efforts.includes(name))]),
      ),
    },
  };
}

Deno.test("anthropicProvider() asks for what the model can, says what it changed, and says it once", async () => {
  const all = ["low", "medium", "high", "max"];
  const cases: [
    ReturnType<typeof listed>,
    Request["hints"],
    unknown,
    unknown,
    RegExp | undefined,
  ][] = [
    [listed(true, true, all), {}, undefined, undefined, undefined],
    [
      listed(true, true, all),
      { thinking: "adaptive", effort: "max" },
      { type: "adaptive", display: "summarized" },
      { effort: "max" },
      undefined,
    ],
    [listed(true, true, all), { thinking: "off" }, { type: "disabled" }, undefined, undefined],
    [
      listed(true, false, all),
      { thinking: "off" },
      undefined,
      undefined,
      /cannot be kept from thinking/,
    ],
    [
      listed(true, true, all),
      { thinking: "off", effort: "max" },
      undefined,
      { effort: "max" },
      /cannot be kept from thinking at effort max/,
    ],
    [
      listed(true, true, ["low", "high"]),
      { effort: "max" },
      undefined,
      { effort: "high" },
      /takes effort high, not max/,
    ],
    [
      listed(false, true, []),
      { thinking: "adaptive", effort: "low" },
      undefined,
      undefined,
      /takes no effort/,
    ],
  ];
  for (const [facts, hints, thinking, config, note] of cases) {
    await withAnthropic({ server: { models: [facts] } }, async (provider, api) => {
      const notes = [];
      for (let times = 0; times < 2; times += 1) {
        const events = await run(provider, { hints });
        notes.push(...events.flatMap((event) => event.type === "notice" ? [event.text] : []));
      }
      const [body]: Body[] = api.bodies as Body[];
      equal([body.thinking, body.output_config], [thinking, config], JSON.stringify(hints));
      if (note === undefined) equal(notes, []);
      else {
        equal(notes.length, 1);
        match(notes[0] ?? "", note);
      }
      equal(
        api.others.length,
        Object.keys(hints).length === 0 ? 0 : 1,
        "the model is asked about once, and only for a wish",
      );
    });
  }
});

Deno.test("anthropicProvider() reads off the name what a server does not say", async () => {
  const cases: [string, Request["hints"], unknown, unknown][] = [
    ["claude-haiku-4-5", { thinking: "adaptive", effort: "high" }, undefined, undefined],
    ["claude-opus-4-5-20251101", { effort: "max" }, undefined, { effort: "high" }],
    [
      "claude-sonnet-4-6",
      { thinking: "adaptive" },
      { type: "adaptive", display: "summarized" },
      undefined,
    ],
    ["claude-opus-5-5", { thinking: "off" }, undefined, undefined],
    ["claude-fable-5-1", { thinking: "off" }, undefined, undefined],
    ["claude-new-9", { thinking: "off" }, { type: "disabled" }, undefined],
    ["MiniMax-M3", { thinking: "adaptive", effort: "high" }, undefined, undefined],
  ];
  for (const [model, hints, thinking, config] of cases) {
    const { body } = await exchange({}, { model, hints });
    equal([body.thinking, body.output_config], [thinking, config], model);
  }
});

Deno.test("anthropicProvider() sends no sampling parameters", async () => {
  const { body } = await exchange({});
  equal(["temperature", "top_p", "top_k"].filter((name) => name in body), []);
});

Deno.test("anthropicProvider() lists all pages of models with their windows", async () => {
  const models = [listed(true, true, []), { ...listed(true, true, []), id: "claude-two" }, {
    id: "old",
  }];
  await withAnthropic({ server: { models } }, async (provider, api) => {
    const infos = await provider.models(calm());
    equal(infos.map(({ name }) => name), [MODEL, "claude-two", "old"]);
    equal(infos[0], {
      name: MODEL,
      takesTools: true,
      windowTokens: 1_000_000,
      outputTokensMax: 128_000,
      takesImages: true,
      thinks: true,
    });
    equal(api.others.length, 3);
    equal((await provider.model("claude-two", calm())).windowTokens, 1_000_000);
    equal(await provider.protocolOf(MODEL, calm()), "native");
  });
});

Deno.test("anthropicProvider() lowers the cap that a refusal names, once, and remembers it", async () => {
  const fault = {
    kind: "status" as const,
    status: 400,
    body: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "max_tokens: 1000 > 512, which is the maximum allowed number of output tokens for x",
      },
    },
  };
  await withAnthropic(
    { script: [{ fault }, { text: "a" }, { text: "b" }] },
    async (provider, api) => {
      await run(provider);
      await run(provider);
      equal((api.bodies as Body[]).map(({ max_tokens: cap }) => cap), [1_000, 512, 512]);
    },
  );
});

Deno.test("anthropicProvider() leaves out the one optional field that a server refuses", async () => {
  const refuse = (message: string): ScriptedReply => ({
    fault: { kind: "status", status: 400, body: { error: { message } } },
  });
  const hints = { thinking: "adaptive", effort: "low" } as const;
  await withAnthropic({
    script: [refuse("output_config: Extra inputs are not permitted"), { text: "a" }, { text: "b" }],
  }, async (provider, api) => {
    await run(provider, { hints });
    await run(provider, { hints });
    equal((api.bodies as Body[]).map((body) => ["thinking" in body, "output_config" in body]), [
      [true, true],
      [true, false],
      [true, false],
    ]);
  });
  await withAnthropic({
    script: [refuse("thinking and output_config: not permitted"), { text: "a" }],
  }, async (provider, api) => {
    await rejects(run(provider, { hints }), ProviderError);
    equal(api.bodies.length, 1, "two fields are named: nobody knows which");
  });
});

Deno.test("anthropicProvider() proves who asks by key or by token", async () => {
  const cases: [TestOptions["sources"], Record<string, string | undefined>][] = [
    [{}, { key: undefined, token: undefined }],
    [{ env: { ANTHROPIC_API_KEY: "k1" } }, { key: "k1", token: undefined }],
    [{ env: { ANTHROPIC_AUTH_TOKEN: "t1" } }, { key: undefined, token: "Bearer t1" }],
    [{ saved: { api_key: "k2" } }, { key: "k2", token: undefined }],
  ];
  for (const [sources, expected] of cases) {
    await withAnthropic({ options: { sources: sources ?? {} } }, async (provider, api) => {
      await run(provider);
      const headers = api.requests[0]?.headers ?? {};
      equal({ key: headers["x-api-key"], token: headers.authorization }, expected);
    });
  }
});

Deno.test("anthropicProvider() names the variable whose key was not accepted, and the server's words", async () => {
  const options = { sources: { env: { ANTHROPIC_API_KEY: "wrong-key-1" } } };
  await withAnthropic({ server: { key: "right" }, options }, async (provider) => {
    await rejects(run(provider), (error: unknown) => {
      ok(error instanceof ProviderError);
      match(
        error.message,
        /did not accept the key from ANTHROPIC_API_KEY: "invalid x-api-key" \(authentication_error, HTTP 401\)/,
      );
      equal(error.requestId, "req_1");
      ok(!JSON.stringify(error).includes("wrong-key-1"));
      return true;
    });
  });
});

Deno.test("anthropicProvider() says what an interrupted reply had cost", async () => {
  const reply: ScriptedReply = {
    text: "one two three",
    usage: { input: 40, output: 9, cacheRead: 5_900, cacheWrite: 120 },
    fault: { kind: "stall", at: "end" },
  };
  await withAnthropic({ script: [reply] }, async (provider) => {
    const interrupt = new AbortController();
    const events: ProviderEvent[] = [];
    for await (const event of provider.stream(requestOf(MODEL, [user("Hi")]), interrupt.signal)) {
      events.push(event);
      if (event.type === "delta" && event.text.includes("three")) {
        interrupt.abort(new Error("stopped"));
      }
    }
    equal(events.at(-1), {
      type: "done",
      stop: "abort",
      usage: { input: 40, output: 1, cacheRead: 5_900, cacheWrite: 120 },
      model: MODEL,
    });
  });
});

Deno.test("anthropicProvider() sends a signed block back though its text is empty, and none when thinking is off", async () => {
  const signed = { type: "thinking", thinking: "", signature: "c2ln" };
  await using api = startFakeAnthropic(HELLO);
  const options = wireOptions("anthropic", api.url);
  using _ = options.http;
  const kept = {
    wire: "anthropic",
    baseUrl: options.connection.baseUrl,
    model: MODEL,
    data: signed,
  };
  const messages = [
    user("a"),
    assistant({ type: "thinking", text: "", private: kept }, "said"),
    user("b"),
  ];
  // The fake knows no such signature: what matters is that the block was sent.
  await rejects(run(anthropicProvider(options), { messages }), /Invalid `signature`/);
  equal(
    (await collect(
      anthropicProvider(options).stream(
        requestOf(MODEL, messages, { hints: { thinking: "off" } }),
        calm(),
      ),
    )).at(-1)?.type,
    "done",
  );
});
