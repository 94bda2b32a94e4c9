import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import type { Block, Message, ProviderPrivate } from "@/protocol/message.ts";
import { ProviderError, type Request } from "@/protocol/provider.ts";
import { geminiProvider } from "@/provider/gemini_wire.ts";
import type { WireProvider } from "@/provider/wire.ts";
import {
  assistant,
  call,
  GIT_STATUS,
  messageOf,
  PIXEL,
  READ_FILE,
  requestOf,
  result,
  user,
} from "../support/conversation.ts";
import type { FakeApi, Script } from "../support/fake_api.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type FakeGeminiOptions, startFakeGemini } from "../support/fake_gemini.ts";
import { RecordingHttp } from "../support/recording_http.ts";
import { calm, collect, type TestOptions, wireOptions } from "../support/wire_options.ts";

const MODEL = "gemini-3-pro";
const BASE = "https://generativelanguage.googleapis.com";

// deno-lint-ignore no-explicit-any -- Captured bodies are looked into freely.
type Body = any;

/** What would be sent; nothing is. */
async function sent(
  request: Request,
): Promise<{ body: Body; url: string; headers: Record<string, string> }> {
  const http = new RecordingHttp();
  using _ = http;
  const options = wireOptions("gemini", BASE, {
    http,
    retriesMax: 0,
    sources: { env: { GEMINI_API_KEY: "key-1" } },
  });
  await collect(geminiProvider(options).stream(request, calm())).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
  });
  const [first] = http.sent;
  return { body: http.body, url: first?.url ?? "", headers: { ...first?.headers } };
}

async function withGemini(
  { script = () => ({ text: "Hello." }), server = {}, options = {} }: {
    script?: Script;
    server?: FakeGeminiOptions;
    options?: TestOptions;
  },
  body: (provider: WireProvider, api: FakeApi) => Promise<void>,
): Promise<void> {
  await using api = startFakeGemini(script, server);
  const made = wireOptions("gemini", api.url, options);
  using _ = made.http;
  await body(geminiProvider(made), api);
}

const kept = (data: unknown): ProviderPrivate => ({
  wire: "gemini",
  baseUrl: BASE,
  model: MODEL,
  data,
});
const signed = (block: Block, data: unknown): Block => ({ ...block, private: kept(data) });
const image = { type: "image" as const, mime: "image/png", data: PIXEL };

Deno.test("geminiProvider() sends this body for a conversation with everything in it (check 21)", async () => {
  const messages = [
    user("Read both.", image),
    assistant(
      signed({ type: "text", text: "Reading." }, { thoughtSignature: "s1", text: "" }),
      signed(call("c1"), { thoughtSignature: "s2", id: "own-1" }),
      call("c2", "git_status", {}),
    ),
    result("c1", "1| x", { parts: [image] }),
    result("c2", "not a repository", { status: "failed", name: "git_status" }),
    user("Go on."),
  ];
  const { body, url, headers } = await sent(
    requestOf(MODEL, messages, {
      tools: [READ_FILE, GIT_STATUS],
      hints: { thinking: "adaptive", effort: "medium" },
    }),
  );
  const data = { inlineData: { mimeType: "image/png", data: PIXEL.toBase64() } };
  equal(url, `${BASE}/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse`);
  equal([headers["x-goog-api-key"], url.includes("key-1")], ["key-1", false]);
  equal(body, {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "Read both." }, data] },
      {
        role: "model",
        parts: [
          { text: "Reading." },
          { text: "", thoughtSignature: "s1" },
          {
            functionCall: { id: "own-1", name: "read_file", args: { filepath: "a" } },
            thoughtSignature: "s2",
          },
          { functionCall: { name: "git_status", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "own-1",
              name: "read_file",
              response: { output: "1| x" },
              parts: [data],
            },
          },
          {
            functionResponse: {
              name: "git_status",
              response: { error: "[Error] git_status(): not a repository" },
            },
          },
          { text: "Go on." },
        ],
      },
    ],
    tools: [{
      functionDeclarations: [
        { name: "read_file", description: "Read a file.", parametersJsonSchema: READ_FILE.schema },
        { name: "git_status", description: "Show what has changed." },
      ],
    }],
    generationConfig: {
      maxOutputTokens: 1_000,
      thinkingConfig: { thinkingLevel: "MEDIUM", includeThoughts: true },
    },
  });
});

Deno.test("geminiProvider() gives the first foreign call of each step the documented stand-in (check 35)", async () => {
  const messages = [
    user("a"),
    assistant(call("1"), call("2")),
    result("1", "x"),
    result("2", "x"),
    assistant("so", call("3")),
    result("3", "x"),
  ];
  const signatures = (body: Body) =>
    body.contents.filter(({ role }: Body) => role === "model").map(({ parts }: Body) =>
      parts.map(({ thoughtSignature }: Body) => thoughtSignature ?? null)
    );
  const standIn = "skip_thought_signature_validator";
  equal(signatures((await sent(requestOf(MODEL, messages))).body), [[standIn, null], [
    null,
    standIn,
  ]]);
  equal(signatures((await sent(requestOf("gemini-2.5-flash", messages))).body), [[null, null], [
    null,
    null,
  ]]);
});

Deno.test("geminiProvider() splits a text so that its signature stands with the very part it came with", async () => {
  const parts = async (block: Block) =>
    (await sent(requestOf(MODEL, [user("a"), assistant(block), user("b")]))).body.contents[1].parts;
  const text = (words: string): Block => ({ type: "text", text: words });
  equal(await parts(signed(text("Hello world"), { thoughtSignature: "s", text: "world" })), [{
    text: "Hello ",
  }, { text: "world", thoughtSignature: "s" }]);
  equal(await parts(signed(text("world"), { thoughtSignature: "s", text: "world" })), [{
    text: "world",
    thoughtSignature: "s",
  }]);
  equal(await parts(signed(text(""), { thoughtSignature: "s", text: "" })), [{
    text: "",
    thoughtSignature: "s",
  }]);
});

Deno.test("geminiProvider() puts images of results behind them for models that take none inside", async () => {
  const messages = [
    user("a"),
    assistant(call("1")),
    result("1", "x", { parts: [image] }),
    user("b"),
  ];
  const { body } = await sent(requestOf("gemini-2.5-flash", messages));
  equal(body.contents[2].parts.map((part: Body) => Object.keys(part)[0]), [
    "functionResponse",
    "inlineData",
    "text",
  ]);
});

Deno.test("geminiProvider() asks for thinking as the generation takes it", async () => {
  const cases: [string, Request["hints"], unknown][] = [
    ["gemini-2.5-pro", { thinking: "off" }, { thinkingBudget: 128 }],
    ["gemini-2.5-flash", { thinking: "off" }, { thinkingBudget: 0 }],
    ["gemini-2.5-flash", { thinking: "adaptive", effort: "high" }, {
      thinkingBudget: -1,
      includeThoughts: true,
    }],
    ["gemini-2.5-flash", { effort: "high" }, undefined],
    ["gemini-2.0-flash", { thinking: "adaptive" }, undefined],
    ["gemini-3-pro", { thinking: "off", effort: "high" }, { thinkingLevel: "LOW" }],
    ["gemini-3-pro", { effort: "max" }, { thinkingLevel: "HIGH" }],
    ["gemini-4-neon", { thinking: "adaptive" }, { includeThoughts: true }],
    ["gemini-3-pro", {}, undefined],
  ];
  for (const [model, hints, expected] of cases) {
    const { body } = await sent(requestOf(model, [user("Hi")], { hints }));
    equal(body.generationConfig.thinkingConfig, expected, `${model} ${JSON.stringify(hints)}`);
    equal("temperature" in body.generationConfig, false);
  }
});

Deno.test("geminiProvider() leaves out the thinking that a model refuses", async () => {
  const fault = {
    kind: "status" as const,
    status: 400,
    body: {
      error: {
        code: 400,
        message: "Thinking level is not supported for this model.",
        status: "INVALID_ARGUMENT",
      },
    },
  };
  await withGemini({ script: [{ fault }, { text: "a" }] }, async (provider, api) => {
    await collect(
      provider.stream(requestOf(MODEL, [user("Hi")], { hints: { effort: "low" } }), calm()),
    );
    equal((api.bodies as Body[]).map(({ generationConfig }) => generationConfig), [{
      maxOutputTokens: 1_000,
      thinkingConfig: { thinkingLevel: "LOW" },
    }, { maxOutputTokens: 1_000 }]);
  });
});

Deno.test("geminiProvider() lists all pages of models that generate content", async () => {
  const models = [
    {
      name: "models/gemini-3-pro",
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent"],
      thinking: true,
    },
    { name: "models/embedding-1", supportedGenerationMethods: ["embedContent"] },
    {
      name: "models/gemini-old",
      inputTokenLimit: 32_768,
      supportedGenerationMethods: ["generateContent"],
    },
  ];
  await withGemini({ server: { models } }, async (provider, api) => {
    equal(await provider.models(calm()), [
      {
        name: "gemini-3-pro",
        takesTools: true,
        windowTokens: 1_048_576,
        outputTokensMax: 65_536,
        thinks: true,
      },
      { name: "gemini-old", takesTools: true, windowTokens: 32_768 },
    ]);
    equal(api.others.length, 3);
    equal((await provider.model("gemini-3-pro", calm())).windowTokens, 1_048_576);
    await provider.model("gemini-3-pro", calm());
    equal(api.others.length, 4, "a model is asked about once");
    equal(await provider.model("unknown", calm()), { name: "unknown" });
  });
});

Deno.test("geminiProvider() knows a key that was not accepted by its 400", async () => {
  const options = { sources: { env: { GOOGLE_API_KEY: "wrong-key" } } };
  await withGemini({ server: { key: "right" }, options }, async (provider) => {
    await rejects(
      collect(provider.stream(requestOf(MODEL, [user("Hi")]), calm())),
      (error: unknown) => {
        ok(error instanceof ProviderError);
        equal(error.kind, "auth");
        match(error.message, /did not accept the key from GOOGLE_API_KEY: "API key not valid/);
        return true;
      },
    );
  });
});

Deno.test("geminiProvider() waits as long as the details of a refusal ask", async () => {
  const waits: number[] = [];
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" }];
  const fault = {
    kind: "status" as const,
    status: 429,
    body: [{
      error: {
        code: 429,
        message: "You exceeded your current quota.",
        status: "RESOURCE_EXHAUSTED",
        details,
      },
    }],
  };
  await withGemini({ script: [{ fault }, { text: "x" }], options: { waits } }, async (provider) => {
    await collect(provider.stream(requestOf(MODEL, [user("Hi")]), calm()));
    equal(waits, [34_400]);
  });
});

Deno.test("geminiProvider() puts the stand-in for signatures that are refused, and sends newer ones", async () => {
  const message = "Corrupted thought signature.";
  const error = { code: 400, message, status: "INVALID_ARGUMENT" };
  const calls = [{ name: "git_status", arguments: {}, id: "n" }];
  const script: ScriptedReply[] = [
    { fault: { kind: "status", status: 400, body: { error } } },
    { calls },
    { text: "Done." },
  ];
  await withGemini({ script }, async (provider, api) => {
    const old = {
      ...call("1"),
      private: { ...kept({ thoughtSignature: "old" }), baseUrl: api.url },
    };
    const messages = [user("a"), assistant(old as Block), result("1", "x")];
    const ask = (more: Message[]) => collect(provider.stream(requestOf(MODEL, more), calm()));
    const reply = messageOf(await ask(messages));
    await ask([...messages, reply, result("n", "clean", { name: "git_status" })]);
    const signatures = (api.bodies as Body[]).map(({ contents }) =>
      contents.flatMap(({ parts }: Body) =>
        parts.flatMap((part: Body) => part.thoughtSignature ?? [])
      )
    );
    const standIn = "skip_thought_signature_validator";
    equal(signatures[0], ["old"]);
    equal(signatures[1], [standIn]);
    equal([signatures[2].length > 1, signatures[2][0]], [true, standIn]);
  });
});
