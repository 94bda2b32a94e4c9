/** The composition root: builds every object once and hands it down. Nothing else knows all of them. */
import type { Harness } from "./agent/harness.ts";
import { type Conversation, type MayFork, openConversation } from "./compose/conversation.ts";
import { loadProfile } from "./compose/profile.ts";
import { type AnyFeature, type Ending, lentBy } from "./compose/feature.ts";
import { type Ground, openGround } from "./compose/ground.ts";
import { editsOf } from "./compose/edits_on_demand.ts";
import { Live } from "./compose/live.ts";
import { buildLoop, type Loop } from "./compose/loop.ts";
import { connect, modelText } from "./compose/model.ts";
import { lateNotices, startNotices } from "./compose/notices.ts";
import { checkRules, type RunOptions, settingsOf } from "./compose/options.ts";
import type { AppParts, ScreenFacts, ScreenParts } from "./compose/parts.ts";
import type { Place } from "./compose/place.ts";
import type { PersonPrograms } from "./compose/programs.ts";
import { mayHold } from "./compose/sandbox.ts";
import { featuresOf } from "./features/mod.ts";
import { statusFacts } from "./lend/status.ts";
import { once } from "./lib/once.ts";
import { settlesWithin } from "./lib/within.ts";
import type { Part } from "./protocol/message.ts";
import type { TurnOutcome } from "./protocol/outcome.ts";
import type { SessionRecord } from "./protocol/session.ts";
import type { ToolSpec } from "./protocol/tool.ts";
import type { Settings } from "./settings/settings.ts";
import { loadSettings } from "./settings/store.ts";
import { PersonCommands } from "./compose/person_commands.ts";
import type { CommandHost, CommandResult, NextConversation } from "./terminal/commands/spec.ts";
import type { StatusNow } from "./terminal/commands/lent/status.ts";
import type { Spent } from "./terminal/commands/lent/usage.ts";
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
  /** Whether a person who has connected no model is given the demo; they are, unless this is false. */
  offersDemo?: boolean;
  /** MCP servers that the client brings, in the format of mcp.json: see AppParts. */
  clientServers?: string;
};

/** What an interrupted turn without a terminal waits for the commits of its edits. */
const COMMITS_WAIT_MS = 2_000;

type AppWhole = {
  harness: Harness;
  host(): Promise<CommandHost>;
  features: readonly AnyFeature[];
  tools: Loop["tools"];
  notices: readonly string[];
  /** Everything of the conversation that has to be closed, the newest first. */
  opened: AsyncDisposableStack;
  /** What features are told when they are closed. */
  end: { why: Ending };
  ground: Ground;
  options: AppOptions;
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
  readonly #end: AppWhole["end"];
  readonly #ground: Ground;
  readonly #options: AppOptions;
  readonly #features: readonly AnyFeature[];
  readonly #tools: Loop["tools"];
  #isOpened: boolean;

  constructor(parts: AppParts, whole: AppWhole) {
    const { harness, host, features, notices, opened } = whole;
    this.#parts = parts;
    this.#ground = whole.ground;
    this.#options = whole.options;
    this.#features = features;
    this.#tools = whole.tools;
    this.#opened = opened;
    this.#end = whole.end;
    this.harness = harness;
    this.notices = notices;
    this.commandHost = host;
    this.#personCommands = new PersonCommands({
      harness,
      shell: parts.programs.shell,
      outputCharsMax: () => parts.settings.current.CMD_OUTPUT_CHARS,
      committed: () => parts.committed(),
    });
    const { isResumed, answering: last } = parts.conversation;
    const { provider, model } = parts.model.current.name;
    this.#isOpened = isResumed && last?.provider === provider && last.model === model;
  }

  settings(): Settings {
    return this.#parts.settings.current;
  }

  /** What programs of the person's own are run with. */
  get personPrograms(): PersonPrograms {
    return this.#parts.programs.person;
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
  status(): Omit<StatusNow, "contextTokens"> {
    return statusFacts(this.#parts, this.#spent());
  }

  #spent(): Spent | undefined {
    return this.#features.find(({ lend }) => lend?.usage !== undefined)?.lend?.usage?.spent();
  }

  /** What runs beside the conversation. */
  async alive(): Promise<readonly RailItem[]> {
    return (await Promise.all(this.#features.map(async ({ alive }) => await alive?.() ?? [])))
      .flat();
  }

  /** The tools of the conversation as they are now; none before `harness.makeReady()`. */
  tools(): readonly ToolSpec[] {
    return this.#tools();
  }

  /** Run one turn with what the person said; `attached` is not read for mentions. */
  async say(
    said: string | readonly Part[],
    attached: readonly Part[] = [],
  ): Promise<TurnOutcome> {
    if (!this.#isOpened) this.#open();
    // The first request waits for the file, which the disk makes while what turns need is loaded.
    this.#parts.conversation.log.begin();
    // Without a terminal it is told when a command needs it, or now where that takes no trying.
    if (!this.#parts.isInteractive && !await this.canTellLater()) await this.#parts.sandbox.ready();
    const content = typeof said === "string" ? [{ type: "text", text: said } as const] : said;
    const outcome = await this.harness.say(content, "person", attached);
    // Nothing is told of a turn behind its result; one that ends by itself has waited already.
    if (!this.#parts.isInteractive) await settlesWithin(this.#parts.committed(), COMMITS_WAIT_MS);
    return outcome;
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
  async close(why: Ending = "other"): Promise<void> {
    this.#end.why = why;
    this.harness.interrupt();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => this.#parts.conversation.log.close());
    closing.use(this.#ground);
    closing.use(this.#opened);
  }

  /**
   * Go on in another conversation, on the same ground: settings, rights, model, and what runs stay. This one is closed then.
   * Throws PersonError, with this one as it is, where the other cannot be opened.
   */
  async next(next: NextConversation): Promise<App> {
    const { settings, model, reach, profile } = this.#ground.parts;
    const options = this.#options;
    const conversation = await openConversation(
      next.kind === "new" ? {} : { resume: next.id },
      { ...options, settings, profile: profile.name },
    );
    await using opened = new AsyncDisposableStack();
    opened.defer(() => conversation.log.close());
    if (options.run.model === undefined && conversation.model !== undefined) {
      model.replace(await connect(conversation.model, await reach(), () => settings.current));
    }
    const begun = begin(this.#ground, { ...conversation, isNext: true });
    const app = build(this.#ground, { ...begun, options, notices: conversation.notices });
    opened.move();
    const [before, after] = await Promise.all([this.commandHost(), app.commandHost()]);
    after.planmode.turn(before.planmode.isOn());
    this.#end.why = next.kind;
    this.harness.interrupt();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => this.#parts.conversation.log.close());
    closing.use(this.#opened);
    return app;
  }

  /** The opening records, written with the first turn; of a session that goes on, which model answers from now on. */
  #open(): void {
    this.#isOpened = true;
    const { conversation, model, place, profile } = this.#parts;
    const { uid } = conversation.log;
    if (!conversation.isResumed) {
      this.harness.emit({ type: "session", uid, cwd: place.workspace, profile: profile.name });
    }
    this.harness.emit({ type: "model", ...model.current.name });
  }
}

/** Build it. Throws PersonError for everything that the person can mend. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { run, place } = options;
  checkRules(run);
  const loaded = await loadSettings({
    file: place.paths.settings,
    keyFile: place.paths.keybindings,
    overrides: settingsOf(run),
  });
  await using opened = new AsyncDisposableStack();
  const profile = await loadProfile(run, place);
  const conversation = await openConversation(run, {
    ...options,
    settings: loaded.store,
    profile: profile.name,
  });
  opened.defer(() => conversation.log.close());
  const ground = opened.use(
    await openGround({ ...options, profile }, { ...loaded, session: conversation.model }),
  );
  const begun = begin(ground, conversation);
  opened.use(begun.opened);
  const told = await startNotices({ ...begun.parts, choice: ground.choice });
  opened.move();
  return build(ground, { ...begun, options, notices: [...loaded.notices, ...told] });
}

type Begun = { parts: AppParts; opened: AsyncDisposableStack };

/** What a conversation has of its own. */
function begin(ground: Ground, conversation: Conversation): Begun {
  const { early, parts } = ground;
  const { settings } = parts;
  const opened = new AsyncDisposableStack();
  const session = conversation.log.uid;
  const edits = editsOf({
    ...parts,
    settings: () => settings.current,
    ...{ early, session, opened },
  });
  return { parts: { ...parts, conversation, ...edits }, opened };
}

/** A conversation on a ground that is there. */
function build(
  ground: Ground,
  { parts, opened, options, notices }: Begun & {
    options: AppOptions;
    notices: readonly string[];
  },
): App {
  const live = new Live(ground.early);
  const features = featuresOf({ ...parts, live });
  const end: AppWhole["end"] = { why: "other" };
  for (const feature of features) opened.defer(() => feature.close?.(end.why));
  const loop = buildLoop(parts, { features, makeScreen: options.makeScreen });
  const { harness, screen, tools } = loop;
  ground.lent.secret = screen.secret?.bind(screen);
  live.connect(loop);
  const host = hostOf(parts, loop, features);
  return new App(parts, {
    harness,
    host,
    features,
    tools,
    notices,
    opened,
    end,
    ground,
    options,
  });
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
