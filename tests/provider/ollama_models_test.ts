import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { ollamaProvider } from "@/provider/ollama_wire.ts";
import { serveFake } from "../support/fake_http.ts";
import { calm, wireOptions } from "../support/wire_options.ts";
import { MODEL, run, withOllama } from "../support/with_ollama.ts";

Deno.test("ollamaProvider() lists models with their sizes", async () => {
  const models = { [MODEL]: { parameterSize: "8.0B" }, "tiny:1b": { parameterSize: "999.9M" } };
  await withOllama({ server: { models } }, async (provider) => {
    equal(await provider.models(calm()), [{ name: MODEL, parameters: 8e9 }, {
      name: "tiny:1b",
      parameters: 999_900_000,
    }]);
  });
});

Deno.test("protocolOf() is native only for a model that is said to take tools, asked once", async () => {
  const models = {
    [MODEL]: { capabilities: ["completion", "tools"] },
    plain: { capabilities: ["completion"] },
    old: {},
  };
  await withOllama({ server: { models } }, async (provider, api) => {
    const protocols = [];
    for (const name of [MODEL, MODEL, "plain", "old", "missing"]) {
      protocols.push(await provider.protocolOf(name, calm()));
    }
    equal(protocols, ["native", "native", "text", "text", "text"]);
    equal(
      api.others.map(({ path, body }) => [path, JSON.parse(body).model]),
      [MODEL, "plain", "old", "missing"].map((name) => ["/api/show", name]),
    );
    await run(provider);
    equal(api.others.length, 4, "the reply did not ask again");
  });
});

Deno.test("protocolOf() is text when the daemon is down, answers nonsense or takes longer than 2 s", async () => {
  const down = wireOptions("ollama", "http://127.0.0.1:1");
  using _ = down.http;
  equal(await ollamaProvider({ ...down, numCtx: () => 1 }).protocolOf(MODEL, calm()), "text");
  await using nonsense = serveFake((_, reply) => reply.whole(200, "<html>"));
  const odd = wireOptions("ollama", nonsense.url);
  using _http = odd.http;
  equal(await ollamaProvider({ ...odd, numCtx: () => 1 }).protocolOf(MODEL, calm()), "text");
  await using mute = serveFake((_, reply) => reply.gone);
  const slow = wireOptions("ollama", mute.url);
  using _slow = slow.http;
  const started = performance.now();
  equal(await ollamaProvider({ ...slow, numCtx: () => 1 }).protocolOf(MODEL, calm()), "text");
  const took = performance.now() - started;
  ok(took > 1_900 && took < 20_000, `${took} ms`);
});

Deno.test("protocolOf() is interrupted like everything else", async () => {
  await using mute = serveFake((_, reply) => reply.gone);
  const options = wireOptions("ollama", mute.url);
  using _ = options.http;
  const interrupt = new AbortController();
  const asked = ollamaProvider({ ...options, numCtx: () => 1 }).protocolOf(MODEL, interrupt.signal);
  setTimeout(() => interrupt.abort(new Error("stopped")), 20);
  await rejects(asked, /stopped/);
});
