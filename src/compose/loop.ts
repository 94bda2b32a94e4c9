/** Puts the loop together around one harness. What only a turn needs is in loop_work.ts, loaded when one begins. */
import { Harness } from "@/agent/harness.ts";
import type { LoopWork } from "./loop_work.ts";
import type { AnyFeature } from "./feature.ts";
import { FeatureSink } from "./feature_work.ts";
import { modelText } from "./model.ts";
import type { AppParts, ScreenFacts, ScreenParts } from "./parts.ts";
import { oneQuestion } from "./one_question.ts";
import { once } from "@/lib/once.ts";
import { Slots } from "@/lib/slots.ts";
import type { Sink } from "@/protocol/event.ts";
import type { Asker } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { limitOf, type Settings } from "@/settings/settings.ts";

/** The harness, what its turns work with, and who watches: asked one question at a time. */
export type Loop = {
  harness: Harness;
  work(): Promise<LoopWork>;
  /** None until the work is there. */
  tools(): readonly ToolSpec[];
  screen: ScreenParts;
};

export type LoopOptions = {
  features: readonly AnyFeature[];
  makeScreen(facts: ScreenFacts): ScreenParts;
};

/** Build it. */
export function buildLoop(
  parts: AppParts,
  { features, makeScreen }: LoopOptions,
): Loop {
  const { place, settings, conversation, model } = parts;
  const own = makeScreen({
    header: () => {
      const { uid, id } = conversation.log;
      return { session: uid, id, model: modelText(model.current), cwd: place.workspace };
    },
  });
  const questions = new Slots(() => 1);
  const screen = oneQuestion(own, questions);
  const featureSink = new FeatureSink();
  let loaded: LoopWork | undefined;
  const work = once(async () => {
    const { loopWork } = await import("./loop_work.ts");
    loaded = await loopWork(parts, { features, questions, screen: own });
    for (const record of conversation.records) loaded.features.past(record);
    featureSink.connect(loaded.features.sink);
    return loaded;
  });
  const learn: Sink = (event) => {
    if (event.type === "usage" && event.purpose === "turn") loaded?.context.learn(event.usage);
  };
  const mayAsk = goOn(parts, { asker: screen.asker, part: () => loaded?.features.part() ?? "" });
  const harness = new Harness({
    log: conversation.log,
    past: conversation.past,
    sinks: [learn, featureSink.sink, ...screen.sinks],
    work,
    prepare: (signal) => model.current.prepare(signal),
    provider: () => {
      const { provider } = model.current;
      return loaded?.features.provider(provider) ?? provider;
    },
    mayGoOn: async (count, signal) =>
      await mayAsk(count, signal) && await (await work()).features.mayGoOn(count, signal),
    mayRun: (count) => parts.isInteractive || count < headlessMax(settings.current),
    keepsThinking: () => settings.current.STORE_THINKING,
  });
  return { harness, work, tools: () => loaded?.features.tools() ?? [], screen };
}

/** After many calls in one part of a turn: a question in a terminal. An end after as many in the turn without one. */
export function goOn(
  { settings, isInteractive }: { settings: { current: Settings }; isInteractive: boolean },
  { asker, part }: { asker: Asker; part(): string },
): (count: number, signal: AbortSignal) => Promise<boolean> {
  let askAt = 0;
  let last = "";
  return async (count, signal) => {
    if (!isInteractive) return count < headlessMax(settings.current);
    const step = limitOf(settings.current.MAX_TOOL_CALLS);
    const now = part();
    if (count === 0 || now !== last) askAt = count + step;
    last = now;
    if (count < askAt) return true;
    askAt = count + step;
    const text = `${count} tool calls were made in this turn. Go on?`;
    const answers = await asker([{ text, options: ["yes", "no"], freeText: false }], signal);
    return answers?.[0] === "yes" || answers?.[0] === "y";
  };
}

/** Without a terminal nobody can be asked: no call runs beyond it. */
function headlessMax({ HEADLESS_MAX_TOOL_CALLS }: Settings): number {
  return limitOf(HEADLESS_MAX_TOOL_CALLS);
}
