import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import type { Message, Part } from "@/protocol/message.ts";
import { type Provider, ProviderError, type Request } from "@/protocol/provider.ts";
import { textHistory } from "@/provider/text_history.ts";
import { withTextProtocol } from "@/provider/text_protocol.ts";
import { TOOLS } from "./tool_text/tools.ts";

const IMAGE: Part = { type: "image", mime: "image/png", data: new Uint8Array([1]) };

function user(...content: Part[]): Message {
  return { role: "user", content, origin: "person" };
}

function calling(...ids: string[]): Message {
  const content = ids.map((id) =>
    ({ type: "tool_call", id, name: "git_status", input: {} }) as const
  );
  return { role: "assistant", content, stop: "tool_calls" };
}

function result(callId: string, ...parts: Part[]): Message {
  const more = parts.length === 0 ? {} : { parts };
  return { role: "tool", callId, name: "git_status", result: { status: "ok", text: "x", ...more } };
}

/** Two results, of which the second holds an image, then one of each kind. */
const MESSAGES: readonly Message[] = [
  user({ type: "text", text: "Look." }),
  calling("a", "b"),
  result("a"),
  result("b", IMAGE),
  { role: "assistant", content: [{ type: "thinking", text: "hm" }], stop: "end" },
  user({ type: "text", text: "And this?" }, IMAGE),
  calling("c"),
  result("c"),
  calling("d", "e"),
  result("d"),
  result("e"),
];

Deno.test("textHistory() says of each message which one it stems from", () => {
  const { messages, places } = textHistory(MESSAGES, TOOLS);
  equal(places, [0, 1, 3, 5, 6, 7, 8, undefined]);
  equal(messages.length, places.length);
});

Deno.test("withTextProtocol() names the message of the history that a server has rejected", async () => {
  for (const [named, place] of [[2, 3], [3, 5], [7, undefined], [9, undefined]] as const) {
    const told = { messageIndex: named, status: 400, hint: "Look here", detail: "image" };
    const fault = new ProviderError("too_large", "No", told);
    const inner: Provider = {
      name: "refusing",
      // deno-lint-ignore require-yield
      async *stream() {
        await Promise.resolve();
        throw fault;
      },
    };
    const request: Request = {
      ...{
        model: "m",
        system: "",
        messages: MESSAGES,
        tools: TOOLS,
        outputTokensMax: 9,
        hints: {},
      },
    };
    const signal = new AbortController().signal;
    await rejects(Array.fromAsync(withTextProtocol(inner).stream(request, signal)), (error) => {
      ok(error instanceof ProviderError);
      const { kind, message, status, hint, detail } = error;
      equal({ kind, message, status, hint, detail }, {
        ...{ kind: "too_large", message: "No", status: 400, hint: "Look here", detail: "image" },
      });
      equal(error.messageIndex, place);
      return true;
    });
  }
});
