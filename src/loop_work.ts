/** What turns work with: tools, guards, paths, and requests that fit the model. */
import { ContextFit } from "./agent/context.ts";
import type { DispatchParts } from "./agent/dispatch.ts";
import { guardList, offeredReaches } from "./agent/guards/mod.ts";
import { readOnly } from "./agent/guards/read_only.ts";
import { deniedReading, mayReadBy } from "./agent/may_read.ts";
import { systemPrompt } from "./agent/prompt.ts";
import type { AppParts } from "./app.ts";
import type { Conversation } from "./conversation.ts";
import type { Policy } from "./policy/policy.ts";
import type { Guard } from "./protocol/policy.ts";
import type { ToolSpec } from "./protocol/tool.ts";
import { allTools } from "./tools/mod.ts";
import { definition } from "./tools/spec.ts";
import { Confine } from "./workspace/confine.ts";
import type { EditJournal } from "./workspace/journal.ts";
import { viewBoundsOf } from "./workspace/file_view.ts";
import { FileWork } from "./workspace/file_work.ts";
import { Git } from "./workspace/git.ts";
import { Search } from "./workspace/search.ts";
import { Readings } from "./workspace/readings.ts";

type WorkParts = Omit<AppParts, "policy" | "journal"> & { policy: Policy; journal: EditJournal };

/** See DispatchParts. */
export type LoopWork = {
  tools: readonly ToolSpec[];
  guards: readonly Guard[];
  resolvePath: DispatchParts["resolvePath"];
  reachesOf: DispatchParts["reachesOf"];
  fit: ContextFit;
};

/** Build it. */
export async function loopWork(appParts: AppParts): Promise<LoopWork> {
  const [policy, journal] = await Promise.all([appParts.policy(), appParts.journal()]);
  const parts = { ...appParts, policy, journal };
  const tools = toolsOf(parts);
  return {
    tools,
    guards: guardsOf(parts, tools),
    resolvePath: resolverOf(parts),
    reachesOf: (call) => offeredReaches(call, parts.policy),
    fit: fitOf(parts, tools),
  };
}

function toolsOf(
  { journal, processes, programs, place, conversation, settings, policy }: WorkParts,
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
    files: new FileWork({
      journal,
      readings,
      viewBounds: () => viewBoundsOf(settings.current),
      mayShow: mayRead,
    }),
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
  { policy, automode, planmode, run, sandbox, settings }: WorkParts,
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
    first: [readOnly(() => planmode.isOn)],
  });
}

function resolverOf({ place, added }: WorkParts): DispatchParts["resolvePath"] {
  const home = place.env["HOME"];
  const confine = new Confine({
    workspace: place.workspace,
    added,
    forbidden: [place.paths.home],
    ...(home === undefined ? {} : { home }),
  });
  return (path, effect, leaf) => confine.resolve(path, effect, { leaf });
}

function fitOf({ place, model }: WorkParts, tools: readonly ToolSpec[]): ContextFit {
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
