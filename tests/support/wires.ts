/** Every wire of the provider list with its fake server, so that one suite drives them all. */
import { PROVIDERS } from "@/provider/mod.ts";
import type { WireOptions, WireProvider } from "@/provider/wire.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { startFakeAnthropic } from "./fake_anthropic.ts";
import { startFakeBedrock } from "./fake_bedrock.ts";
import { startFakeGemini } from "./fake_gemini.ts";
import { startFakeChat } from "./fake_openai_chat.ts";
import { startFakeResponses } from "./fake_openai_responses.ts";
import { startFakeOllama } from "./fake_ollama.ts";
import { type TestOptions, wireOptions } from "./wire_options.ts";

/** A wire under test. A provider that speaks two has two. */
export type WireUnderTest = {
  /** As private data names it. */
  wire: string;
  provider: string;
  model: string;
  /** Another model at the same server. */
  otherModel: string;
  /** Features that not every API has. */
  has: {
    thinking: boolean;
    cacheCounts: boolean;
    refusals: boolean;
    errorsInStream: boolean;
    ids: boolean;
    /** Whether replies carry data that has to go back. */
    privates: boolean;
  };
  start(script: Script): FakeApi;
  /** What the base URL is at a server. */
  baseUrl(url: string): string;
  make(options: WireOptions): Promise<WireProvider>;
};

/** Names that other people give their tools. */
export const AWKWARD_NAMES = [
  "mcp__server__tool",
  "with.dots",
  "with dots",
  "x".repeat(80),
  "1st",
  "가나",
  "with_dots",
  "",
];

const EVERYTHING = {
  thinking: true,
  cacheCounts: true,
  refusals: true,
  errorsInStream: true,
  ids: true,
  privates: true,
};

const OLLAMA_MODEL = {
  capabilities: ["completion", "tools", "thinking", "vision"],
  contextLength: 40_960,
};

export const WIRES: readonly WireUnderTest[] = [
  under("ollama", {
    models: ["qwen3:8b", "gemma4:e4b"],
    has: { ...EVERYTHING, cacheCounts: false, refusals: false, privates: false },
    start: (script) => startFakeOllama(script, { models: { "qwen3:8b": OLLAMA_MODEL } }),
  }),
  under("anthropic", {
    models: ["claude-opus-5", "claude-sonnet-5"],
    start: (script) => startFakeAnthropic(script),
  }),
  under("openai_chat", {
    provider: "openai",
    models: ["local-model", "other-model"],
    has: { ...EVERYTHING, privates: false },
    start: (script) => startFakeChat(script),
    baseUrl: (url) => `${url}/v1`,
  }),
  under("openai_responses", {
    provider: "openai",
    models: ["gpt-5.6", "gpt-6-sol"],
    start: (script) => startFakeResponses(script),
    baseUrl: (url) => `${url}/v1`,
    make(options) {
      // Learnt from a refusal at a server that is not OpenAI's own.
      for (const model of ["gpt-5.6", "gpt-6-sol"]) {
        options.memory.of(options.connection.baseUrl, model).speaksResponses = true;
      }
      return load("openai", options);
    },
  }),
  under("gemini", {
    models: ["gemini-3-pro", "gemini-4-neon"],
    start: (script) => startFakeGemini(script),
  }),
  under("bedrock", {
    models: ["eu.anthropic.claude-opus-5-v1:0", "eu.anthropic.claude-sonnet-5-v1:0"],
    start: (script) => startFakeBedrock(script),
  }),
];

type Differences = Partial<Omit<WireUnderTest, "start">> & {
  models: readonly [model: string, otherModel: string];
  start: WireUnderTest["start"];
};

/** A wire with what most of them have in common. */
function under(wire: string, { models, ...own }: Differences): WireUnderTest {
  const [model, otherModel] = models;
  const provider = own.provider ?? wire;
  const make = (options: WireOptions) => load(provider, options);
  return {
    wire,
    provider,
    model,
    otherModel,
    has: EVERYTHING,
    baseUrl: (url) => url,
    make,
    ...own,
  };
}

/** Make a provider of the list as the program does, with the options of a test. */
export function load(name: string, options: WireOptions): Promise<WireProvider> {
  const declaration = PROVIDERS.find((entry) => entry.name === name);
  if (declaration === undefined) throw new Error(`No provider "${name}" is in the list`);
  return declaration.load(options, { numCtx: 32_768, demoPaceMs: 0 });
}

/** A wire, its server with a script, and its provider. */
export async function withWire(
  under: WireUnderTest,
  script: Script,
  body: (provider: WireProvider, api: FakeApi, options: WireOptions) => Promise<void>,
  options: TestOptions = {},
): Promise<void> {
  await using api = under.start(script);
  const made = wireOptions(under.provider, under.baseUrl(api.url), options);
  using _ = made.http;
  await body(await under.make(made), api, made);
}
