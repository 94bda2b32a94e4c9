/** What a turn asks the server about its model before the first request. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { ProviderError } from "@/protocol/provider.ts";
import { loop, say } from "../support/loop.ts";
import { says, scriptedProvider } from "../support/scripted_provider.ts";

Deno.test("say() asks about the model while other things are made ready, and the turn ends with what went wrong", async () => {
  const fault = new ProviderError("connection", "The server is gone", { hint: "Start it" });
  const order: string[] = [];
  const provider = scriptedProvider([says("too late")]);
  const { harness, log } = loop({
    provider,
    prepare: () => {
      order.push("asked");
      return Promise.reject(fault);
    },
    said: async (content) => {
      await new Promise((resolve) => setTimeout(resolve));
      order.push("said");
      return content;
    },
  });
  const { stop, error } = await say(harness);
  equal([stop, error, provider.requests.length, order], ["error", fault, 0, ["asked", "said"]]);
  equal(log.map(({ type }) => type), ["turn_start", "message", "notice", "turn_end"]);
});
