/** The `usage` vectors against src/session/usage_fold.ts and the loop's numbers of turns. */
import type { DurableEvent } from "@/protocol/event.ts";
import { NO_USAGE } from "@/protocol/provider.ts";
import { byTurn, UsageRequests } from "@/session/usage_fold.ts";
import { z } from "zod";
import { loop, say } from "../support/loop.ts";
import { says, scriptedProvider } from "../support/scripted_provider.ts";

type Adapter = (input: unknown, vector: { id: string; expected: unknown }) => unknown;

const historyInput = z.strictObject({ history: z.array(z.tuple([z.number(), z.number()])) });
const lastInput = z.strictObject({ last_turn: z.number() });
const stagesInput = z.strictObject({ stages: z.number() });

const usage: Adapter = async (input) => {
  const history = historyInput.safeParse(input);
  if (history.success) return { turns: turnsOf(eventsOf(history.data.history)) };
  const last = lastInput.safeParse(input);
  if (last.success) return { next: await nextTurn(last.data.last_turn) };
  const stages = stagesInput.safeParse(input);
  if (!stages.success) return undefined;
  const requests = Array.from({ length: stages.data.stages }, (): [number, number] => [10, 1]);
  return { turns: turnsOf(eventsOf(requests)).length };
};

export const adapters: Record<string, Adapter> = { usage };

/** A session whose requests took so many tokens, each in its turn. */
function eventsOf(requests: readonly [number, number][]): DurableEvent[] {
  let now = 0;
  return requests.flatMap(([tokens, turn]): DurableEvent[] => {
    const spent = { ...NO_USAGE, input: tokens };
    const bill = { type: "usage", usage: spent, purpose: "turn", model: "m" } as const;
    if (turn === now) return [bill];
    now = turn;
    return [{ type: "turn_start", turn }, bill];
  });
}

function turnsOf(events: readonly DurableEvent[]): unknown[] {
  const fold = new UsageRequests();
  for (const event of events) fold.take(event, 0);
  return byTurn(fold.all).map((group) => [
    group.length,
    group.reduce((sum, { usage }) => sum + usage.input, 0),
  ]);
}

/** The number of the turn that a resumed session runs next. */
async function nextTurn(last: number): Promise<number> {
  const past: DurableEvent[] = [{ type: "turn_start", turn: last }, {
    type: "turn_end",
    turn: last,
    stop: "end",
  }];
  const { harness } = loop({ provider: scriptedProvider([says("ok")]), past });
  await say(harness);
  return harness.turn;
}
