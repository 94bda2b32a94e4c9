/** Images on every wire: said by the person, in results of every status, of kinds and for models that are taken or not. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import type { Message, Part } from "@/protocol/message.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { HELLO, requestFor } from "../support/wire_replies.ts";
import { assistant, call, PIXEL, result, user } from "../support/conversation.ts";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { startFakeChat } from "../support/fake_openai_chat.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { load, WIRES, type WireUnderTest, withWire } from "../support/wires.ts";

const image: Part = { type: "image", mime: "image/png", data: PIXEL };
const drawing: Part = {
  type: "image",
  mime: "image/svg+xml",
  data: new TextEncoder().encode("<svg/>"),
};

function history(part: Part): Message[] {
  return [
    user("See", part),
    assistant(call("1"), call("2"), call("3")),
    result("1", "seen", { parts: [part] }),
    result("2", "boom", { status: "failed", parts: [part] }),
    result("3", "nothing to see"),
    user(part),
  ];
}

/** The body of a request with these messages, which the strict server took. */
async function bodyWith(under: WireUnderTest, messages: readonly Message[]): Promise<string> {
  let body = "";
  await withWire(under, [HELLO], async (provider, api) => {
    await collect(provider.stream(requestFor(under, messages), calm()));
    body = JSON.stringify(api.bodies[0]);
  });
  return body;
}

const times = (text: string, part: string) => text.split(part).length - 1;

/** Refusals of an image, as each API words them. */
const REFUSALS: Readonly<Record<string, [number, object]>> = {
  anthropic: [400, {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum",
    },
  }],
  bedrock: [400, {
    message: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum",
  }],
  openai_chat: [400, {
    error: { message: "You uploaded an unsupported image.", code: "invalid_image" },
  }],
  openai_responses: [400, {
    error: {
      message: "The image data you provided does not represent a valid image",
      code: "image_parse_error",
    },
  }],
  gemini: [400, [{
    error: { code: 400, message: "Unable to process input image.", status: "INVALID_ARGUMENT" },
  }] as object],
  ollama: [400, { error: "Failed to load image or audio file: failed to decode image" }],
};

for (const under of WIRES) {
  Deno.test(`${under.wire}: stream() sends every image of the person and of results`, async () => {
    const body = await bodyWith(under, history(image));
    equal(times(body, PIXEL.toBase64()), 4);
    ok(!body.includes("An image stood here"));
  });

  Deno.test(`${under.wire}: stream() tells of an image of a kind that no API takes`, async () => {
    const body = await bodyWith(under, history(drawing));
    ok(drawing.type === "image" && !body.includes(drawing.data.toBase64()));
    equal(times(body, "An image stood here, image/svg+xml, 6 bytes"), 4);
  });

  Deno.test(`${under.wire}: stream() takes an image that is refused for one item, and for no wrong request`, async () => {
    const [status, body] = REFUSALS[under.wire] ?? [0, {}];
    const refusal = { fault: { kind: "status", status, body } } as const;
    await withWire(under, [refusal], async (provider) => {
      await rejects(
        collect(provider.stream(requestFor(under, history(image)), calm())),
        (error: unknown) => {
          ok(error instanceof ProviderError);
          equal([error.kind, error.status], ["too_large", 400]);
          match(error.hint, /image/);
          return true;
        },
      );
    });
  });
}

const BLIND = "blind-model";

Deno.test("stream() sends a line in the place of an image to a model that is known to take none", async () => {
  const servers = [
    ["ollama", "", startFakeOllama([HELLO], { models: { [BLIND]: { capabilities: ["tools"] } } })],
    [
      "openai",
      "/v1",
      startFakeChat([HELLO], {
        models: [{ id: BLIND, architecture: { input_modalities: ["text"] } }],
      }),
    ],
    [
      "anthropic",
      "",
      startFakeAnthropic([HELLO], {
        models: [{ id: BLIND, capabilities: { image_input: { supported: false } } }],
      }),
    ],
  ] as const;
  for (const [name, path, started] of servers) {
    await using api = started;
    const options = wireOptions(name, api.url + path);
    using _ = options.http;
    const provider = await load(name, options);
    await provider.model(BLIND, calm());
    const request = {
      ...requestFor(WIRES[0] as WireUnderTest, history(image)),
      model: BLIND,
      hints: {},
    };
    const events = await collect(provider.stream(request, calm()));
    const body = JSON.stringify(api.bodies[0]);
    equal([times(body, PIXEL.toBase64()), times(body, "this model takes none")], [0, 4], name);
    const told = events.flatMap((event) => event.type === "notice" ? [event.text] : []);
    equal(told, [`${BLIND} takes no images: those of this conversation are not sent to it`]);
  }
});
