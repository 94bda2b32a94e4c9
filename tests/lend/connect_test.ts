/** `/connect` where the person chooses nothing: given up is no error, and nobody to ask is one. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { connectCommand, type ConnectParts } from "@/lend/connect.ts";
import { Http, ServerMemory } from "@/provider/mod.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";

function parts(http: Http, canAsk: boolean): ConnectParts {
  const never = () => Promise.reject(new Error("nothing was chosen"));
  return {
    reach: () =>
      Promise.resolve({
        env: {},
        http,
        memory: new ServerMemory(),
        saved: { providers: {} },
        savedIn: "/nowhere/providers.json",
        limits: { firstTokenMs: 1_000, idleMs: 1_000 },
        settings: { numCtx: 65_536, demoPaceMs: 0 },
      }),
    ask: () => Promise.resolve(undefined),
    canAsk,
    secret: never,
    settings: () => DEFAULT_SETTINGS,
    onConnected: never,
    warn: () => {},
  };
}

for (const words of [[], ["demo"]]) {
  Deno.test(`connect ${words.join(" ")}: what is given up connects nothing`, async () => {
    using http = new Http({ env: {}, offline: true });
    equal(await connectCommand(words, parts(http, true)), {
      ok: true,
      text: "Nothing was connected; the model stays as it was",
    });
    const { ok, text } = await connectCommand(words, parts(http, false));
    equal(ok, false);
    match(
      text,
      words.length === 0 ? /providers are ollama, / : /^Name a model: connect demo MODEL/,
    );
  });
}

Deno.test("connect PROVIDER/MODEL is the same as connect PROVIDER MODEL", async () => {
  using http = new Http({ env: {}, offline: true });
  for (const words of [["demo", "nothing"], ["demo/nothing"]]) {
    const { ok, text } = await connectCommand(words, parts(http, true));
    equal(ok, false);
    match(text, /^No script of .* is named "nothing"/);
  }
  match((await connectCommand(["nobody/x"], parts(http, true))).text, /named "nobody\/x"/);
});
