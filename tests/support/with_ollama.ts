/** A fake Ollama with a script, and its provider. */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { ollamaProvider } from "@/provider/ollama_wire.ts";
import type { WireProvider } from "@/provider/wire.ts";
import { requestOf, user } from "./conversation.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { type FakeOllamaModel, type FakeOllamaOptions, startFakeOllama } from "./fake_ollama.ts";
import { calm, collect, type TestOptions, wireOptions } from "./wire_options.ts";

export const MODEL = "gemma4:e4b";

export const HELLO: Script = [{ text: "Hello." }];

export type Setup = {
  script?: Script;
  server?: FakeOllamaOptions;
  numCtx?: number;
  options?: TestOptions;
};

export async function withOllama(
  { script = HELLO, server = {}, numCtx = 8_192, options = {} }: Setup,
  body: (provider: WireProvider, api: FakeApi) => Promise<void>,
): Promise<void> {
  await using api = startFakeOllama(script, server);
  const made = wireOptions("ollama", api.url, options);
  using _ = made.http;
  await body(ollamaProvider({ ...made, numCtx: () => numCtx }), api);
}

export function run(provider: WireProvider, more: Partial<Request> = {}): Promise<ProviderEvent[]> {
  return collect(provider.stream(requestOf(MODEL, [user("Hi")], more), calm()));
}

/** The only body of a request. */
export async function bodyOf(
  setup: Setup,
  more: Partial<Request> = {},
): Promise<Record<string, unknown>> {
  let body: unknown;
  await withOllama(setup, async (provider, api) => {
    await run(provider, more);
    body = api.bodies[0];
  });
  return body as Record<string, unknown>;
}

export function oneModel(facts: FakeOllamaModel): FakeOllamaOptions {
  return { models: { [MODEL]: facts } };
}
