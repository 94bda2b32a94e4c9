/** What a wire is made with in tests: no waiting, no chance, no clock. */
import { Http } from "@/provider/http.ts";
import { connectionOf, type ConnectionSources, type ProviderFacts } from "@/provider/connection.ts";
import { PROVIDERS } from "@/provider/mod.ts";
import type { ProviderEvent } from "@/protocol/provider.ts";
import { ServerMemory } from "@/provider/server_memory.ts";
import type { WireOptions } from "@/provider/wire.ts";

/** Credentials that the fake Bedrock knows. */
export const AWS_TEST_ENV = {
  AWS_ACCESS_KEY_ID: "AKIATEST",
  AWS_SECRET_ACCESS_KEY: "test/secret+key",
  AWS_REGION: "eu-test-1",
};

export type TestOptions = {
  sources?: Partial<ConnectionSources>;
  retriesMax?: number;
  firstTokenMs?: number;
  idleMs?: number;
  /** Waits of the retries, in order. */
  waits?: number[];
  http?: Http;
  memory?: ServerMemory;
};

/** Options for a provider of the list at a base URL. */
export function wireOptions(name: string, baseUrl: string, options: TestOptions = {}): WireOptions {
  let ids = 0;
  return {
    connection: connectionOf(factsOf(name), {
      env: {},
      savedIn: "/state/providers.json",
      baseUrl,
      ...options.sources,
    }),
    env: options.sources?.env ?? AWS_TEST_ENV,
    http: options.http ?? new Http({ env: {}, offline: true }),
    memory: options.memory ?? new ServerMemory(),
    limits: { firstTokenMs: options.firstTokenMs ?? 5_000, idleMs: options.idleMs ?? 5_000 },
    retry: {
      retriesMax: options.retriesMax ?? 3,
      random: () => 0,
      sleep: (waitMs) => {
        options.waits?.push(waitMs);
        return Promise.resolve();
      },
    },
    now: () => Date.UTC(2026, 10, 29, 12),
    newId: () => `call_new_${ids += 1}`,
  };
}

/** How a provider of the list is reached. */
export function factsOf(name: string): ProviderFacts {
  const declaration = PROVIDERS.find((entry) => entry.name === name);
  if (declaration?.reached === undefined) {
    throw new Error(`No provider "${name}" is reached over a wire`);
  }
  return { name, title: declaration.title, ...declaration.reached };
}

/** All events of a stream. */
export async function collect(stream: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** A signal that never fires. */
export function calm(): AbortSignal {
  return new AbortController().signal;
}
