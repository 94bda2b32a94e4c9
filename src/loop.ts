/** Puts the loop together around one harness. What only a turn needs is in loop_work.ts, loaded when one begins. */
import { Harness } from "./agent/harness.ts";
import type { AppParts, ScreenFacts, ScreenParts } from "./app.ts";
import type { LoopWork } from "./loop_work.ts";
import { modelText } from "./model.ts";
import type { CheckParts } from "./policy_check.ts";
import type { Sink } from "./protocol/event.ts";
import type { Asker } from "./protocol/policy.ts";
import { limitOf, type Settings } from "./settings/settings.ts";

/** The harness, and what `policy check` needs to ask the same guards. */
export type Loop = { harness: Harness; check(): Promise<CheckParts>; screen: ScreenParts };

/** Build it. */
export function buildLoop(
  parts: AppParts,
  makeScreen: (facts: ScreenFacts) => ScreenParts,
): Loop {
  const { place, settings, conversation, model, policy } = parts;
  const { workspace } = place;
  let loading: Promise<LoopWork> | undefined;
  let loaded: LoopWork | undefined;
  const load = () =>
    loading ??= import("./loop_work.ts").then(async ({ loopWork }) =>
      loaded = await loopWork(parts)
    );
  const screen = makeScreen({
    header: () => {
      const { uid, id } = conversation.log;
      return { session: uid, id, model: modelText(model.current), cwd: workspace };
    },
  });
  const learn: Sink = (event) => {
    if (event.type === "usage" && event.purpose === "turn") loaded?.fit.learn(event.usage);
  };
  const harness = new Harness({
    log: conversation.log,
    past: conversation.past,
    sinks: [learn, ...screen.sinks],
    hooks: [],
    work: async () => {
      const { tools, guards, resolvePath, reachesOf, fit } = await load();
      return {
        fit: fit.fit,
        dispatch: {
          tools,
          guards,
          approver: screen.approver,
          asker: screen.asker,
          workspace,
          resolvePath,
          reachesOf,
          remember: async (approval) => (await policy()).remember(approval),
          hire: () => Promise.reject(new Error("This version has no sub-agents")),
          value: (key) => key === "cwd" ? workspace : undefined,
          now: () => performance.now(),
        },
      };
    },
    prepare: (signal) => model.current.prepare(signal),
    provider: () => model.current.provider,
    mayGoOn: goOn(parts, screen.asker),
    mayRun: (count) => parts.isInteractive || count < headlessMax(settings.current),
    keepsThinking: () => settings.current.STORE_THINKING,
  });
  return { harness, check: load, screen };
}

/** After many calls: a question in a terminal, an end without one. */
export function goOn(
  { settings, isInteractive }: { settings: { current: Settings }; isInteractive: boolean },
  asker: Asker,
): (count: number, signal: AbortSignal) => Promise<boolean> {
  let askAt = 0;
  return async (count, signal) => {
    if (!isInteractive) return count < headlessMax(settings.current);
    const step = limitOf(settings.current.MAX_TOOL_CALLS);
    if (count === 0) askAt = step;
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
