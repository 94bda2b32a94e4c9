/** The composition root: builds every object once and hands it down. Nothing else knows all of them. */
import { resolve } from "node:path";
import { ContextFit } from "./agent/context.ts";
import { guardList, offeredReaches } from "./agent/guards/mod.ts";
import { readOnly } from "./agent/guards/read_only.ts";
import type { DispatchParts } from "./agent/dispatch.ts";
import { Harness } from "./agent/harness.ts";
import { systemPrompt } from "./agent/prompt.ts";
import { type Conversation, openConversation } from "./conversation.ts";
import { commandHost } from "./host.ts";
import { chooseModel, ConnectedModel, modelText } from "./model.ts";
import type { RunOptions } from "./options.ts";
import type { Place } from "./place.ts";
import type { CheckParts } from "./policy_check.ts";
import { Policy } from "./policy/policy.ts";
import { Trust } from "./policy/trust.ts";
import { PersonError } from "./protocol/error.ts";
import type { Event, Sink } from "./protocol/event.ts";
import type { Approver, Asker } from "./protocol/policy.ts";
import type { Provider } from "./protocol/provider.ts";
import {
  type CreateOptions,
  createProvider,
  findProvider,
  Http,
  ServerMemory,
} from "./provider/mod.ts";
import { readSavedProviders } from "./provider/saved_providers.ts";
import { personEnv } from "./sandbox/person_env.ts";
import { Processes } from "./sandbox/processes.ts";
import type { Settings } from "./settings/settings.ts";
import { loadSettings, type SettingsStore } from "./settings/store.ts";
import type { CommandHost } from "./terminal/commands/spec.ts";
import type { StreamHeader } from "./terminal/json_sink.ts";
import { goOnQuestion } from "./terminal/plain.ts";
import type { Outcome, RunFacts } from "./terminal/result.ts";
import { definition } from "./tools/spec.ts";
import { allTools } from "./tools/mod.ts";
import { Confine } from "./workspace/confine.ts";
import { FileWork } from "./workspace/file_work.ts";
import { Git } from "./workspace/git.ts";
import { EditJournal } from "./workspace/journal.ts";
import { Readings } from "./workspace/readings.ts";

/** What a screen is told before the first event. */
export type ScreenFacts = { settings(): Settings; header(): StreamHeader };

/** What whoever watches brings: answers and eyes. */
export type ScreenParts = { approver: Approver; asker: Asker; sinks: readonly Sink[] };

export type AppOptions = {
  run: RunOptions;
  place: Place;
  isInteractive: boolean;
  makeScreen(facts: ScreenFacts): ScreenParts;
  /** Notices from before there is a session. */
  warn(line: string): void;
};

/** Everything built, for one conversation. */
export class App {
  readonly harness: Harness;
  readonly commandHost: CommandHost;
  readonly #parts: AppParts;
  #isTitled: boolean;

  constructor(parts: AppParts, harness: Harness, host: CommandHost) {
    this.#parts = parts;
    this.harness = harness;
    this.commandHost = host;
    this.#isTitled = parts.conversation.isResumed;
  }

  settings(): Settings {
    return this.#parts.settings.current;
  }

  facts(): Omit<RunFacts, "durationMs" | "usage" | "exitCode"> {
    const { conversation, model, place } = this.#parts;
    const { log } = conversation;
    return {
      session: log.uid,
      id: log.id,
      model: modelText(model),
      workspace: place.workspace,
    };
  }

  /** What the person should know from the start. */
  get notices(): readonly string[] {
    return this.#parts.notices;
  }

  /** Run one turn with the person's text. */
  async say(text: string): Promise<Outcome> {
    if (!this.#isTitled) this.#begin();
    await this.#parts.model.prepare(AbortSignal.timeout(PREPARE_MS));
    return await this.harness.say([{ type: "text", text }]);
  }

  /** Lines for the person at the start of a conversation in a terminal. */
  greeting(): string[] {
    const { conversation, model, place, notices } = this.#parts;
    const { log, title, isResumed } = conversation;
    const session = isResumed ? `, session ${log.id}${title === "" ? "" : ` (${title})`}` : "";
    return [
      `harness in ${place.workspace}, ${
        modelText(model)
      }${session}. /help lists commands, Ctrl+C interrupts`,
      ...notices,
    ];
  }

  /** Save what is left and end everything that was started. */
  async close(): Promise<void> {
    const { processes, journal, conversation, http } = this.#parts;
    this.harness.interrupt();
    await processes.close();
    journal.close();
    http[Symbol.dispose]();
    await conversation.log.close();
  }

  /** The opening records, written with the first turn. */
  #begin(): void {
    this.#isTitled = true;
    const { conversation, model, place } = this.#parts;
    this.harness.emit({
      type: "session",
      uid: conversation.log.uid,
      cwd: place.workspace,
      profile: "coder",
    });
    this.harness.emit({ type: "model", ...model.name });
  }
}

/** How long the server may take to say what it knows of a model. */
const PREPARE_MS = 2_500;

export type AppParts = {
  run: RunOptions;
  place: Place;
  settings: SettingsStore;
  conversation: Conversation;
  model: ConnectedModel;
  policy: Policy;
  trust: Trust;
  journal: EditJournal;
  processes: Processes;
  http: Http;
  isInteractive: boolean;
  automode: { isOn: boolean };
  notices: readonly string[];
};

/** Build it. Throws PersonError for everything that the person can mend. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { run, place, isInteractive } = options;
  const { store, notices: settingsNotices } = await loadSettings({
    file: place.paths.settings,
    overrides: overridesOf(run.set ?? []),
  });
  const settings = () => store.current;
  const http = new Http({ env: place.env, offline: run.offline ?? false });
  const create = await createOptions(options, store, http);
  const conversation = await openConversation(run, { place, settings: store.current });
  const choice = await chooseModel({
    settings: store.current,
    create,
    isInteractive,
    ...(run.model === undefined ? {} : { flag: run.model }),
    ...(conversation.model === undefined ? {} : { session: conversation.model }),
  });
  const model = await connect(choice, create, settings);
  const trust = await Trust.load(place.paths.trust);
  if (run.trust === true) trust.trustForRun();
  const added = await addedDirectories(run, place);
  const policy = await loadPolicy({ run, place, trust, added, settings });
  const processes = new Processes(personEnv(place.env));
  const emitter = new LateSink();
  const journal = await openJournal(place, { session: conversation.log.uid, store, emitter });
  const parts: AppParts = {
    run,
    place,
    settings: store,
    conversation,
    model,
    policy,
    trust,
    journal,
    processes,
    http,
    isInteractive,
    automode: { isOn: run.auto ?? store.current.AUTO_ALLOW },
    notices: [
      ...settingsNotices,
      ...conversation.notices,
      ...(trust.problem === undefined ? [] : [trust.problem]),
      ...policy.problems,
      ...choice.notes,
    ],
  };
  const { harness, check } = buildHarness(parts, { options, added });
  emitter.connect(harness.emit);
  return new App(parts, harness, commandHost(parts, { harness, check }));
}

/** Takes events before the harness exists to take them; nothing is lost, since nothing happens before it does. */
class LateSink {
  #sink: Sink | undefined;

  connect(sink: Sink): void {
    this.#sink = sink;
  }

  readonly emit = (event: Event): void => this.#sink?.(event);
}

function buildHarness(
  parts: AppParts,
  { options, added }: { options: AppOptions; added: readonly string[] },
): { harness: Harness; check: CheckParts } {
  const { place, settings, conversation, model, policy, journal, processes } = parts;
  const { workspace, paths, env } = place;
  const home = env["HOME"];
  const confine = new Confine({
    workspace,
    added,
    forbidden: [paths.home],
    ...(home === undefined ? {} : { home }),
  });
  const readings = new Readings();
  readings.replay(pastResults(conversation));
  const tools = allTools({
    files: new FileWork({ journal, readings }),
    git: new Git(processes, { workspace }),
  });
  const definitions = tools.map(definition);
  const system = systemPrompt({
    os: Deno.build.os,
    workspace,
    tools: tools.map(({ name }) => name),
  });
  const fit = new ContextFit(() => ({
    model: model.name.model,
    system,
    tools: definitions,
    windowTokens: model.windowTokens,
    outputTokensMax: model.outputTokensMax,
    hints: model.hints,
  }));
  const screen = options.makeScreen({
    settings: () => settings.current,
    header: () => ({
      session: conversation.log.uid,
      id: conversation.log.id,
      model: modelText(model),
      cwd: workspace,
    }),
  });
  const learn: Sink = (event) => {
    if (event.type === "usage" && event.purpose === "turn") fit.learn(event.usage);
  };
  const guards = guardList({
    policy,
    isAuto: () => parts.automode.isOn,
    isSandboxed: () => false,
    isSandboxOff: () => parts.run.sandbox === "off",
    first: [readOnly(() => parts.run.plan === true)],
  });
  const resolvePath: DispatchParts["resolvePath"] = (path, effect, leaf) =>
    confine.resolve(path, effect, { leaf });
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
    provider: () => providerOf(model),
    fit: fit.fit,
    mayGoOn: goOn(parts, screen.asker),
    keepsThinking: () => settings.current.STORE_THINKING,
  });
  const check = {
    tools,
    guards,
    resolvePath: (path: string, effect: "reads" | "changes") => resolvePath(path, effect, "follow"),
  };
  return { harness, check };
}

/** The model's provider in the protocol that it speaks. */
function providerOf(model: ConnectedModel): Provider {
  return model.provider;
}

/** After many calls: a question in a terminal, an end without one. */
function goOn(
  parts: AppParts,
  asker: Asker,
): (count: number, signal: AbortSignal) => Promise<boolean> {
  let askAt = 0;
  return async (count, signal) => {
    const { MAX_TOOL_CALLS, HEADLESS_MAX_TOOL_CALLS } = parts.settings.current;
    if (!parts.isInteractive) {
      return HEADLESS_MAX_TOOL_CALLS === 0 || count < HEADLESS_MAX_TOOL_CALLS;
    }
    if (count === 0) askAt = MAX_TOOL_CALLS;
    if (MAX_TOOL_CALLS === 0 || count < askAt) return true;
    askAt = count + MAX_TOOL_CALLS;
    const answers = await asker([goOnQuestion(count)], signal);
    return answers?.[0] === "yes" || answers?.[0] === "y";
  };
}

function* pastResults({ past }: Conversation) {
  for (const event of past) {
    if (event.type === "message" && event.message.role === "tool") yield event.message.result;
  }
}

async function createOptions(
  { run, place, isInteractive, warn }: AppOptions,
  store: SettingsStore,
  http: Http,
): Promise<CreateOptions> {
  const { saved, damaged } = await readSavedProviders(place.paths.providers);
  if (damaged !== undefined) warn(`Saved keys are not used: ${place.paths.providers} ${damaged}`);
  const { FIRST_TOKEN_TIMEOUT, STREAM_IDLE_TIMEOUT, NUM_CTX } = store.current;
  return {
    env: place.env,
    http,
    memory: new ServerMemory(),
    saved,
    savedIn: place.paths.providers,
    limits: { firstTokenMs: FIRST_TOKEN_TIMEOUT * 1000, idleMs: STREAM_IDLE_TIMEOUT * 1000 },
    settings: { numCtx: NUM_CTX, demoPaceMs: isInteractive ? 12 : 0 },
    ...(run.baseUrl === undefined ? {} : { baseUrl: run.baseUrl }),
  };
}

async function connect(
  { provider, model }: { provider: string; model: string },
  create: CreateOptions,
  settings: () => Settings,
): Promise<ConnectedModel> {
  const declaration = findProvider(provider);
  if (declaration === undefined) throw new Error(`The provider "${provider}" went away`);
  return new ConnectedModel(
    { provider, model },
    await createProvider(declaration, create),
    settings,
  );
}

function loadPolicy({ run, place, trust, added, settings }: {
  run: RunOptions;
  place: Place;
  trust: Trust;
  added: readonly string[];
  settings: () => Settings;
}): Promise<Policy> {
  const home = place.env["HOME"];
  return Policy.load({
    personalFile: place.paths.permissions,
    project: place.workspace,
    trust,
    place: () => ({ workspace: place.workspace, added, ...(home === undefined ? {} : { home }) }),
    isEnabled: () => settings().PERMISSIONS_ENABLED,
    flags: { allow: run.allow ?? [], deny: run.deny ?? [] },
  });
}

function openJournal(
  place: Place,
  { session, store, emitter }: { session: string; store: SettingsStore; emitter: LateSink },
): Promise<EditJournal> {
  return EditJournal.open({
    stateDir: place.paths.home,
    workspace: place.workspace,
    session,
    onEdit: (edit) => emitter.emit({ type: "edit", ...edit }),
    onNotice: (text) => emitter.emit({ type: "notice", level: "warn", text }),
  });
}

async function addedDirectories(run: RunOptions, place: Place): Promise<string[]> {
  const added: string[] = [];
  for (const dir of run.addDir ?? []) {
    try {
      const real = await Deno.realPath(resolve(place.stoodIn, dir));
      if (!(await Deno.stat(real)).isDirectory) throw new Deno.errors.NotADirectory();
      added.push(real);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new PersonError(
        "usage",
        `--add-dir "${dir}" is not a directory`,
        "Name one that exists",
      );
    }
  }
  return added;
}

/** `NAME=VALUE` texts as a table. */
function overridesOf(texts: readonly string[]): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at <= 0) {
      throw new PersonError("usage", `--set "${text}" has no value`, "Write --set NAME=VALUE");
    }
    overrides[text.slice(0, at)] = text.slice(at + 1);
  }
  return overrides;
}
