/** One session of a client: a conversation whose screen, approver and asker is an editor. */
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  NewSessionResponse,
  PromptResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import { configOptions, modeState, readChoice, readMode } from "@/acp/choices.ts";
import { announced, isHere, resultText } from "@/acp/commands.ts";
import type { Outbox } from "@/acp/outbox.ts";
import { type Prompt, readPrompt } from "@/acp/prompt.ts";
import type { Updates } from "@/acp/updates.ts";
import { type App, buildApp } from "@/app.ts";
import type { RunOptions } from "@/compose/options.ts";
import type { Place } from "@/compose/place.ts";
import { PersonError } from "@/protocol/error.ts";
import type { TurnStop } from "@/protocol/event.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import { isSlash, named } from "@/terminal/commands/slash.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";
import { tell } from "@/terminal/process.ts";
import { type EditorScreen, editorScreen } from "./editor_screen.ts";
import { SessionChoices } from "./session_choices.ts";

export type SessionParts = {
  run: RunOptions;
  place: Place;
  client: ClientCapabilities;
  context: AgentContext;
  /** MCP servers that the client brings, in the format of mcp.json. */
  servers?: string;
};

type Stop = PromptResponse["stopReason"];

const STOPS: Readonly<Record<Exclude<TurnStop, "error">, Stop>> = {
  end: "end_turn",
  tool_calls: "end_turn",
  length: "max_tokens",
  refusal: "refusal",
  abort: "cancelled",
  limit: "max_turn_requests",
};

export class Session {
  readonly id: string;
  readonly #app: App;
  readonly #outbox: Outbox;
  readonly #updates: Updates;
  readonly #host: CommandHost;
  readonly #choices: SessionChoices;
  #isBusy = false;
  #isCancelled = false;

  /** Build the conversation. Throws PersonError for everything that the person can mend. */
  static async open(parts: SessionParts): Promise<Session> {
    const { run, place, servers } = parts;
    const made: { app?: App; session?: Session; screen?: EditorScreen } = {};
    const app = await buildApp({
      run,
      place,
      isInteractive: true,
      needsModel: true,
      offersDemo: false,
      ...(servers === undefined ? {} : { clientServers: servers }),
      makeScreen: (facts) => {
        made.screen = editorScreen(facts.header().session, {
          ...parts,
          app: () => made.app,
          onCancelled: () => made.session?.cancel(),
          onEvent: () => made.session?.choicesChanged(),
        });
        return made.screen;
      },
      warn: tell,
    });
    made.app = app;
    if (made.screen === undefined) throw new Error("The conversation was built without its screen");
    try {
      made.session = new Session(app, made.screen, await app.commandHost());
      return made.session;
    } catch (error) {
      await app.close();
      throw error;
    }
  }

  private constructor(app: App, { outbox, updates }: EditorScreen, host: CommandHost) {
    this.id = app.facts().session;
    this.#app = app;
    this.#outbox = outbox;
    this.#updates = updates;
    this.#host = host;
    this.#choices = new SessionChoices(app, host, (update) => outbox.push(update));
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** What a client may choose. */
  offered(): Pick<NewSessionResponse, "modes" | "configOptions"> {
    const now = this.#choices.now();
    return { modes: modeState(now.mode), configOptions: configOptions(now) };
  }

  /** The client knows the session: it is told what it may type, and what the person should know. */
  begin(): void {
    this.#outbox.open();
    this.#outbox.push(announced(this.#host.commands()));
    for (const text of this.#app.notices) this.#notice(text);
    void this.#app.lateNotices().then(
      (texts) => texts.forEach((text) => this.#notice(text)),
      tellFault,
    );
    void this.#choices.learnModels();
    this.#app.makeReady();
  }

  /** Tell what was said and done before. */
  async replay(): Promise<void> {
    await this.#app.harness.makeReady();
    this.#outbox.open();
    this.#updates.replay(this.#app.pastRecords);
    await this.#outbox.flush();
  }

  /** Run one turn, or one slash command. Throws what is answered as an error. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.#isBusy) {
      throw new PersonError(
        "usage",
        "The session is at work",
        "Wait for its turn to end, or cancel it",
      );
    }
    const prompt = readPrompt(blocks, this.#app.facts().workspace);
    const cancel = () => this.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    this.#isBusy = true;
    this.#isCancelled = false;
    try {
      return { stopReason: await this.#answer(prompt) };
    } finally {
      this.#isBusy = false;
      signal.removeEventListener("abort", cancel);
      this.#choices.changed();
      await this.#outbox.flush();
    }
  }

  /** Something was chosen without the client: it is told. */
  choicesChanged(): void {
    this.#choices.changed();
  }

  /** Stop what runs; the prompt is answered as cancelled. */
  cancel(): void {
    this.#isCancelled = this.#isBusy;
    this.#app.interrupt();
  }

  setMode(id: string): Record<never, never> {
    this.#choices.setMode(readMode(id));
    return {};
  }

  async setOption(
    { configId, ...params }: SetSessionConfigOptionRequest,
  ): Promise<SetSessionConfigOptionResponse> {
    await this.#choices.choose(readChoice(configId, params.value, this.#choices.now()));
    return { configOptions: configOptions(this.#choices.now()) };
  }

  /** Save what is left and end everything that was started. */
  async close(): Promise<void> {
    this.cancel();
    await this.#app.close();
  }

  async #answer({ said, attached, line }: Prompt): Promise<Stop> {
    if (line === undefined || !isSlash(line)) {
      return this.#stopOf(await this.#app.say(said, attached));
    }
    const command = named(line, this.#host.commands());
    if (command !== undefined && !isHere(command)) {
      this.#print(
        `/${command.name} is for a terminal; your editor begins, opens and shows sessions`,
      );
      return "end_turn";
    }
    const { text, say } = await this.#app.slash(line);
    if (this.#isCancelled) return "cancelled";
    if (text !== "") this.#print(text);
    return say === undefined ? "end_turn" : this.#stopOf(await this.#app.say(say));
  }

  #stopOf({ stop, error }: TurnOutcome): Stop {
    if (this.#isCancelled || stop === "abort") return "cancelled";
    this.#updates.turnOver(error !== undefined);
    if (error !== undefined) throw error;
    if (stop === "error") throw new Error("The turn ended without a cause");
    return STOPS[stop];
  }

  #print(text: string): void {
    this.#outbox.push({ sessionUpdate: "agent_message_chunk", content: resultText(text) });
  }

  #notice(text: string): void {
    this.#updates.sink({ type: "notice", level: "warn", text });
  }
}

function tellFault(error: unknown): void {
  tell(error instanceof Error ? error.message : String(error));
}
