/** Every provider of the list goes out by the one way there is, and not at all when offline. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError } from "@/protocol/provider.ts";
import { connectionOf } from "@/provider/connection.ts";
import { Http, PROVIDERS } from "@/provider/mod.ts";
import type { WireProvider } from "@/provider/wire.ts";
import { requestOf, user } from "../support/conversation.ts";
import { RecordingHttp } from "../support/recording_http.ts";
import { calm, collect, factsOf, wireOptions } from "../support/wire_options.ts";
import { load } from "../support/wires.ts";

const ELSEWHERE = "https://refused.test/v1";

/** All that a provider sends: a request for a reply, and for its list. */
const SENDING: readonly ((provider: WireProvider) => Promise<unknown>)[] = [
  (provider) => collect(provider.stream(requestOf("some-model", [user("Hi")]), calm())),
  (provider) => provider.models(calm()),
];

for (const { name, reached } of PROVIDERS) {
  if (reached === undefined) continue;

  Deno.test(`${name}: nothing is sent elsewhere when offline, and that is said`, async () => {
    using http = new Http({ env: {}, offline: true });
    const provider = await load(name, wireOptions(name, ELSEWHERE, { http, retriesMax: 2 }));
    for (const send of SENDING) {
      await rejects(send(provider), (error: unknown) => {
        ok(error instanceof ProviderError);
        match(error.message, /^Nothing was sent to refused\.test: --offline/);
        return true;
      });
    }
    equal(await provider.model("some-model", calm()), { name: "some-model" });
  });

  Deno.test(`${name}: nothing is sent to its maker without a key, and one's own server may want none`, async () => {
    using http = new RecordingHttp();
    const options = wireOptions(name, ELSEWHERE, { http, retriesMax: 2 });
    const connection = connectionOf(factsOf(name), { env: {}, savedIn: "/state/providers.json" });
    const provider = await load(name, { ...options, env: {}, connection });
    if (reached.isSelfHosted) return;
    for (const send of SENDING) {
      await rejects(send(provider), (error: unknown) => {
        ok(error instanceof ProviderError);
        match(
          error.message,
          /^Nothing was sent to .*: it wants (?:a key and none is set$|AWS credentials and none were found)/,
        );
        return true;
      });
    }
    equal(http.sent, []);
  });

  Deno.test(`${name}: all requests go by the one way, where proxy and certificates are seen to`, async () => {
    using http = new RecordingHttp();
    const provider = await load(name, wireOptions(name, ELSEWHERE, { http, retriesMax: 0 }));
    for (const send of SENDING) await rejects(send(provider), ProviderError);
    await provider.model("some-model", calm());
    ok(http.sent.length >= 2);
    equal([...new Set(http.sent.map(({ url }) => new URL(url).host))], ["refused.test"]);
  });
}
