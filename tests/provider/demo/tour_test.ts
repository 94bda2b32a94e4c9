/** The tour of the demo: what it makes of a message. */
import { deepStrictEqual as equal } from "node:assert/strict";
import type { Message } from "@/protocol/message.ts";
import { demoProvider } from "@/provider/demo/scripted.ts";

/** What the tour searches for after a message of these texts. */
async function searchedFor(texts: readonly string[]): Promise<unknown> {
  const messages: Message[] = [
    { role: "user", origin: "person", content: texts.map((text) => ({ type: "text", text })) },
    {
      role: "assistant",
      stop: "tool_calls",
      content: [{ type: "tool_call", id: "a", name: "list_dir", input: {} }],
    },
    { role: "tool", callId: "a", name: "list_dir", result: { status: "ok", text: "" } },
  ];
  const request = {
    model: "tour",
    system: "",
    messages,
    tools: [],
    outputTokensMax: 100,
    hints: {},
  };
  const { signal } = new AbortController();
  for await (const event of demoProvider().stream(request, signal)) {
    if (event.type === "tool_call") return event.input;
  }
}

Deno.test("the tour searches for a word that the person typed, and for none of what is attached", async () => {
  equal(await searchedFor(["where is the ranking?"]), { query: "where" });
  equal(await searchedFor(["fix it @a.ts", "[Attached file: a.ts]\nconst"]), { query: "TODO" });
});
