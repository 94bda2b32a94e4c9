import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import type { Message } from "@/protocol/message.ts";
import { ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import { anthropicProvider } from "@/provider/anthropic_wire.ts";
import {
  assistant,
  call,
  messageOf,
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

Deno.test("anthropicProvider() sends this body for a conversation with everything in it (check 21)", async () => {
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

Deno.test("anthropicProvider() puts one cache mark on the system text and one on the last block (check 23)", async () => {
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

Deno.test("anthropicProvider() puts a mark where the last request ended when a turn is long (check 23)", async () => {
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

Deno.test("anthropicProvider() sends no sampling parameters (check 25)", async () => {
  const { body } = await exchange({});
  equal(["temperature", "top_p", "top_k"].filter((name) => name in body), []);
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

Deno.test("anthropicProvider() leaves out the one optional field that a server refuses (check 27)", async () => {
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

Deno.test("anthropicProvider() makes no marks for a server that takes none (check 27)", async () => {
  const message = "system.0.cache_control: Extra inputs are not permitted";
  const refusal = { kind: "status", status: 400, body: { error: { message } } } as const;
  await withAnthropic({
    script: [{ fault: refusal }, { text: "a" }, { text: "b" }],
  }, async (provider, api) => {
    await run(provider);
    await run(provider);
    const marks = api.bodies.map((body) => JSON.stringify(body).includes("cache_control"));
    equal(marks, [true, false, false]);
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

Deno.test("anthropicProvider() sends nothing with a key that no header can carry", async () => {
  for (const key of ["sk-ключ", "sk-a\u200bb", "sk-a\nb"]) {
    const options = { sources: { env: { ANTHROPIC_API_KEY: key } } };
    await withAnthropic({ options }, async (provider, api) => {
      const refused = { name: "ProviderError", kind: "auth" };
      await rejects(run(provider), refused);
      await rejects(run(provider, { hints: { effort: "low" } }), refused);
      await rejects(provider.models(calm()), refused);
      equal([...api.requests, ...api.others], []);
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

Deno.test("anthropicProvider() says what an interrupted reply had cost (check 19)", async () => {
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

Deno.test("anthropicProvider() sends a signed block back though its text is empty, and none when thinking is off (check 34)", async () => {
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
  await run(anthropicProvider(options), { messages });
  equal((api.bodies[0] as Body).messages[1].content[0], signed);
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

Deno.test("anthropicProvider() says which message the server has rejected", async () => {
  const image = { type: "image" as const, mime: "image/png", data: PIXEL };
  const messages = [
    user("a"),
    assistant(call("1"), call("2")),
    result("1", "x"),
    result("2", "boom", { status: "failed", parts: [image] }),
    user("b", image),
  ];
  // The third message's blocks: two results, the image of the failed one, a text, an image.
  const cases: [string, number | undefined][] = [
    ["messages.2.content.1.tool_result", 3],
    ["messages.2.content.2.image.source.base64", 3],
    ["messages.2.content.4.image.source.base64", 4],
    ["messages.0.content.0.text", 0],
    ["messages.9.content.0.text", undefined],
    ["tools.0", undefined],
  ];
  for (const [place, expected] of cases) {
    const message = `${place}: image exceeds 5 MB maximum`;
    const fault = { kind: "status" as const, status: 400, body: { error: { message } } };
    await withAnthropic({ script: [{ fault }] }, async (provider) => {
      await rejects(run(provider, { messages }), (error: unknown) => {
        ok(error instanceof ProviderError);
        equal([error.kind, error.messageIndex], ["too_large", expected], place);
        return true;
      });
    });
  }
});

Deno.test("anthropicProvider() goes on without reasoning whose signature is refused, and sends newer one", async () => {
  const hints = { thinking: "adaptive" } as const;
  const script = ["a", "refused", "b", "c"].map((text) => ({
    text,
    thinking: `Thought of ${text}.`,
  }));
  await withAnthropic({ script }, async (provider, api) => {
    const first = messageOf(await run(provider, { hints }));
    // As it would be with a key of somebody else.
    const foreign = JSON.parse(
      JSON.stringify(first).replaceAll(/"signature":"/g, "$&x"),
    ) as Message;
    const messages = [user("Hi"), foreign, user("more")];
    const second = messageOf(await run(provider, { hints, messages }));
    await run(provider, { hints, messages: [...messages, second, user("and more")] });
    const signed = (api.bodies as Body[]).map((body) =>
      JSON.stringify(body.messages).split('"signature":').length - 1
    );
    equal(signed, [0, 1, 0, 1]);
    equal((api.bodies.at(-1) as Body).thinking.type, "adaptive", "thinking itself goes on");
  });
});
