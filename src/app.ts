/** The composition root: builds every object once and hands it down. Nothing else knows all of them. */
import type { Harness } from "./agent/harness.ts";
import { type MayFork, openConversation, PROFILE } from "./compose/conversation.ts";
import { EarlySink } from "./compose/early_sink.ts";
import { type AnyFeature, lentBy } from "./compose/feature.ts";
import { journalOf } from "./compose/journal.ts";
import { Live } from "./compose/live.ts";
import { buildLoop, type Loop } from "./compose/loop.ts";
import { chooseModel, connect, ModelSlot, modelText, reachOptions } from "./compose/model.ts";
import { lateNotices, startNotices } from "./compose/notices.ts";
import { addedDirectories, checkRules, overridesOf, type RunOptions } from "./compose/options.ts";
import type { AppParts, ScreenFacts, ScreenParts } from "./compose/parts.ts";
import type { Place } from "./compose/place.ts";
import { programsOf } from "./compose/programs.ts";
import { loadPolicy, loadTrust } from "./compose/rights.ts";
import { mayHold, requireSandbox, sandboxOf } from "./compose/sandbox.ts";
import { featuresOf } from "./features/mod.ts";
import { once } from "./lib/once.ts";
import type { TurnOutcome } from "./protocol/outcome.ts";
import type { SessionRecord } from "./protocol/session.ts";
import { Http, ServerMemory } from "./provider/mod.ts";
import { personEnv } from "./sandbox/person_env.ts";
import { Processes } from "./sandbox/processes.ts";
import type { Settings } from "./settings/settings.ts";
import { loadSettings } from "./settings/store.ts";
import { PersonCommands } from "./compose/person_commands.ts";
import type { CommandHost, CommandResult } from "./terminal/commands/spec.ts";
import type { RailItem } from "./terminal/full/rail.ts";
import type { RunFacts } from "./terminal/result.ts";

export type AppOptions = {
  run: RunOptions;
  place: Place;
  isInteractive: boolean;
  /** Whether a model will be asked at all: a slash command alone needs none. */
  needsModel: boolean;
  makeScreen(facts: ScreenFacts): ScreenParts;
  /** Notices from before there is a session. */
  warn(line: string): void;
  /** Absent where there is nobody to ask. */
  mayFork?: MayFork;
};

/** What a status line says. `windowTokens` is what a request may fill, `cost` in US dollars. */
export type AppStatus = {
  model: string;
  windowTokens: number;
  protocol?: "native" | "text";
  cost?: number;
  sandbox?: string;
};

type AppWhole = {
  harness: Harness;
  host(): Promise<CommandHost>;
  features: readonly AnyFeature[];
  notices: readonly string[];
  /** Everything that has to be closed, the newest first. */
  opened: AsyncDisposableStack;
};

/** One conversation with everything around it. */
export class App {
  readonly harness: Harness;
  /** What slash commands reach; loaded when it is first asked for. */
  readonly commandHost: () => Promise<CommandHost>;
  /** What the person should know from the start. */
  readonly notices: readonly string[];
  readonly #personCommands: PersonCommands;
  readonly #parts: AppParts;
  readonly #opened: AsyncDisposableStack;
  readonly #features: readonly AnyFeature[];
  #isOpened: boolean;

  constructor(parts: AppParts, { harness, host, features, notices, opened }: AppWhole) {
    this.#parts = parts;
    this.#features = features;
    this.#opened = opened;
    this.harness = harness;
    this.notices = notices;
    this.commandHost = host;
    this.#personCommands = new PersonCommands({
      harness,
      shell: parts.programs.shell,
      outputCharsMax: () => parts.settings.current.CMD_OUTPUT_CHARS,
    });
    this.#isOpened = parts.conversation.isResumed;
  }

  settings(): Settings {
    return this.#parts.settings.current;
  }

  /** What happened in the session before this run. */
  get pastRecords(): readonly SessionRecord[] {
    return this.#parts.conversation.records;
  }

  facts(): Omit<RunFacts, "durationMs" | "usage" | "exitCode"> {
    const { conversation, model, place } = this.#parts;
    const { log } = conversation;
    return {
      session: log.uid,
      id: log.id,
      model: modelText(model.current),
      workspace: place.workspace,
      cost: (usage) => model.current.cost(usage),
    };
  }

  /** What a status line says of the conversation as it stands; what is not known is absent. */
  status(): AppStatus {
    const { model, sandbox, run } = this.#parts;
    const { current } = model;
    const cost = current.cost(this.harness.usage);
    const isTried = sandbox.opened !== undefined;
    return {
      model: modelText(current),
      windowTokens: current.windowTokens,
      ...(current.protocol === undefined ? {} : { protocol: current.protocol }),
      ...(cost === null || cost === 0 ? {} : { cost }),
      ...(run.sandbox === "off" || isTried
        ? { sandbox: sandbox.isProven ? "sandboxed" : "no sandbox" }
        : {}),
    };
  }

  /** What runs beside the conversation. */
  async alive(): Promise<readonly RailItem[]> {
    return (await Promise.all(this.#features.map(async ({ alive }) => await alive?.() ?? [])))
      .flat();
  }

  /** Run one turn with the person's text. */
  async say(text: string): Promise<TurnOutcome> {
    if (!this.#isOpened) this.#open();
    // Without a terminal it is told when a command needs it, or now where that takes no trying.
    if (!this.#parts.isInteractive && !await this.canTellLater()) await this.#parts.sandbox.ready();
    return await this.harness.say([{ type: "text", text }]);
  }

  /** Run a line that the person typed after a "!"; resolves to what they are to know of its end. */
  async shell(command: string): Promise<string> {
    if (!this.#isOpened) this.#open();
    return await this.#personCommands.run(command);
  }

  /** Run a line that starts with a slash. Never throws for what the person can mend. */
  async slash(line: string): Promise<CommandResult> {
    const [{ runCommand }, host] = await Promise.all([
      import("./terminal/commands/mod.ts"),
      this.commandHost(),
    ]);
    return await runCommand(line, host);
  }

  /** Whether a turn or a command of the person's runs. */
  get isBusy(): boolean {
    return this.harness.isRunning || this.#personCommands.isRunning;
  }

  /** Stop what runs; false when nothing does. */
  interrupt(): boolean {
    const wasBusy = this.isBusy;
    this.#personCommands.interrupt();
    this.harness.interrupt();
    return wasBusy;
  }

  /** Load what turns need and try the sandbox, while the person types. What fails is told to whoever needs it. */
  makeReady(): void {
    const { harness, commandHost } = this;
    void Promise.allSettled([harness.makeReady(), this.#parts.sandbox.ready(), commandHost()]);
  }

  /** Whether the late notices may come after the first prompt: not where it is certain that nothing holds commands. */
  async canTellLater(): Promise<boolean> {
    return await mayHold(this.#parts);
  }

  /** What the person is to know before anything is done, and what the first prompt does not wait for. */
  async lateNotices(): Promise<readonly string[]> {
    return await lateNotices(this.#parts);
  }

  /** Lines for the person at the start of a conversation in a terminal. */
  greeting(): string[] {
    const { conversation, model, place } = this.#parts;
    const { log, title, isResumed } = conversation;
    const name = title === "" ? log.id : `${log.id} (${title})`;
    const where = `harness in ${place.workspace}, ${modelText(model.current)}`;
    const session = isResumed ? `, session ${name}` : "";
    return [`${where}${session}. /help lists commands, Ctrl+C interrupts`, ...this.notices];
  }

  /** Save what is left and end everything that was started, each part whatever becomes of the others. */
  async close(): Promise<void> {
    this.harness.interrupt();
    await this.#opened.disposeAsync();
  }

  /** The opening records, written with the first turn. */
  #open(): void {
    this.#isOpened = true;
    const { conversation, model, place } = this.#parts;
    const { uid } = conversation.log;
    this.harness.emit({ type: "session", uid, cwd: place.workspace, profile: PROFILE });
    this.harness.emit({ type: "model", ...model.current.name });
  }
}

/** Build it. Throws PersonError for everything that the person can mend. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { run, place, isInteractive, warn } = options;
  checkRules(run);
  const { store, notices } = await loadSettings({
    file: place.paths.settings,
    overrides: overridesOf(run.set ?? []),
  });
  const settings = () => store.current;
  const added = await addedDirectories(run.addDir ?? [], place.stoodIn);
  await using opened = new AsyncDisposableStack();
  const http = opened.use(new Http({ env: place.env, offline: run.offline ?? false }));
  const memory = new ServerMemory();
  const readReach = () => reachOptions({ run, place, http, settings, isInteractive, warn, memory });
  const reach = await readReach();
  const conversation = await openConversation(run, { ...options, settings: store.current });
  opened.defer(() => conversation.log.close());
  const choice = await chooseModel({
    settings: store.current,
    create: reach,
    whenNone: isInteractive ? "demo" : options.needsModel ? "fail" : "go on",
    ...(run.model === undefined ? {} : { flag: run.model }),
    ...(conversation.model === undefined ? {} : { session: conversation.model }),
  });
  const trust = await loadTrust({ run, place });
  const early = new EarlySink();
  const processes = new Processes(personEnv(place.env));
  const needed = { run, place, added, trust, settings: store, processes };
  const sandbox = sandboxOf({ ...needed, isInteractive, onNotice: early.warn });
  // Closed when all that ran in it has ended.
  opened.defer(() => sandbox.close());
  opened.adopt(processes, (started) => started.close());
  const lent: { secret?: ScreenParts["secret"] } = {};
  const programs = programsOf({
    ...{ place, settings: store, processes, sandbox },
    ...(isInteractive && { askSecret: async (question) => await lent.secret?.(question) }),
  });
  opened.adopt(programs, (made) => made.close());
  await requireSandbox({ run, sandbox });
  const policy = once(() => loadPolicy({ run, place, trust, added, settings, sandbox }));
  const session = conversation.log.uid;
  const journal = journalOf({ ...needed, settings, early, session, sandbox, opened });
  const parts: AppParts = {
    run,
    place,
    settings: store,
    conversation,
    model: new ModelSlot(await connect(choice, reach, settings)),
    reach: readReach,
    policy,
    trust,
    journal,
    processes,
    sandbox,
    programs,
    http,
    added,
    isInteractive,
    automode: { isOn: run.auto ?? store.current.AUTO_ALLOW },
  };
  const told = [...notices, ...await startNotices({ ...parts, choice })];
  const live = new Live(early);
  const features = featuresOf({ ...parts, live });
  for (const feature of features) opened.defer(() => feature.close?.());
  const loop = buildLoop(parts, { features, live, makeScreen: options.makeScreen });
  const { harness, screen } = loop;
  lent.secret = screen.secret?.bind(screen);
  live.connect(loop);
  const host = hostOf(parts, loop, features);
  return new App(parts, { harness, host, features, notices: told, opened: opened.move() });
}

/** What slash commands reach, loaded with the first one that is given. */
function hostOf(
  parts: AppParts,
  loop: Loop,
  features: ReturnType<typeof featuresOf>,
): () => Promise<CommandHost> {
  return once(async () => {
    const { commandHost } = await import("./lend/mod.ts");
    return commandHost(parts, loop, lentBy(features));
  });
}
