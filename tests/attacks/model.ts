/** The scripted model: it makes the calls of an attack one by one, over a local server that speaks a real API. */
import type { FakeApi } from "../support/fake_api.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import type { Step } from "./case_file.ts";

/** Calls in one reply, and replies in one turn, where one call is made many times. */
const BATCH = 50;

export type Model = {
  api: FakeApi;
  /** Whether every step has been played. */
  readonly isDone: boolean;
  readonly offered: readonly string[];
};

/** What the model says: each step one reply, then "Done.". */
export function startModel(
  steps: readonly Step[],
  options: { isText: boolean; onKeys(text: string): Promise<void> },
): Model {
  const state = { replies: steps.flatMap(repliesOf), offered: [] as string[] };
  const api = startFakeOllama(async (body) => {
    state.offered = offeredIn(body, state.offered);
    const next = state.replies.shift();
    if (next === undefined) return { text: "Done." };
    if (next.keys !== undefined) await options.onKeys(next.keys);
    return options.isText ? asText(next.reply) : next.reply;
  });
  return {
    api,
    get isDone() {
      return state.replies.length === 0;
    },
    get offered() {
      return state.offered;
    },
  };
}

type Planned = { reply: ScriptedReply; keys?: string };

function repliesOf(step: Step, at: number, steps: readonly Step[]): Planned[] {
  switch (step.kind) {
    case "call": {
      const before = steps[at - 1];
      const keys = before?.kind === "keys_before" ? { keys: before.text } : {};
      return [{ reply: { calls: [asScripted(step.call)] }, ...keys }];
    }
    case "agent_call":
      return [{ reply: { calls: [asScripted(step.call)] } }];
    case "calls": {
      const batches = Math.ceil(step.times / BATCH);
      return Array.from({ length: batches }, (_, batch) => ({
        reply: {
          calls: Array.from(
            { length: Math.min(BATCH, step.times - batch * BATCH) },
            () => asScripted(step.call),
          ),
        },
      }));
    }
    case "say":
      return [{ reply: { text: step.text } }];
    case "user":
    case "start":
    case "answer":
    case "keys_before":
    case "edit":
    case "cannot":
      return [];
    default:
      return step satisfies never;
  }
}

function asScripted(
  { tool, arguments: given }: { tool: string; arguments: Record<string, unknown> },
) {
  return { name: tool, arguments: given };
}

/** The same reply in the text protocol. */
function asText(reply: ScriptedReply): ScriptedReply {
  const calls = (reply.calls ?? []).map((call) =>
    `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`
  );
  return { text: [reply.text ?? "", ...calls].join("\n") };
}

function offeredIn(body: unknown, before: string[]): string[] {
  const { tools } = body as { tools?: { function?: { name?: string } }[] };
  const names = (tools ?? []).flatMap((tool) => tool.function?.name ?? []);
  return names.length > 0 ? names : before;
}
