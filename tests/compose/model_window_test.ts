import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { ConnectedModel } from "@/compose/model.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { requestOf, user } from "../support/conversation.ts";
import { MODEL, withAnthropic } from "../support/with_anthropic.ts";
import { calm, collect } from "../support/wire_options.ts";

Deno.test("prepare() takes up the window that an overflow has named", async () => {
  const message = "prompt is too long: 60000 tokens > 50000 maximum";
  const fault = { kind: "status" as const, status: 400, body: { error: { message } } };
  await withAnthropic({ script: [{ fault }] }, async (source) => {
    const settings = () => DEFAULT_SETTINGS;
    const name = { provider: "anthropic", model: MODEL };
    const model = new ConnectedModel(name, { source, settings, readsText: false });
    await model.prepare(calm());
    const before = model.windowTokens;
    await rejects(
      collect(model.provider.stream(requestOf(MODEL, [user("Hi")], {}), calm())),
      { kind: "overflow" },
    );
    await model.prepare(calm());
    equal([before > 50_000, model.windowTokens], [true, 50_000]);
  });
});
