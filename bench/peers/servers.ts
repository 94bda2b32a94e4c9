/** Local model servers for programs of others: they answer at once, and refuse nothing, because only ours is to be held to that. */
import { fakeAnthropic } from "../../tests/support/fake_anthropic.ts";
import {
  type FakeApi,
  type FakeWire,
  type Script,
  startFakeApi,
} from "../../tests/support/fake_api.ts";
import { fakeGemini } from "../../tests/support/fake_gemini.ts";
import { fakeChat } from "../../tests/support/fake_openai_chat.ts";
import { fakeResponses } from "../../tests/support/fake_openai_responses.ts";

const WIRES = {
  anthropic: fakeAnthropic(),
  responses: fakeResponses(),
  chat: fakeChat(),
  gemini: fakeGemini(),
} as const;

export type Wire = keyof typeof WIRES;

/** Where a request for a reply goes; what stands behind a "?" is the client's own. */
const ADDRESSES: Readonly<Record<Wire, RegExp>> = {
  anthropic: /^\/v1\/messages(?:\?|$)/,
  responses: /\/responses(?:\?|$)/,
  chat: /\/chat\/completions(?:\?|$)/,
  gemini: /:streamGenerateContent(?:\?|$)/,
};

/** Start one. Requests that it has no answer for get an empty object. */
export function serve(wire: Wire, script: Script): FakeApi {
  const lenient: FakeWire = {
    ...WIRES[wire],
    isChat: ({ method, path }) => method === "POST" && ADDRESSES[wire].test(path),
    other: () => ({ status: 200, body: {} }),
    refusal: () => undefined,
    frames: (reply, request, body) =>
      WIRES[wire].frames(reply, request, body).map((frame) => ({
        ...frame,
        text: frame.text.replace(NOVELTY, ""),
      })),
  };
  return startFakeApi(lenient, script);
}

/** Events that no server sends yet: ours has to bear them, others do not all. */
const NOVELTY = /event: (?:future_event|response\.novelty)\n.*\n\n/g;

/** Whether a request offers tools: those for titles and the like do not. */
export function hasTools(body: unknown): boolean {
  const { tools } = body as { tools?: unknown };
  return Array.isArray(tools) && tools.length > 0;
}

/** How many results of tools are in a request, over any wire. */
export function resultsIn(body: unknown): number {
  return JSON.stringify(body).match(RESULT)?.length ?? 0;
}

const RESULT =
  /"type":"tool_result"|"role":"tool"|"type":"function_call_output"|"functionResponse":/g;
