/** The commands of one harness: started, answered, listened to, ended. Those that stay have a handle: s1, s2, … */
import type { EncodingName } from "@/lib/encoding.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import type { Listened, ShellCommand, Watch } from "@/shell/command.ts";
import type { ShellLimits } from "@/shell/limits.ts";
import type { Outcome, RunRequest, SessionState } from "@/shell/outcome.ts";
import { secretQuestion } from "@/shell/secret.ts";
import type { Patience } from "@/shell/waiting.ts";

/** How long a command that goes to the background is watched at first, in seconds. */
const BACKGROUND_START_S = 2;

/** How long a background command is listened to when it says nothing, in seconds. */
const BACKGROUND_LISTEN_S = 1.5;

/** Commands that ended while nobody listened and whose end is still told, if somebody asks. */
const ENDED_MAX = 20;

/** How often the person is asked for a secret while one call is listened to. */
const SECRETS_MAX = 5;

/** The person waits as long as they like: they can stop it. In seconds; more than a timer can count would be none. */
const FOREVER_S = 7 * 24 * 3_600;

/** What a shell works with. */
export type ShellParts = {
  processes: Processes;
  workspace: string;
  limits: () => ShellLimits;
  /** What text is in that is not UTF-8, where the console or the locale says so. */
  codePage?: EncodingName;
  /** The boundary around a command; `reason` is what the model said to be let out of it. */
  wrap?: (reason: string | undefined) => Wrapper | undefined;
  /** False: do not ask the kernel what a command waits for. */
  asksKernel?: boolean;
  /**
   * Asks the person for a password or the like that goes to a program and to nobody else; undefined or "" leaves the
   * question to the model. Absent where nobody can be asked.
   */
  askSecret?: (question: string) => Promise<string | undefined>;
  /** What holds connections of commands while the person is asked, and those that it refused since it was last asked. */
  network?: { readonly isAsking: boolean; takeRefusals(): readonly string[] };
  /** How the commands run that the person types; without it like those of the model. */
  person?: { processes: Processes; env: Readonly<Record<string, string>>; shell?: string };
};

/** A call that could not be served; a sentence. */
export class ShellError extends Error {
  override readonly name = "ShellError";
}

type Session = { command: ShellCommand; isBackground: boolean };

/** Runs command lines in one workspace. */
export class Shell {
  readonly #parts: ShellParts;
  readonly #sessions = new Map<string, Session>();
  /** Commands whose questions for a secret the person has left to the model. */
  readonly #declined = new WeakSet<ShellCommand>();
  #count = 0;

  constructor(parts: ShellParts) {
    this.#parts = parts;
  }

  /** Run a command line. Throws StartError when there is no shell. */
  async run(request: RunRequest, watch: Watch): Promise<Outcome> {
    const command = await this.#start(request);
    // What it does not read stays in the pipe; whether it reads is not ours to wait for.
    if (request.stdin) void command.send(withNewline(request.stdin));
    const patience = this.#patience(request);
    const session = { command, isBackground: request.background ?? false };
    const listened = await this.#listen(session, patience, watch);
    return await this.#outcome(undefined, session, listened, patience);
  }

  /**
   * Run a line that the person typed, to its end: with their rights, without input, as long as they let it. What it
   * leaves running has a handle.
   */
  async runForPerson(line: string, watch: Watch): Promise<Outcome> {
    const { processes, workspace, person, codePage } = this.#parts;
    const { ShellCommand } = await import("@/shell/command.ts");
    const command = new ShellCommand(person?.processes ?? processes, {
      ...{ command: line, cwd: workspace, shell: person?.shell ?? await this.#shell() },
      ...{ asksKernel: false, isOfPerson: true, env: person?.env ?? {} },
      ...(codePage === undefined ? {} : { codePage }),
    });
    const patience = {
      idleS: FOREVER_S,
      graceS: FOREVER_S,
      waitS: FOREVER_S,
      deadlineS: FOREVER_S,
    };
    const session = { command, isBackground: false };
    return await this.#outcome(undefined, session, await command.listen(patience, watch), patience);
  }

  async #start({ command, outside, terminal = false }: RunRequest): Promise<ShellCommand> {
    const { processes, workspace, codePage, wrap, asksKernel = true, network } = this.#parts;
    const script = terminal ? await this.#script() : undefined;
    const { ShellCommand } = await import("@/shell/command.ts");
    const wrapper = wrap?.(outside);
    return new ShellCommand(processes, {
      ...{ command, cwd: workspace, shell: await this.#shell(), asksKernel },
      ...(script === undefined ? {} : { script }),
      ...(codePage === undefined ? {} : { codePage }),
      ...(wrapper === undefined ? {} : { wrap: wrapper }),
      ...(network === undefined ? {} : { isHeld: () => network.isAsking }),
    });
  }

  async #shell(): Promise<string> {
    if (Deno.build.os === "windows") return "powershell.exe";
    const { processes, workspace } = this.#parts;
    return await processes.find("bash", [workspace]) ?? "/bin/sh";
  }

  /** What makes a terminal. Throws ShellError where nothing does. */
  async #script(): Promise<string> {
    const { processes, workspace } = this.#parts;
    const script = Deno.build.os === "windows"
      ? undefined
      : await processes.find("script", [workspace]);
    if (script !== undefined) return script;
    throw new ShellError(
      "The command was not run: it is to have a terminal, and there is no program here that makes one (script)",
    );
  }

  /** Listen to a command; where it asks for a secret, the person is asked before the model is. */
  async #listen(
    { command, isBackground }: Session,
    patience: Patience,
    watch: Watch,
    goesOn = false,
  ): Promise<Listened> {
    const isLong = isBackground && goesOn;
    let listened = await command.listen(patience, watch, isLong);
    for (let asked = 0; asked < SECRETS_MAX && listened.kind === "waiting"; asked += 1) {
      if (!await this.#giveSecret(command)) break;
      listened = await command.listen(patience, watch, isLong);
    }
    return listened;
  }

  async #giveSecret(command: ShellCommand): Promise<boolean> {
    const { askSecret } = this.#parts;
    const prompt = command.secretPrompt;
    if (askSecret === undefined || prompt === undefined || this.#declined.has(command)) {
      return false;
    }
    const secret = await askSecret(secretQuestion(command.command, prompt)) ?? "";
    if (secret !== "") return await command.sendSecret(secret);
    this.#declined.add(command);
    return false;
  }

  #patience({ background = false, timeoutS }: RunRequest): Patience {
    const { idleS, graceS, waitS, deadlineS } = this.#parts.limits();
    const limited = { idleS, graceS, waitS, deadlineS: timeoutS ?? deadlineS };
    return background
      ? { ...limited, waitS: BACKGROUND_START_S, deadlineS: BACKGROUND_START_S }
      : limited;
  }

  /** Answer a command, or listen to it when the text is empty. Without a handle: the only one there is. */
  async send(session: string | undefined, text: string, watch: Watch): Promise<Outcome> {
    const id = this.#only(session);
    const found = this.#find(id);
    if (text !== "") await this.#answer(id, found.command, withNewline(text));
    const { idleS, graceS, waitS, deadlineS } = this.#parts.limits();
    const patience = found.isBackground && text === ""
      ? { idleS, graceS: idleS, waitS: BACKGROUND_LISTEN_S, deadlineS: waitS }
      : { idleS, graceS, waitS, deadlineS };
    const listened = await this.#listen(found, patience, watch, true);
    return await this.#outcome(id, found, listened, patience);
  }

  async #answer(id: string, command: ShellCommand, text: string): Promise<void> {
    const sent = await command.send(text);
    if (sent === true) return;
    if (sent === false) {
      throw new ShellError(`Nothing was sent to ${id}: it does not read its input any more`);
    }
    throw new ShellError(
      `Nothing was sent to ${id}: what it prints is not UTF-8, and its encoding has no "${sent.character}"`,
    );
  }

  /** End a command with everything it started. */
  async end(session: string): Promise<Outcome> {
    const { command } = this.#find(session);
    await command.kill();
    this.#sessions.delete(session);
    return { kind: "stopped", session, command: command.command, output: command.take() };
  }

  /** Commands with a handle, oldest first. */
  async list(): Promise<SessionState[]> {
    const states: SessionState[] = [];
    for (const [session, { command, isBackground }] of [...this.#sessions]) {
      const isOver = command.hasEnded && await command.living() === 0;
      const state = isOver ? "ended" : isBackground ? "background" : "waiting";
      const ageS = (performance.now() - command.startedMs) / 1000;
      states.push({
        session,
        command: command.command,
        state,
        ageS,
        last: lastLine(command.recent),
      });
    }
    return states;
  }

  /** The end of what a command has printed, whoever has read it already. Throws ShellError. */
  tail(session: string): string {
    return this.#find(session).command.recent;
  }

  /** Whether the person has started it and not the model. */
  isOfPerson(session: string | undefined): boolean {
    return this.#sessions.get(session?.trim() ?? "")?.command.isOfPerson === true;
  }

  /** Whether a command runs inside a boundary; what is not there counts as inside, because nothing can be done to it. */
  isInside(session: string | undefined): boolean {
    const named = session?.trim() ?? "";
    const meant = named === "" ? [...this.#sessions.values()] : [this.#sessions.get(named)];
    return meant.every((found) => found?.command.isInside !== false);
  }

  /** End all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ command }) => command.kill()));
    this.#sessions.clear();
  }

  async #outcome(
    id: string | undefined,
    session: Session,
    listened: Listened,
    patience: Patience,
  ): Promise<Outcome> {
    const outcome = await this.#end(id, session, listened, patience);
    const refused = session.command.isInside ? this.#parts.network?.takeRefusals() ?? [] : [];
    return refused.length === 0 ? outcome : { ...outcome, refused };
  }

  async #end(
    id: string | undefined,
    session: Session,
    listened: Listened,
    patience: Patience,
  ): Promise<Outcome> {
    const { command, isBackground } = session;
    switch (listened.kind) {
      case "ended": {
        const { ending: { code, signal }, left } = listened;
        if (id !== undefined) this.#sessions.delete(id);
        const kept = left === 0 ? undefined : this.#register({ command, isBackground: true }, id);
        return {
          ...{ kind: "ended", code, output: command.take() },
          ...(signal === undefined ? {} : { signal }),
          ...(kept === undefined ? {} : { left: { session: kept, processes: left } }),
        };
      }
      case "waiting":
      case "late":
        if (isBackground) {
          const known = this.#register(session, id);
          return {
            kind: "running",
            session: known,
            command: command.command,
            output: command.take(),
          };
        }
        if (listened.kind === "waiting") return await this.#waiting(id, session, listened);
        await this.#drop(id, command);
        return { kind: "late", seconds: patience.deadlineS, output: command.take() };
      case "aborted": {
        const seconds = (performance.now() - command.startedMs) / 1000;
        // Listening to a server that was started on purpose is over; the server is not.
        if (!isBackground || id === undefined) await this.#drop(id, command);
        return { kind: "aborted", seconds, output: command.take() };
      }
      default:
        return listened satisfies never;
    }
  }

  async #waiting(
    id: string | undefined,
    session: Session,
    { why, quietS }: Extract<Listened, { kind: "waiting" }>,
  ): Promise<Outcome> {
    const { command } = session;
    const known = this.#register(session, id);
    const closed = await this.#closeForgotten(known);
    const output = command.take();
    return {
      kind: "waiting",
      session: known,
      command: command.command,
      why,
      quietS,
      output,
      closed,
    };
  }

  #register(session: Session, id = `s${this.#count += 1}`): string {
    this.#sessions.set(id, session);
    return id;
  }

  async #drop(id: string | undefined, command: ShellCommand): Promise<void> {
    await command.kill();
    if (id !== undefined) this.#sessions.delete(id);
  }

  /**
   * Prompts that nobody answers are ended: the oldest beyond so many, and those beyond an age. Never what runs in the
   * background. What has ended by itself and is not asked about goes without a word, the oldest beyond so many.
   */
  async #closeForgotten(newest: string): Promise<string[]> {
    const { waitingMax, waitingMaxS } = this.#parts.limits();
    const others = [...this.#sessions].filter(([id, { isBackground }]) =>
      !isBackground && id !== newest
    );
    const over = others.filter(([, { command }]) => command.hasEnded);
    for (const [id] of over.slice(0, -ENDED_MAX)) this.#sessions.delete(id);
    const waiting = others.filter(([, { command }]) => !command.hasEnded);
    const tooMany = Math.max(0, waiting.length + 1 - Math.max(1, waitingMax));
    const closed = waiting.filter(([, { command }], index) =>
      index < tooMany || performance.now() - command.startedMs > waitingMaxS * 1000
    );
    await Promise.all(closed.map(([id, { command }]) => this.#drop(id, command)));
    return closed.map(([id, { command }]) => `${id} (${command.command})`);
  }

  #only(session: string | undefined): string {
    if (session !== undefined && session.trim() !== "") return session.trim();
    const all = [...this.#sessions];
    const living = all.filter(([, { command, isBackground }]) => isBackground || !command.hasEnded);
    const [only, ...others] = (living.length > 0 ? living : all).map(([id]) => id);
    if (only !== undefined && others.length === 0) return only;
    throw new ShellError(
      only === undefined
        ? "No command is running; run_cmd starts one"
        : `Several commands are running, so one has to be named: ${this.#names()}`,
    );
  }

  #find(session: string): Session {
    const found = this.#sessions.get(session);
    if (found !== undefined) return found;
    const there = this.#sessions.size === 0
      ? "no command is running"
      : `running are ${this.#names()}`;
    throw new ShellError(`No command is running as "${session}": ${there}`);
  }

  #names(): string {
    return [...this.#sessions].map(([id, { command }]) => `${id} (${command.command})`).join(", ");
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.trim() ?? "";
}

/** A line that is sent ends like a typed one. */
export function withNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
