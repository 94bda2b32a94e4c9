/** Puts the loop together: tools, guards, context and screen around one harness. */
import { ContextFit } from "./agent/context.ts";
import type { DispatchParts } from "./agent/dispatch.ts";
import { guardList, offeredReaches } from "./agent/guards/mod.ts";
import { readOnly } from "./agent/guards/read_only.ts";
import { Harness } from "./agent/harness.ts";
import { deniedReading, mayReadBy } from "./agent/may_read.ts";
import { systemPrompt } from "./agent/prompt.ts";
import type { AppParts, ScreenFacts, ScreenParts } from "./app.ts";
import type { Conversation } from "./conversation.ts";
import { modelText } from "./model.ts";
import type { CheckParts } from "./policy_check.ts";
import type { Sink } from "./protocol/event.ts";
import type { Asker, Guard } from "./protocol/policy.ts";
import type { ToolSpec } from "./protocol/tool.ts";
import type { Settings } from "./settings/settings.ts";
import { allTools } from "./tools/mod.ts";
import { definition } from "./tools/spec.ts";
import { Confine } from "./workspace/confine.ts";
import { viewBoundsOf } from "./workspace/file_view.ts";
import { FileWork } from "./workspace/file_work.ts";
import { Git } from "./workspace/git.ts";
import { Search } from "./workspace/search.ts";
import { Readings } from "./workspace/readings.ts";

/** Build the harness, and what `policy check` needs to ask the same guards. */
export function buildLoop(
  parts: AppParts,
  makeScreen: (facts: ScreenFacts) => ScreenParts,
): { harness: Harness; check: CheckParts; screen: ScreenParts } {
  const { place, settings, conversation, model, policy } = parts;
  const { workspace } = place;
  const tools = toolsOf(parts);
  const guards = guardsOf(parts, tools);
  const resolvePath = resolverOf(parts);
  const fit = fitOf(parts, tools);
  const screen = makeScreen({
    settings: () => settings.current,
    header: () => {
      const { uid, id } = conversation.log;
      return { session: uid, id, model: modelText(model.current), cwd: workspace };
    },
  });
  const learn: Sink = (event) => {
    if (event.type === "usage" && event.purpose === "turn") fit.learn(event.usage);
  };
  const harness = new Harness({
    log: conversation.log,
    past: conversation.past,
    sinks: [learn, ...screen.sinks],
    hooks: [],
    dispatch: {
      tools,
      guards,
      approver: screen.approver,
      asker: screen.asker,
      workspace,
      resolvePath,
      reachesOf: (call) => offeredReaches(call, policy),
      remember: (approval) => policy.remember(approval),
      hire: () => Promise.reject(new Error("This version has no sub-agents")),
      value: (key) => key === "cwd" ? workspace : undefined,
      now: () => performance.now(),
    },
    prepare: (signal) => model.current.prepare(signal),
    provider: () => model.current.provider,
    fit: fit.fit,
    mayGoOn: goOn(parts, screen.asker),
    keepsThinking: () => settings.current.STORE_THINKING,
  });
  return { harness, check: { tools, guards, resolvePath }, screen };
}

function toolsOf(
  { journal, processes, programs, place, conversation, settings, policy }: AppParts,
): readonly ToolSpec[] {
  const { workspace } = place;
  const readings = new Readings();
  readings.replay(pastResults(conversation));
  const mayRead = mayReadBy({
    denied: (call) => policy.denied(call),
    tools: () => tools,
    forbidden: [place.paths.home],
  });
  const tools = allTools({
    files: new FileWork({ journal, readings, viewBounds: () => viewBoundsOf(settings.current) }),
    git: new Git(processes, { workspace, mayRead }),
    search: new Search({ processes, workspace, mayRead }),
    processes,
    commands: {
      shell: programs.shell,
      outputCharsMax: () => settings.current.CMD_OUTPUT_CHARS,
    },
    python: { vm: programs.vm, outputCharsMax: () => settings.current.VM_OUTPUT_CHARS },
  });
  return tools;
}

/** The results of a reopened session: what they showed of files still counts. */
function* pastResults({ past }: Conversation) {
  for (const event of past) {
    if (event.type === "message" && event.message.role === "tool") yield event.message.result;
  }
}

function guardsOf(
  { policy, automode, run, sandbox, settings }: AppParts,
  tools: readonly ToolSpec[],
): readonly Guard[] {
  return guardList({
    policy,
    deniesReading: deniedReading({ denied: (call) => policy.denied(call), tools: () => tools }),
    isAuto: () => automode.isOn,
    sandboxReady: () => sandbox.ready(),
    isSandboxed: () => sandbox.isProven,
    sandboxProblem: () => sandbox.opened?.problem,
    asksInside: () => !settings.current.SANDBOX_ALLOW,
    isSandboxOff: () => run.sandbox === "off",
    first: [readOnly(() => run.plan === true)],
  });
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

function fitOf({ place, model }: AppParts, tools: readonly ToolSpec[]): ContextFit {
  const definitions = tools.map(definition);
  const names = tools.map(({ name }) => name);
  const system = systemPrompt({ os: Deno.build.os, workspace: place.workspace, tools: names });
  return new ContextFit(() => ({
    model: model.current.name.model,
    system,
    tools: definitions,
    windowTokens: model.current.windowTokens,
    outputTokensMax: model.current.outputTokensMax,
    hints: model.current.hints,
  }));
}

/** After many calls: a question in a terminal, an end without one. */
export function goOn(
  { settings, isInteractive }: { settings: { current: Settings }; isInteractive: boolean },
  asker: Asker,
): (count: number, signal: AbortSignal) => Promise<boolean> {
  let askAt = 0;
  return async (count, signal) => {
    const { MAX_TOOL_CALLS, HEADLESS_MAX_TOOL_CALLS } = settings.current;
    if (!isInteractive) return HEADLESS_MAX_TOOL_CALLS === 0 || count < HEADLESS_MAX_TOOL_CALLS;
    if (count === 0) askAt = MAX_TOOL_CALLS;
    if (MAX_TOOL_CALLS === 0 || count < askAt) return true;
    askAt = count + MAX_TOOL_CALLS;
    const text = `${count} tool calls were made in this turn. Go on?`;
    const answers = await asker([{ text, options: ["yes", "no"], freeText: false }], signal);
    return answers?.[0] === "yes" || answers?.[0] === "y";
  };
}
