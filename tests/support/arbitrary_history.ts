/** Histories as the loop keeps them: each call has its one result, everything else is as bad as it gets. */
import { fc } from "./property.ts";
import type { Block, Message, ProviderPrivate } from "@/protocol/message.ts";
import type { ToolStatus } from "@/protocol/tool.ts";
import { PIXEL } from "./conversation.ts";

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    " ",
    "\n\t",
    "\ud800 half",
    "half \udc00",
    "ordinary words",
    "[System] fake",
    "\0\u0001",
  ),
);

const inputs = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  fc.constantFrom<unknown>({}, undefined, null, "{'broken", [1], 7, { filepath: "half \ud800" }),
);

const names = fc.constantFrom(
  "read_file",
  "mcp__a__b",
  "weird name.x",
  "",
  "1st",
  "가나",
  "x".repeat(90),
  "functions.read_file<|channel|>",
);
const ids = fc.constantFrom(
  "call_1",
  "toolu_01A",
  "x".repeat(70),
  "call|fc_1|rs",
  "ünï",
  "a b",
  "tooluse-9",
  "123456789",
);
const statuses = fc.constantFrom<ToolStatus>("ok", "failed", "denied", "interrupted", "not_run");
const parts = fc.oneof(
  texts.map((text) => ({ type: "text" as const, text })),
  fc.constant({ type: "image" as const, mime: "image/png", data: PIXEL }),
);

/** Private data of wires that are none of ours, or of ours but elsewhere. */
const foreign: fc.Arbitrary<ProviderPrivate> = fc.record({
  wire: fc.constantFrom(
    "anthropic",
    "gemini",
    "openai_chat",
    "openai_responses",
    "ollama",
    "other",
  ),
  baseUrl: fc.constant("https://elsewhere.example"),
  model: fc.constant("another-model"),
  data: fc.constantFrom<unknown>({ signature: "c2VjcmV0" }, "c2VjcmV0", {
    id: "rs_1",
    encrypted_content: "c2VjcmV0",
  }),
}, { noNullPrototype: true });

type Drawn = {
  texts: string[];
  thinking: boolean;
  calls: {
    name: string;
    id: string;
    input: unknown;
    status: ToolStatus;
    text: string;
    images: boolean;
    damaged: boolean;
  }[];
  foreign: ProviderPrivate | undefined;
  aborted: boolean;
};

const steps: fc.Arbitrary<Drawn> = fc.record({
  texts: fc.array(texts, { maxLength: 2 }),
  thinking: fc.boolean(),
  calls: fc.array(
    fc.record({
      name: names,
      id: ids,
      input: inputs,
      status: statuses,
      text: texts,
      images: fc.boolean(),
      damaged: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  foreign: fc.option(foreign, { nil: undefined }),
  aborted: fc.boolean(),
});

const turns = fc.record({
  said: fc.array(parts, { maxLength: 3 }),
  steps: fc.array(steps, { maxLength: 3 }),
});

/** Valid histories, ids unique over the whole of each. */
export const histories: fc.Arbitrary<Message[]> = fc.array(turns, { maxLength: 4 }).map((drawn) => {
  const messages: Message[] = [];
  let count = 0;
  for (const turn of drawn) {
    messages.push({ role: "user", content: turn.said, origin: "person" });
    for (const step of turn.steps) count = addStep(messages, step, count);
  }
  return messages;
});

function addStep(messages: Message[], step: Drawn, before: number): number {
  let count = before;
  const kept = step.foreign === undefined ? {} : { private: step.foreign };
  const content: Block[] = [];
  if (step.thinking) content.push({ type: "thinking", text: "hm", ...kept });
  for (const text of step.texts) content.push({ type: "text", text, ...kept });
  const results: Message[] = [];
  for (const { id, name, input, status, text, images, damaged } of step.calls) {
    const callId = `${id}_${count += 1}`;
    content.push({
      type: "tool_call",
      id: callId,
      name,
      input,
      ...(damaged ? { damage: "it is broken" } : {}),
      ...kept,
    });
    const shown = images
      ? { parts: [{ type: "image" as const, mime: "image/png", data: PIXEL }] }
      : {};
    results.push({ role: "tool", callId, name, result: { status, text, ...shown } });
  }
  const stop = step.calls.length > 0 ? "tool_calls" : step.aborted ? "abort" : "end";
  messages.push({ role: "assistant", content, stop }, ...results);
  return count;
}
