/** Whatever the conversation has been through, no wire sends what its API refuses. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { ProviderError, type Request } from "@/protocol/provider.ts";
import type { Message } from "@/protocol/message.ts";
import { histories } from "../support/arbitrary_history.ts";
import { assistant, call, PIXEL, requestOf, result, user } from "../support/conversation.ts";
import { RecordingHttp } from "../support/recording_http.ts";
import { refusalOf, type WireName } from "../support/strict_history.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { WIRES, type WireUnderTest } from "../support/wires.ts";

const BASE_URL = "http://127.0.0.1:1";

/** The body that a request makes. */
async function bodyOf(under: WireUnderTest, request: Request): Promise<unknown> {
  const http = new RecordingHttp();
  using _ = http;
  const options = wireOptions(under.provider, under.baseUrl(BASE_URL), { http, retriesMax: 0 });
  const provider = await under.make(options);
  try {
    await collect(provider.stream(request, calm()));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
  return http.body;
}

function refusal(under: WireUnderTest, body: unknown): string | undefined {
  return refusalOf(under.wire as WireName, body, { needsSignatures: under.wire === "gemini" });
}

const image = { type: "image" as const, mime: "image/png", data: PIXEL };

const CASES: [string, Message[]][] = [
  ["an empty conversation", []],
  ["an assistant first", [assistant("Hi"), user("Go")]],
  ["users in a row", [user("a"), user("b"), user("c")]],
  ["an assistant that said nothing", [user("a"), assistant(), user("b")]],
  // Case D21 of the user pains.
  ["an empty text beside a call", [
    user("a"),
    assistant("", call("1")),
    result("1", "x"),
    user("b"),
  ]],
  ["white space alone", [user(" \n "), assistant("\t"), user("b")]],
  ["an empty result", [user("a"), assistant(call("1")), result("1", "")]],
  // Case D20, as the loop closes it of the user pains.
  ["results of every kind", [
    user("a"),
    assistant(call("1"), call("2"), call("3"), call("4"), call("5")),
    result("1", "x"),
    result("2", "boom", { status: "failed" }),
    result("3", "the person said no", { status: "denied" }),
    result("4", "half", { status: "interrupted" }),
    result("5", "interrupted before", { status: "not_run" }),
    user("go on"),
  ]],
  ["an image in a failed result", [
    user("a"),
    assistant(call("1")),
    result("1", "boom", { status: "failed", parts: [image] }),
  ]],
  ["an image alone", [user(image)]],
  ["a call whose arguments were broken", [
    user("a"),
    assistant(call("1", "read_file", "{'x")),
    result("1", "Not run", { status: "failed" }),
  ]],
  ["a turn that was interrupted in text", [user("a"), {
    role: "assistant",
    content: [{ type: "text", text: "I was" }],
    stop: "abort",
  }, user("b")]],
  ["a history without any tool now", [
    user("a"),
    assistant(call("1", "gone_tool")),
    result("1", "x", { name: "gone_tool" }),
    user("b"),
  ]],
];

for (const under of WIRES) {
  for (const [name, messages] of CASES) {
    Deno.test(`${under.wire}: the body is legal for ${name} (check 31)`, async () => {
      const body = await bodyOf(under, requestOf(under.model, messages));
      ok(body !== undefined);
      equal(refusal(under, body), undefined, JSON.stringify(body));
    });
  }

  Deno.test(`${under.wire}: the body is legal for any history, and no foreign private data is in it (check 30)`, async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.boolean(),
        fc.boolean(),
        async (messages, hasTools, hasSystem) => {
          const more = { ...(hasTools ? {} : { tools: [] }), ...(hasSystem ? {} : { system: "" }) };
          const body = await bodyOf(under, requestOf(under.model, messages, more));
          equal(refusal(under, body), undefined);
          ok(!JSON.stringify(body).includes("c2VjcmV0"));
        },
      ),
      { numRuns: 150 },
    );
  });
}
