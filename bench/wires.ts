/** What a wire costs a streamed token: a long reply in each format, read from memory, against parsing its JSON alone. */
import { Http } from "@/provider/http.ts";
import { requestOf, user } from "../tests/support/conversation.ts";
import type { FakeWire } from "../tests/support/fake_api.ts";
import { fakeAnthropic } from "../tests/support/fake_anthropic.ts";
import { fakeGemini } from "../tests/support/fake_gemini.ts";
import { fakeOllama } from "../tests/support/fake_ollama.ts";
import { fakeChat } from "../tests/support/fake_openai_chat.ts";
import { fakeResponses } from "../tests/support/fake_openai_responses.ts";
import { calm, wireOptions } from "../tests/support/wire_options.ts";
import { WIRES, type WireUnderTest } from "../tests/support/wires.ts";
import { elapsedMs, interleave, type Row } from "./measure.ts";

const TOKENS = 10_000;
/** What a network read brings. */
const READ_BYTES = 4_096;

const FAKES: Readonly<Record<string, () => FakeWire>> = {
  ollama: fakeOllama,
  anthropic: fakeAnthropic,
  openai_chat: fakeChat,
  openai_responses: fakeResponses,
  gemini: fakeGemini,
};

/** Milliseconds for a reply of 10,000 tokens over each wire. */
export async function wires(runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const under of WIRES) {
    const stream = rendered(under);
    const samples = await interleave({
      bare: () => elapsedMs(() => Promise.resolve(bare(stream))),
      wire: () => elapsedMs(() => read(under, stream)),
    }, runs);
    rows.push(
      { name: `${under.wire}, its JSON alone`, unit: "ms", values: samples.bare ?? [] },
      { name: under.wire, unit: "ms", values: samples.wire ?? [] },
    );
  }
  return rows;
}

function rendered({ wire, model }: WireUnderTest): string {
  const fake = FAKES[wire];
  if (fake === undefined) throw new Error(`No fake speaks ${wire}`);
  const request = { method: "POST", path: `/v1beta/models/${model}:x`, headers: {}, body: "" };
  const frames = fake().frames({ text: "token ".repeat(TOKENS) }, request, { model });
  return frames.map(({ text }) => text).join("");
}

function bare(stream: string): number {
  let chars = 0;
  for (const line of stream.split("\n")) {
    const json = line.startsWith("data: ") ? line.slice(6) : line;
    if (json.startsWith("{")) chars += JSON.stringify(JSON.parse(json)).length;
  }
  return chars;
}

async function read(under: WireUnderTest, stream: string): Promise<void> {
  using http = new CannedHttp(stream);
  const options = wireOptions(under.provider, under.baseUrl("http://127.0.0.1:1"), { http });
  const provider = await under.make(options);
  let tokens = 0;
  for await (const event of provider.stream(requestOf(under.model, [user("Hi")]), calm())) {
    if (event.type === "delta") tokens += 1;
  }
  if (tokens !== TOKENS) throw new Error(`${under.wire} gave ${tokens} tokens of ${TOKENS}`);
}

/** Answers every request with one stream, from memory. */
class CannedHttp extends Http {
  readonly #bytes: Uint8Array;

  constructor(stream: string) {
    super({ env: {}, offline: true });
    this.#bytes = new TextEncoder().encode(stream);
  }

  override send(): Promise<Response> {
    const bytes = this.#bytes;
    let at = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + READ_BYTES));
        at += READ_BYTES;
      },
    });
    return Promise.resolve(new Response(body));
  }
}
