/** The composition root: builds every object once and hands it down. Nothing else knows all of them. */
import type { Harness } from "./agent/harness.ts";
import { type Conversation, type MayFork, openConversation, PROFILE } from "./conversation.ts";
import { EarlySink } from "./early_sink.ts";
import { commandHost } from "./host.ts";
import { once } from "./lib/once.ts";
import { settlesWithin } from "./lib/within.ts";
import { buildLoop } from "./loop.ts";
import { chooseModel, connect, ModelSlot, modelText, reachOptions } from "./model.ts";
import { addedDirectories, checkRules, overridesOf, type RunOptions } from "./options.ts";
import type { Place } from "./place.ts";
import type { Policy } from "./policy/policy.ts";
import type { Trust } from "./policy/trust.ts";
import { PersonCommands } from "./person_commands.ts";
import { type Programs, programsOf } from "./programs.ts";
import type { Sink } from "./protocol/event.ts";
import type { TurnOutcome } from "./protocol/outcome.ts";
import type { Approver, Asker } from "./protocol/policy.ts";
import type { SessionRecord } from "./protocol/session.ts";
import { type CreateOptions, Http } from "./provider/mod.ts";
import { loadPolicy, loadTrust, ruleProblems } from "./rights.ts";
import type { SandboxOnDemand } from "./sandbox/mod.ts";
import { personEnv } from "./sandbox/person_env.ts";
import { Processes } from "./sandbox/processes.ts";
import { mayHold, requireSandbox, sandboxOf } from "./sandbox_start.ts";
import type { Settings } from "./settings/settings.ts";
import { journalNotices, journalOf } from "./journal_start.ts";
import { loadSettings, type SettingsStore } from "./settings/store.ts";
import type { CommandHost } from "./terminal/commands/spec.ts";
import type { StreamHeader } from "./terminal/json_sink.ts";
import type { RunFacts } from "./terminal/result.ts";
import type { EditJournal } from "./workspace/journal.ts";

/** What a screen is told before the first event. */
export type ScreenFacts = { header(): StreamHeader };

/** What whoever watches brings: answers and eyes. */
export type ScreenParts = {
  approver: Approver;
  asker: Asker;
  /** Takes a secret that is not shown; absent where nobody can type one. */
  secret?(text: string): Promise<string | undefined>;
  /** Puts a text on the person's clipboard; false where it is too long. Absent where there is none. */
  copy?(text: string): boolean;
  /** Opens the transcript in a viewer; absent where there is none. */
  openTranscript?(): void;
  sinks: readonly Sink[];
};

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

/** Everything that was built, for one conversation. */
export type AppParts = {
  run: RunOptions;
  place: Place;
  settings: SettingsStore;
  conversation: Conversation;
  model: ModelSlot;
  /** What providers are made with; read anew where saved keys may have changed. */
  reach(): Promise<CreateOptions>;
  /** The rules, read when they are first needed. */
  policy(): Promise<Policy>;
  trust: Trust;
  /** The record of edits, opened when it is first needed. */
  journal(): Promise<EditJournal>;
  processes: Processes;
  sandbox: SandboxOnDemand;
  programs: Programs;
  http: Http;
  /** Real paths of `--add-dir`. */
  added: readonly string[];
  isInteractive: boolean;
  automode: { isOn: boolean };
  /** Whether nothing may be changed. */
  planmode: { isOn: boolean };
  notices: readonly string[];
};

/** What a status line says. `windowTokens` is what a request may fill, `cost` in US dollars. */
export type AppStatus = {
  model: string;
  windowTokens: number;
  protocol?: "native" | "text";
  cost?: number;
  sandbox?: string;
};

/** What the program waits for an unfinished sweep when it ends. */
const SWEEP_WAIT_MS = 500;

type AppWhole = {
  harness: Harness;
  host: CommandHost;
  /** Everything that has to be closed, the newest first. */
  opened: AsyncDisposableStack;
};

/** One conversation with everything around it. */
export class App {
  readonly harness: Harness;
  readonly commandHost: CommandHost;
  readonly #personCommands: PersonCommands;
  readonly #parts: AppParts;
  readonly #opened: AsyncDisposableStack;
  #isOpened: boolean;
  #sweep: Promise<void> | undefined;

  constructor(parts: AppParts, { harness, host, opened }: AppWhole) {
    this.#parts = parts;
    this.#opened = opened;
    this.harness = harness;
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

  /** What the person should know from the start. */
  get notices(): readonly string[] {
    return this.#parts.notices;
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

  /** Commands with a handle that have not ended: what each is called, and its command line. */
  async running(): Promise<readonly { session: string; command: string }[]> {
    const sessions = await this.#parts.programs.shell.list();
    return sessions.filter(({ state }) => state !== "ended")
      .map(({ session, command }) => ({ session, command }));
  }

  /** Run one turn with the person's text. */
  async say(text: string): Promise<TurnOutcome> {
    if (!this.#isOpened) this.#open();
    this.#sweep ??= this.#sweepUndo();
    // Without a terminal it is told when a command needs it, or now where that takes no trying.
    if (!this.#parts.isInteractive && !await this.canTellLater()) await this.#parts.sandbox.ready();
    return await this.harness.say([{ type: "text", text }]);
  }

  /** Run a line that the person typed after a "!"; resolves to what they are to know of its end. */
  async shell(command: string): Promise<string> {
    if (!this.#isOpened) this.#open();
    return await this.#personCommands.run(command);
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

  async #sweepUndo(): Promise<void> {
    const { place, settings } = this.#parts;
    const { sweepDaily, undoLimits } = await import("./sweep_undo.ts");
    await sweepDaily(place.paths.home, {
      limits: undoLimits(settings.current),
      now: new Date(),
      onProblem: (text) => this.harness.emit({ type: "notice", level: "warn", text }),
    });
  }

  /** Load what turns need and try the sandbox, while the person types. What fails is told to whoever needs it. */
  makeReady(): void {
    void Promise.allSettled([this.harness.makeReady(), this.#parts.sandbox.ready()]);
  }

  /** Whether the late notices may come after the first prompt: not where it is certain that nothing holds commands. */
  async canTellLater(): Promise<boolean> {
    return await mayHold(this.#parts);
  }

  /** What the person is to know before anything is done, and what the first prompt does not wait for. */
  async lateNotices(): Promise<readonly string[]> {
    const unheld = await this.sandboxNotice();
    return [...await journalNotices(this.#parts), ...(unheld === undefined ? [] : [unheld])];
  }

  /** What the person is told where nothing holds commands; undefined where something does. Tries it now. */
  async sandboxNotice(): Promise<string | undefined> {
    return (await this.#parts.sandbox.ready()).notice;
  }

  /** Lines for the person at the start of a conversation in a terminal. */
  greeting(): string[] {
    const { conversation, model, place, notices } = this.#parts;
    const { log, title, isResumed } = conversation;
    const name = title === "" ? log.id : `${log.id} (${title})`;
    const where = `harness in ${place.workspace}, ${modelText(model.current)}`;
    const session = isResumed ? `, session ${name}` : "";
    return [`${where}${session}. /help lists commands, Ctrl+C interrupts`, ...notices];
  }

  /** Save what is left and end everything that was started, each part whatever becomes of the others. */
  async close(): Promise<void> {
    this.harness.interrupt();
    // A sweep that is cut off goes on tomorrow; nobody waits for it.
    if (this.#sweep !== undefined) await settlesWithin(this.#sweep, SWEEP_WAIT_MS);
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
  const readReach = () => reachOptions({ run, place, http, settings, isInteractive, warn });
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
  const journal = journalOf({ place, settings, early, session, opened });
  const needs = { run, place, policy, journal, isInteractive, settings: store };
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
    ...modesOf(run, store.current),
    notices: [...notices, ...await startNotices({ conversation, trust, choice, ...needs })],
  };
  const { harness, check, screen } = buildLoop(parts, options.makeScreen);
  lent.secret = screen.secret?.bind(screen);
  early.connect(harness.emit);
  const host = commandHost(parts, { harness, check, screen });
  return new App(parts, { harness, host, opened: opened.move() });
}

/** The modes that a conversation begins in. */
function modesOf(run: RunOptions, settings: Settings): Pick<AppParts, "automode" | "planmode"> {
  return {
    automode: { isOn: run.auto ?? settings.AUTO_ALLOW },
    planmode: { isOn: run.plan ?? settings.PLANMODE },
  };
}

/** What the person should know from the start, besides what the settings say. */
async function startNotices({ conversation, trust, choice, ...needs }: {
  conversation: Conversation;
  trust: Trust;
  journal: AppParts["journal"];
  isInteractive: boolean;
  choice: { notes: readonly string[] };
  run: RunOptions;
  place: Place;
  policy: AppParts["policy"];
  settings: SettingsStore;
}): Promise<readonly string[]> {
  return [
    ...conversation.notices,
    ...(trust.problem === undefined ? [] : [trust.problem]),
    // In a terminal it is one of the late notices.
    ...(needs.isInteractive ? [] : await journalNotices(needs)),
    ...await ruleProblems(needs),
    ...choice.notes,
  ];
}
