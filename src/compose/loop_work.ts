/** What turns work with: tools, guards, hooks, paths, and requests that fit the model. */
import type { ContextFit } from "@/agent/context.ts";
import type { DispatchParts } from "@/agent/dispatch.ts";
import { Judges } from "@/agent/guards/judges.ts";
import { changedPowerFile } from "@/agent/guards/power_files.ts";
import { guardList, offeredReaches } from "@/agent/guards/mod.ts";
import type { TurnWork } from "@/agent/harness.ts";
import { deniedReading, mayReadBy, showsUnasked } from "@/agent/may_read.ts";
import { systemPrompt } from "@/agent/prompt.ts";
import type { Slots } from "@/lib/slots.ts";
import type { Policy } from "@/policy/policy.ts";
import type { Verdicts } from "@/policy/verdicts.ts";
import type { Guard } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { Confine } from "@/workspace/confine.ts";
import { afterCommits } from "./after_commits.ts";
import type { AnyFeature } from "./feature.ts";
import { FeatureWorks } from "./feature_work.ts";
import { fitOf } from "./fit.ts";
import { toolChoice } from "./profile.ts";
import type { AppParts, ScreenParts } from "./parts.ts";

/** What a turn works with; also what a sub-agent's turns are made of, and what `policy check` asks. */
export type LoopWork = Required<TurnWork> & {
  /** Fits, learns and estimates. */
  context: ContextFit;
  features: FeatureWorks;
  /** What sub-agents work with, as the profile that they are hired as. */
  beside: WorkBeside;
};

/** What belongs to the profile of sub-agents. */
export type WorkBeside = {
  dispatch: Omit<DispatchParts, "emit" | "hooks">;
  /** Tools of one's own for each of them, those of now at each call. */
  tools(): () => readonly ToolSpec[];
  prompt(): readonly string[];
};

/** `questions`: where those of calls wait for each other and for all others; the screen puts them at once. */
type Around = {
  features: readonly AnyFeature[];
  screen: ScreenParts;
  questions: Slots;
};

/** Build it. */
export async function loopWork(
  parts: AppParts,
  { features, screen, questions }: Around,
): Promise<LoopWork> {
  const { agents } = parts.profile;
  const [policy, journal, keeps, agentsKeep] = await Promise.all([
    parts.policy(),
    parts.journal(),
    toolChoice(parts.profile),
    toolChoice(agents ?? parts.profile),
  ]);
  const { workspace, paths } = parts.place;
  const denied = (call: Parameters<Policy["denied"]>[0]) => policy.denied(call);
  const works: FeatureWorks = await FeatureWorks.of(features, {
    policy,
    journal,
    tools: () => works.tools(),
    mayRead: mayReadBy({ denied, tools: () => works.everyTool(), forbidden: [paths.home] }),
  }, keeps);
  const context = fitOf({
    place: parts.place,
    model: () => parts.model.current,
    tools: () => works.tools(),
    prompt: (facts) => [systemPrompt(facts), ...works.prompt()],
    cacheKey: parts.conversation.log.uid,
  });
  const waiting = afterCommits(() => parts.committed());
  const judges = new Judges(works.judges());
  const dispatch = {
    tools: () => waiting(works.tools()),
    guards: guardsOf(parts, { policy, works, judges }),
    changeOf: (call) => judges.change(call),
    ...heardBy(works, screen, questions),
    questions,
    workspace,
    resolvePath: resolverOf(parts),
    reachesOf: (call) => offeredReaches(call, { policy, judges }),
    goesUnasked: unaskedBy({ policy, works, judges }),
    remember: (approval) => policy.remember(approval),
    hire: (brief, signal) => works.hire(brief, signal),
    value: (key) => key === "cwd" ? workspace : undefined,
    now: () => performance.now(),
  } satisfies LoopWork["dispatch"];
  const ruled = agents === undefined ? policy : await policy.under(agents.rules);
  return {
    features: works,
    context,
    fit: context.fit,
    hooks: works.hooks(),
    said: (content, signal) => works.said(content, signal),
    dispatch,
    beside: {
      dispatch: {
        ...dispatch,
        ...agents !== undefined && {
          guards: guardsOf(parts, { policy: ruled, works, judges }),
          reachesOf: (call) => offeredReaches(call, { policy: ruled, judges }),
          goesUnasked: unaskedBy({ policy: ruled, works, judges }),
        },
      },
      tools: () => works.toolsBeside(agentsKeep),
      prompt: () => works.promptBeside(),
    },
  };
}

/** The person's answers; features are told of each question. */
function heardBy(
  works: FeatureWorks,
  screen: ScreenParts,
  questions: Slots,
): Pick<DispatchParts, "approver" | "asker"> {
  return {
    approver: (call, reason, reaches, signal) => {
      works.asked("call", `${call.tool.name}: ${reason}`);
      return screen.approver(call, reason, reaches, signal);
    },
    asker: (asked, signal) =>
      questions.use(() => {
        works.asked("question", asked.map(({ text }) => text).join("\n"));
        return screen.asker(asked, signal);
      }, signal),
  };
}

function guardsOf(
  { automode, run, sandbox, settings }: AppParts,
  { policy, works, judges }: { policy: Verdicts | Policy; works: FeatureWorks; judges: Judges },
): readonly Guard[] {
  const tools = () => works.everyTool();
  return guardList({
    policy,
    deniesReading: deniedReading({ denied: (call) => policy.denied(call), tools }),
    isAuto: () => automode.isOn,
    sandboxReady: () => sandbox.ready(),
    isSandboxed: () => sandbox.isProven,
    sandboxProblem: () => sandbox.opened?.problem,
    asksInside: () => !settings.current.SANDBOX_ALLOW,
    isSandboxOff: () => run.sandbox === "off",
    first: works.guards(),
    judges,
  });
}

function unaskedBy(
  { policy, works, judges }: { policy: Verdicts | Policy; works: FeatureWorks; judges: Judges },
): DispatchParts["goesUnasked"] {
  const isByRules = showsUnasked({
    denied: (call) => policy.denied(call),
    asked: (call) => policy.asked(call),
    tools: () => works.everyTool(),
  });
  // A judge's question stands, whatever would come of the call; and who tries to write what gives rights is seen trying.
  return (call) => !judges.asks(call) && changedPowerFile(call) === undefined && isByRules(call);
}

function resolverOf({ place, added }: AppParts): DispatchParts["resolvePath"] {
  const home = place.env["HOME"];
  const confine = new Confine({
    workspace: place.workspace,
    added,
    forbidden: [place.paths.home],
    ...(home === undefined ? {} : { home }),
  });
  return (path, effect, leaf) => confine.resolve(path, effect, { leaf });
}
