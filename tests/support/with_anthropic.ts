/** A fake Messages API with a script, and its provider. */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { anthropicProvider } from "@/provider/anthropic_wire.ts";
import type { WireProvider } from "@/provider/wire.ts";
import { requestOf, user } from "./conversation.ts";
import { type FakeAnthropicOptions, startFakeAnthropic } from "./fake_anthropic.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { calm, collect, type TestOptions, wireOptions } from "./wire_options.ts";

export const MODEL = "claude-opus-5";
export const HELLO: Script = () => ({ text: "Hello." });

export type Setup = { script?: Script; server?: FakeAnthropicOptions; options?: TestOptions };

export async function withAnthropic(
  { script = HELLO, server = {}, options = {} }: Setup,
  body: (provider: WireProvider, api: FakeApi) => Promise<void>,
): Promise<void> {
  await using api = startFakeAnthropic(script, server);
  const made = wireOptions("anthropic", api.url, options);
  using _ = made.http;
  await body(anthropicProvider(made), api);
}

export function run(provider: WireProvider, more: Partial<Request> = {}): Promise<ProviderEvent[]> {
  return collect(provider.stream(requestOf(MODEL, [user("Hi")], more), calm()));
}

// deno-lint-ignore no-explicit-any -- Captured bodies are looked into freely.
export type Body = any;

export async function exchange(
  setup: Setup,
  more: Partial<Request> = {},
): Promise<{ body: Body; events: ProviderEvent[] }> {
  let found: { body: Body; events: ProviderEvent[] } = { body: undefined, events: [] };
  await withAnthropic(setup, async (provider, api) => {
    const events = await run(provider, more);
    found = { body: api.bodies.at(-1), events };
  });
  return found;
}
