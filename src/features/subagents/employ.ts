/** One sub-agent: its model, its log beside the session's, and the rules of the profile that it is hired as. */
import { afterCommits } from "@/compose/after_commits.ts";
import { agentPrompt } from "@/agent/prompt.ts";
import { type EventLog, Harness, type TurnWork } from "@/agent/harness.ts";
import {
  Budget,
  offeredTools,
  runAgent,
  type Withheld,
  withheldAt,
  withheldGuard,
} from "@/agent/subagent.ts";
import { compactorOf } from "@/compose/compactor.ts";
import { anotherModel } from "@/compose/another_model.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import { fitOf } from "@/compose/fit.ts";
import { clipEnd } from "@/lib/clip.ts";
import { describe } from "@/lib/describe.ts";
import { join } from "@/lib/path.ts";
import type { Event, Sink } from "@/protocol/event.ts";
import type { Approver } from "@/protocol/policy.ts";
import type { Brief, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { SessionLog } from "@/session/log.ts";
import { limitOf } from "@/settings/settings.ts";
import type { AgentState } from "./agents.ts";

/** What one is hired with. */
export type Employment = {
  brief: Brief;
  signal: AbortSignal;
  state: AgentState;
  /** 1 is an agent that the conversation itself has hired. */
  depth: number;
  hire(brief: Brief, signal: AbortSignal): Promise<ToolResult>;
};

const TASK_CHARS_SHOWN = 60;

/** What belongs to one agent alone. */
type Own = {
  budget: Budget;
  withheld: Withheld;
  log: SessionLog;
  model: Awaited<ReturnType<typeof anotherModel>>;
};

/** Let it work to its report. Rejects where its model cannot be reached at all. */
export async function employ(parts: FeatureParts, employment: Employment): Promise<ToolResult> {
  const { brief, depth, signal, state } = employment;
  const { settings, place, conversation, profile } = parts;
  state.doing = "beginning";
  const budget = new Budget(limitOf(settings.current.SUBAGENT_MAX_TURNS));
  const model = brief.model === undefined
    ? parts.model.current
    : await anotherModel(brief.model, parts);
  const log = SessionLog.create(join(place.paths.sessions, `${conversation.log.uid}.agents`), {
    isRecording: () => settings.current.SAVE_CHAT_HISTORY,
  });
  const withheld = withheldAt(depth, settings.current.SUBAGENT_MAX_DEPTH);
  const harness = harnessOf(parts, { ...employment, budget, withheld, log, model });
  try {
    const { name } = profile.agents ?? profile;
    harness.emit({ type: "session", uid: log.uid, cwd: place.workspace, profile: name });
    harness.emit({ type: "model", ...model.name });
    const result = await runAgent(harness, { brief, budget, signal });
    const { path } = log;
    return path === undefined ? result : { ...result, meta: { ...result.meta, log: path } };
  } finally {
    await close(log, parts.live.emit);
  }
}

/** A log that cannot be written is no reason to lose the report. */
async function close(log: SessionLog, emit: Sink): Promise<void> {
  try {
    await log.close();
  } catch (error) {
    emit({
      type: "notice",
      level: "warn",
      text: `A sub-agent's log is incomplete: ${describe(error)}`,
    });
  }
}

function harnessOf(parts: FeatureParts, own: Employment & Own): Harness {
  const { live, settings } = parts;
  const { budget, model, state } = own;
  let learn: Sink = () => {};
  const events: EventLog = own.log;
  const harness: Harness = new Harness({
    log: events,
    past: [],
    // Its calls belong to the turn that hired it: what it changes is undone with that turn.
    firstTurn: live.harness.turn,
    sinks: [
      (event) => learn(event),
      (event) => tell(event, { state, budget }),
      (event) => {
        if (event.type !== "usage" || event.purpose === "subagent") return;
        live.emit({ ...event, ...model.name, purpose: "subagent" });
      },
    ],
    work: async () => {
      const { work, learnFrom } = await workOf(parts, { ...own, harness: () => harness });
      learn = learnFrom;
      return work;
    },
    prepare: (signal) => model.prepare(signal),
    provider: () => model.provider,
    mayGoOn: (count, signal) => goOn(parts, { budget, count, signal }),
    mayRun: () => !budget.isReporting,
    keepsThinking: () => settings.current.STORE_THINKING,
  });
  return harness;
}

/** Its own budget, and whatever else bounds what the person spends. */
async function goOn(
  { live }: FeatureParts,
  { budget, count, signal }: { budget: Budget; count: number; signal: AbortSignal },
): Promise<boolean> {
  const { features } = await live.work();
  return await features.mayGoOn(count, signal) && budget.mayGoOn();
}

async function workOf(
  { live, place, profile, committed }: FeatureParts,
  { brief, budget, withheld, log, model, state, hire, harness }:
    & Employment
    & Own
    & { harness(): Harness },
): Promise<{ work: TurnWork; learnFrom: Sink }> {
  const { beside, features } = await live.work();
  const { dispatch } = beside;
  const tools = beside.tools();
  const waiting = afterCommits(committed);
  const offered = keptFor((all) => offeredTools(all, { withheld, budget }));
  const context = fitOf({
    place,
    model: () => model,
    tools: () => offered(tools(), budget.isReporting),
    prompt: (facts) => [agentPrompt(facts), ...beside.prompt()],
    cacheKey: log.uid,
  });
  const compactor = compactorOf({
    context,
    harness,
    model: () => model,
    mayAsk: (signal) => features.mayGoOn(0, signal),
  });
  const learnFrom: Sink = (event) => {
    compactor.sink(event);
    if (event.type === "usage" && event.purpose === "turn") context.learn(event.usage);
  };
  const work: TurnWork = {
    dispatch: {
      ...dispatch,
      tools: () => waiting(tools()),
      guards: [withheldGuard(withheld), ...dispatch.guards],
      approver: inItsName(dispatch.approver, { brief, state }),
      hire,
    },
    // What it changes is looked at when it happens.
    hooks: [
      ...features.hooksBeside({
        uid: log.uid,
        profile: (profile.agents ?? profile).name,
        path: () => log.path,
        messages: () => harness().messages(),
      }),
      compactor.hook,
    ],
    fit: context.fit,
  };
  return { work, learnFrom };
}

/** The same list as long as what it is made of is: what is made of lists of tools is kept by them. */
function keptFor(
  make: (tools: readonly ToolSpec[]) => readonly ToolSpec[],
): (tools: readonly ToolSpec[], isReporting: boolean) => readonly ToolSpec[] {
  let last:
    | { tools: readonly ToolSpec[]; isReporting: boolean; made: readonly ToolSpec[] }
    | undefined;
  return (tools, isReporting) => {
    if (last?.tools !== tools || last.isReporting !== isReporting) {
      last = { tools, isReporting, made: make(tools) };
    }
    return last.made;
  };
}

/** The person is told who asks. */
function inItsName(
  approver: Approver,
  { brief, state }: Pick<Employment, "brief" | "state">,
): Approver {
  const who = `sub-agent ${state.number} ("${
    clipEnd(brief.task.replace(/\s+/g, " "), TASK_CHARS_SHOWN)
  }") asks`;
  return async (call, reason, reaches, signal) => {
    state.isAsking = true;
    try {
      return await approver(call, `${who}; ${reason}`, reaches, signal);
    } finally {
      state.isAsking = false;
    }
  };
}

function tell(event: Event, { state, budget }: { state: AgentState; budget: Budget }): void {
  const at = `${budget.spent}/${budget.max}`;
  if (event.type === "retry") state.doing = `${at}, trying again: ${event.reason}`;
  else if (event.type === "tool_start") state.doing = `${at}, ${event.summary}`;
  else if (event.type === "tool_end" || event.type === "turn_start") {
    state.doing = `${at}, thinking`;
  }
}
