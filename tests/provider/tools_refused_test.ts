import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { ProviderError, type ProviderErrorKind, type ProviderEvent } from "@/protocol/provider.ts";
import { NO_USAGE, type Provider } from "@/protocol/provider.ts";
import { textWhereToolsAreRefused } from "@/provider/tools_refused.ts";
import { requestOf, user } from "../support/conversation.ts";
import { calm, collect } from "../support/wire_options.ts";

const DONE: ProviderEvent = { type: "done", stop: "end", usage: NO_USAGE, model: "m" };

function refusing(kind: ProviderErrorKind): Provider {
  return {
    name: "native",
    // deno-lint-ignore require-yield -- It fails before anything comes.
    async *stream() {
      await Promise.resolve();
      throw new ProviderError(kind, "Refused");
    },
  };
}

const TEXT: Provider = {
  name: "text",
  async *stream() {
    await Promise.resolve();
    yield DONE;
  },
};

Deno.test("textWhereToolsAreRefused() asks again in text, says so once, and asks in text from then on", async () => {
  const seen: string[] = [];
  const provider = textWhereToolsAreRefused(refusing("no_tools"), {
    text: () => Promise.resolve(TEXT),
    refused: () => seen.push("refused"),
  });
  const ask = () => collect(provider.stream(requestOf("m", [user("Hi")]), calm()));
  const text =
    "m takes no tool calls on this server: its tools are described in the prompt from now on";
  equal(await ask(), [{ type: "notice", level: "info", text, about: "tool calls" }, DONE]);
  equal(await ask(), [DONE]);
  equal(seen, ["refused"]);
});

Deno.test("textWhereToolsAreRefused() leaves every other refusal as it is", async () => {
  const provider = textWhereToolsAreRefused(refusing("invalid_request"), {
    text: () => Promise.resolve(TEXT),
    refused: () => {
      throw new Error("It is not about tools");
    },
  });
  await rejects(collect(provider.stream(requestOf("m", [user("Hi")]), calm())), ProviderError);
});
