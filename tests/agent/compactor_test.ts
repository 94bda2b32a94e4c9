import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { assistant, call, result, user } from "../support/conversation.ts";
import { says, scriptedProvider } from "../support/scripted_provider.ts";
import { ContextFit, DoesNotFit } from "@/agent/context.ts";
import { HistoryFold } from "@/agent/history.ts";
import { Compactor } from "@/agent/hooks/compactor.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { NO_USAGE } from "@/protocol/provider.ts";

const SIGNAL = new AbortController().signal;
const ANSWERED = { type: "usage", usage: NO_USAGE, purpose: "turn", model: "m" } as const;

/**
 * One turn of steps with results of `chars` each in a window of 20k, in which a request and a skill stay: how many steps were
 * answered, and what was in the way of the next.
 */
async function work({ chars, words, skill }: { chars: number; words: number; skill: number }) {
  const fold = new HistoryFold();
  const system = "s".repeat(12_000);
  const frame = { model: "m", system, tools: [], outputTokensMax: 6_144, hints: {} };
  const context = new ContextFit(() => ({ ...frame, windowTokens: 20_480 }));
  let compactions = 0;
  const compactor = new Compactor({
    mayAsk: () => Promise.resolve(true),
    context,
    messages: () => fold.messages(),
    emit: (event) => {
      if (event.type !== "compaction") return;
      compactions += 1;
      fold.add(event);
    },
    provider: () => scriptedProvider([says("notes ".repeat(250))]),
    summaryTokens: () => 400,
    outputTokensMax: () => 1_000,
  });
  fold.add({ type: "message", message: user("w".repeat(words)) });
  const stays = { meta: { stays: "skill a" } };
  const first = [assistant(call("s")), result("s", "k".repeat(skill), stays)];
  for (const message of first) fold.add({ type: "message", message });
  for (let step = 0; step < 40; step += 1) {
    const messages = [assistant(call(`c${step}`)), result(`c${step}`, "x".repeat(chars))];
    for (const message of messages) fold.add({ type: "message", message });
    for (let isFit = false; !isFit;) {
      try {
        context.fit(fold.messages());
        isFit = true;
      } catch (error) {
        if (!(error instanceof DoesNotFit)) throw error;
        if (!await compactor.hook.mend?.(error, SIGNAL)) {
          return { step, compactions, problem: error.message };
        }
      }
    }
    compactor.sink(ANSWERED);
  }
  return { step: 40, compactions, problem: "" };
}

Deno.test("Compactor goes on as long as what it does is worth it", async () => {
  const { step, compactions, problem } = await work({ chars: 2_900, words: 400, skill: 400 });
  equal([step, problem], [40, ""]);
  ok(compactions > 2, `${compactions}`);
});

Deno.test("Compactor has what stays cut where that alone makes a request possible", async () => {
  const fold = new HistoryFold();
  const frame = { model: "m", system: "", tools: [], outputTokensMax: 1_000, hints: {} };
  const context = new ContextFit(() => ({ ...frame, windowTokens: 8_192 }));
  const compactor = new Compactor({
    mayAsk: () => Promise.resolve(true),
    context,
    messages: () => fold.messages(),
    emit: (event) => fold.add(event as DurableEvent),
    provider: () => scriptedProvider([says("notes")]),
    summaryTokens: () => 400,
    outputTokensMax: () => 1_000,
  });
  const names = ["a", "b", "c", "d", "e"];
  const skills = names.map((name) =>
    result(name, `${name} `.repeat(2_500), { meta: { stays: `skill ${name}` } })
  );
  for (const message of [user("go"), assistant(...names.map((name) => call(name))), ...skills]) {
    fold.add({ type: "message", message });
  }
  let problem: unknown;
  try {
    context.fit(fold.messages());
  } catch (error) {
    problem = error;
  }
  ok(problem instanceof DoesNotFit);
  equal(await compactor.hook.mend?.(problem, SIGNAL), true);
  equal(context.fit(fold.messages()).messages.length, 7);
});

Deno.test("Compactor gives up after two in a row that made the conversation hardly shorter", async () => {
  const { step, compactions, problem } = await work({ chars: 1_200, words: 7_600, skill: 9_000 });
  ok(step < 40 && compactions <= 4, `${step} steps, ${compactions} compactions`);
  match(problem, /does not fit the window of m .*What takes most and stays: the instructions/);
});
