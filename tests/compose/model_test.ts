import { deepStrictEqual as equal, match, throws } from "node:assert/strict";
import { join } from "node:path";
import { connect, reachOptions, readModelName } from "@/compose/model.ts";
import { findPlace } from "@/compose/place.ts";
import { PersonError } from "@/protocol/error.ts";
import { Http } from "@/provider/mod.ts";
import { DEFAULT_SETTINGS, type Settings } from "@/settings/settings.ts";
import { READ_FILE } from "../support/conversation.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { withWorkspace } from "../support/workspace.ts";

const NAME = { provider: "ollama", model: "m" };

const ANSWERS: readonly ScriptedReply[] = Array.from({ length: 3 }, () => ({ text: "Yes." }));

/** A model behind the strict fake, and the settings that it looks at. */
async function withModel(
  body: (facts: {
    model: Awaited<ReturnType<typeof connect>>;
    change(changed: Partial<Settings>): void;
    ask(): Promise<unknown>;
  }) => Promise<void>,
  script = ANSWERS,
): Promise<void> {
  await withWorkspace(async (dir) => {
    await using api = startFakeOllama(script);
    using http = new Http({ env: {}, offline: false });
    const found = await findPlace({ cwd: dir });
    const paths = { ...found.paths, providers: join(dir, "providers.json") };
    const place = { ...found, env: { OLLAMA_HOST: api.url }, paths };
    let current: Settings = DEFAULT_SETTINGS;
    const settings = () => current;
    const reach = await reachOptions({
      ...{ run: {}, place, http, settings, isInteractive: false, warn: () => {} },
    });
    const model = await connect(NAME, reach, settings);
    const calm = new AbortController().signal;
    await body({
      model,
      change: (changed) => {
        current = { ...current, ...changed };
      },
      ask: async () => {
        await model.prepare(calm);
        const content = [{ type: "text", text: "Hi" }] as const;
        const request = {
          model: "m",
          system: "s",
          messages: [{ role: "user", origin: "person", content }] as const,
          tools: [READ_FILE],
          outputTokensMax: model.outputTokensMax,
        };
        for await (const _ of model.provider.stream({ ...request, hints: {} }, calm));
        return api.bodies.at(-1);
      },
    });
  });
}

Deno.test("ConnectedModel asks for the window that NUM_CTX says now, and fills no other", () =>
  withModel(async ({ model, change, ask }) => {
    for (const NUM_CTX of [4_096, 2_048]) {
      change({ NUM_CTX });
      const { options } = await ask() as { options: { num_ctx: number } };
      equal([options.num_ctx, model.windowTokens], [NUM_CTX, NUM_CTX]);
    }
  }));

Deno.test("ConnectedModel.windowTokens is never nothing, with NUM_CTX 0 either", () =>
  withModel(({ model, change }) => {
    change({ NUM_CTX: 0 });
    equal(model.windowTokens > 0, true);
    return Promise.resolve();
  }));

Deno.test("ConnectedModel speaks the protocol that the settings say now", () =>
  withModel(async ({ model, change, ask }) => {
    await ask();
    equal(model.protocol, "native");
    change({ NATIVE_TOOLS: false });
    await ask();
    equal(model.protocol, "text");
  }));

Deno.test("ConnectedModel speaks in text to a model whose server refuses tools", () => {
  const error = "registry.ollama.ai/library/m does not support tools";
  const refusal: ScriptedReply = { fault: { kind: "status", status: 400, body: { error } } };
  return withModel(async ({ model, ask }) => {
    for (let times = 0; times < 2; times += 1) {
      const { tools, messages } = await ask() as { tools?: unknown; messages: [unknown] };
      equal([tools, model.protocol], [undefined, "text"]);
      match(JSON.stringify(messages[0]), /read_file\(filepath/);
    }
  }, [refusal, ...ANSWERS.slice(0, 2)]);
});

Deno.test("readModelName() takes a provider's own default, and names what is missing", () => {
  equal(readModelName("demo", DEFAULT_SETTINGS), { provider: "demo", model: "tour" });
  equal(readModelName("ollama/a/b:c", DEFAULT_SETTINGS), { provider: "ollama", model: "a/b:c" });
  equal(readModelName("ollama", DEFAULT_SETTINGS).model, DEFAULT_SETTINGS.MODEL);
  throws(() => readModelName("openai", DEFAULT_SETTINGS), PersonError);
  throws(() => readModelName("nobody/x", DEFAULT_SETTINGS), /names no provider/);
});
