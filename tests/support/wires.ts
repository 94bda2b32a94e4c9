/** Every wire of the provider list with its fake server, so that one suite drives them all. */
import { PROVIDERS } from "@/provider/mod.ts";
import type { WireOptions, WireProvider } from "@/provider/wire.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { startFakeAnthropic } from "./fake_anthropic.ts";
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

export const WIRES: readonly WireUnderTest[] = [
  {
    wire: "ollama",
    provider: "ollama",
    model: "qwen3:8b",
    otherModel: "gemma4:e4b",
    has: {
      thinking: true,
      cacheCounts: false,
      refusals: false,
      errorsInStream: true,
      ids: true,
      privates: false,
    },
    start: (script) =>
      startFakeOllama(script, {
        models: {
          "qwen3:8b": {
            capabilities: ["completion", "tools", "thinking", "vision"],
            contextLength: 40_960,
          },
        },
      }),
    baseUrl: (url) => url,
    make: (options) => load("ollama", options),
  },
  {
    wire: "anthropic",
    provider: "anthropic",
    model: "claude-opus-5",
    otherModel: "claude-sonnet-5",
    has: {
      thinking: true,
      cacheCounts: true,
      refusals: true,
      errorsInStream: true,
      ids: true,
      privates: true,
    },
    start: (script) => startFakeAnthropic(script),
    baseUrl: (url) => url,
    make: (options) => load("anthropic", options),
  },
  {
    wire: "openai_chat",
    provider: "openai",
    model: "local-model",
    otherModel: "other-model",
    has: {
      thinking: true,
      cacheCounts: true,
      refusals: true,
      errorsInStream: true,
      ids: true,
      privates: false,
    },
    start: (script) => startFakeChat(script),
    baseUrl: (url) => `${url}/v1`,
    make: (options) => load("openai", options),
  },
  {
    wire: "openai_responses",
    provider: "openai",
    model: "gpt-5.6",
    otherModel: "gpt-6-sol",
    has: {
      thinking: true,
      cacheCounts: true,
      refusals: true,
      errorsInStream: true,
      ids: true,
      privates: true,
    },
    start: (script) => startFakeResponses(script),
    baseUrl: (url) => `${url}/v1`,
    make(options) {
      // Learnt from a refusal at a server that is not OpenAI's own.
      for (const model of ["gpt-5.6", "gpt-6-sol"]) {
        options.memory.of(options.connection.baseUrl, model).speaksResponses = true;
      }
      return load("openai", options);
    },
  },
  {
    wire: "gemini",
    provider: "gemini",
    model: "gemini-3-pro",
    otherModel: "gemini-4-neon",
    has: {
      thinking: true,
      cacheCounts: true,
      refusals: true,
      errorsInStream: true,
      ids: true,
      privates: true,
    },
    start: (script) => startFakeGemini(script),
    baseUrl: (url) => url,
    make: (options) => load("gemini", options),
  },
];

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
