/** Ways out of a refusal: each once, and what holds for the next request too is remembered. */
import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { ProviderError } from "@/protocol/provider.ts";
import { readErrorValue } from "@/provider/error_body.ts";
import { readRoom } from "@/provider/overflow.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { calm, collect } from "../support/wire_options.ts";
import { requestFor } from "../support/wire_replies.ts";
import { WIRES, withWire } from "../support/wires.ts";

const ROOMS: [string, number | undefined][] = [
  ["input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000", 10_000],
  ["input length and `max_tokens` exceed context limit: 199500 + 32000 > 200000", undefined],
  [
    "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (8000 in the messages, 32000 in the completion). Please reduce",
    24_768,
  ],
  [
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (7000 of text input, 1000 of tool input, 32000 in the output).",
    24_768,
  ],
  [
    "This model's maximum context length is 32768 tokens. However, you requested 32000 output tokens and your prompt contains at least 8000 input tokens",
    24_368,
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 8000 input tokens (32000 > 32768 - 8000).",
    24_768,
  ],
  [
    "This model's maximum context length is 32768 tokens. However, your messages resulted in 40000 tokens.",
    undefined,
  ],
  ["prompt is too long: 212345 tokens > 200000 maximum", undefined],
];

Deno.test("readRoom() is what the window leaves for a reply, where that is enough for one", () => {
  for (const [message, room] of ROOMS) {
    equal(readRoom(readErrorValue({ error: { message } })), room, message);
  }
});

const CAP_FIELDS =
  /"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|num_predict)":(\d+)/;

for (const under of WIRES) {
  const message =
    "This model's maximum context length is 8192 tokens and your request has 7000 input tokens";
  const full: ScriptedReply = {
    fault: { kind: "status", status: 400, body: { error: { message } } },
  };
  const request = { ...requestFor(under), outputTokensMax: 6_000 };

  Deno.test(`${under.wire}: stream() lowers the cap where prompt and cap together are too much, for that request`, async () => {
    await withWire(under, [full, { text: "Hello." }, { text: "Hello." }], async (provider, api) => {
      await collect(provider.stream(request, calm()));
      await collect(provider.stream(request, calm()));
      const caps = api.bodies.map((body) => Number(CAP_FIELDS.exec(JSON.stringify(body))?.[1]));
      equal(caps, [6_000, 1_192, 6_000]);
    });
  });

  Deno.test(`${under.wire}: stream() reports a second refusal as the overflow that it is`, async () => {
    await withWire(under, [full, full], async (provider, api) => {
      await rejects(
        collect(provider.stream(request, calm())),
        (error: unknown) => error instanceof ProviderError && error.kind === "overflow",
      );
      equal(api.bodies.length, 2);
    });
  });
}
