/** A fake Chat Completions server with a script, and its provider; or the body that would go to a server elsewhere. */
import { ProviderError, type ProviderEvent, type Request } from "@/protocol/provider.ts";
import { openAiProvider } from "@/provider/openai_wire.ts";
import type { WireProvider } from "@/provider/wire.ts";
import { requestOf, user } from "./conversation.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { serveFake } from "./fake_http.ts";
import { type FakeChatOptions, startFakeChat } from "./fake_openai_chat.ts";
import { RecordingHttp } from "./recording_http.ts";
import { calm, collect, type TestOptions, wireOptions } from "./wire_options.ts";

export const MODEL = "local-model";

// deno-lint-ignore no-explicit-any -- Captured bodies are looked into freely.
export type Body = any;

export type Setup = { script?: Script; server?: FakeChatOptions; options?: TestOptions };

export async function withChat(
  { script = () => ({ text: "Hello." }), server = {}, options = {} }: Setup,
  body: (provider: WireProvider, api: FakeApi) => Promise<void>,
): Promise<void> {
  await using api = startFakeChat(script, server);
  const made = wireOptions("openai", `${api.url}/v1`, options);
  using _ = made.http;
  await body(openAiProvider(made), api);
}

export function run(provider: WireProvider, more: Partial<Request> = {}): Promise<ProviderEvent[]> {
  return collect(provider.stream(requestOf(MODEL, [user("Hi")], more), calm()));
}

/** What would be sent to a base URL: nothing is, and the request fails. */
export async function sentTo(
  baseUrl: string,
  request: Request,
): Promise<{ url: string; headers: Record<string, string>; body: Body }> {
  const http = new RecordingHttp();
  using _ = http;
  const sources = { env: { OPENAI_API_KEY: "key-1" } };
  const options = wireOptions("openai", baseUrl, { http, retriesMax: 0, sources });
  try {
    await collect(openAiProvider(options).stream(request, calm()));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
  const [first] = http.sent;
  return {
    url: first?.url ?? "",
    headers: { ...first?.headers },
    body: JSON.parse(first?.body ?? "null"),
  };
}

/** The events of a stream of these very `data:` texts; without `isEnded` the body just ends. */
export async function fromChunks(
  chunks: readonly (object | string)[],
  isEnded = true,
): Promise<ProviderEvent[]> {
  const lines = chunks.map((chunk) =>
    typeof chunk === "string" ? chunk : `data: ${JSON.stringify(chunk)}`
  );
  const text = [...lines, ...(isEnded ? ["data: [DONE]"] : [])].map((line) => `${line}\n\n`).join(
    "",
  );
  await using server = serveFake(async (_, reply) => {
    await reply.start(200, { "content-type": "text/event-stream" });
    await reply.chunk(new TextEncoder().encode(text));
    await reply.end();
  });
  const options = wireOptions("openai", `${server.url}/v1`, { retriesMax: 0 });
  using _ = options.http;
  return await run(openAiProvider(options));
}
