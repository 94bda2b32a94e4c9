/** One server through its life: connected beside everything else, asked for its tools, connected again once when it is lost. */
import { once } from "@/lib/once.ts";
import type {
  CallOptions,
  CallToolResult,
  ElicitRequest,
  ElicitResult,
  McpClient,
  Reach,
} from "./client.ts";
import type { Prompt, ReadResourceResult, Resource, ServerFacts, Tool } from "./client.ts";
import type { ServerEntry } from "./config.ts";
import { type RemoteTool, remoteTool } from "./definition.ts";
import type { Diagnostics } from "./stdio_lines.ts";

/** How it stands. `why` is the end of a sentence. */
export type ServerState =
  | { kind: "connecting" | "ready" }
  | { kind: "off" | "waiting" | "failed" | "lost"; why: string };

export type ServerOptions = {
  entry: ServerEntry;
  /** Its part of its tools' names. */
  slug: string;
  /** How it is reached; asked for each connection. Rejects with a sentence when it may not be. */
  reach(): Promise<Reach>;
  diagnostics: Diagnostics;
  /** What we introduce ourselves as. */
  program: { name: string; version: string };
  limits(): { startMs: number; callMs: number };
  elicit(
    server: ServerEntry,
    request: ElicitRequest["params"],
    signal: AbortSignal,
  ): Promise<ElicitResult>;
  /** Its tools, or how it stands, have changed. Nobody is told that it is there before this has settled. */
  onChange(server: Server): void | Promise<void>;
};

const DIAGNOSTICS_SHOWN = 3;

/** The SDK is loaded with the first connection. */
const sdk = once(() => import("./client.ts"));

/** A declared server. Made for every entry; only `connect` starts anything. */
export class Server {
  readonly #options: ServerOptions;
  #state: ServerState = { kind: "off", why: "it was not started" };
  #client: McpClient | undefined;
  #connecting: Promise<void> | undefined;
  #tools: readonly RemoteTool[] = [];
  #resources: readonly Resource[] | undefined;
  #facts: ServerFacts | undefined;
  #isClosed = false;
  #isStale = false;
  #rereading: Promise<void> | undefined;
  /** How often what was connected was let go: who was connecting meanwhile does so no more. */
  #drops = 0;
  /** Ends what is being connected, or is. */
  #end: (() => Promise<void>) | undefined;
  #hide: ((text: string) => string) | undefined;
  /** Whether it was connected again already since it last answered. */
  #isSecond = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { entry } = options;
    if (entry.isDisabled) this.#state = { kind: "off", why: "it is disabled in its entry" };
    else if (entry.problem !== undefined) this.#state = { kind: "failed", why: entry.problem };
  }

  get entry(): ServerEntry {
    return this.#options.entry;
  }

  get slug(): string {
    return this.#options.slug;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** What it says of itself; undefined before it was connected. */
  get facts(): ServerFacts | undefined {
    return this.#facts;
  }

  /** The tools that are taken of it. They stay while it is lost: a call of one connects it again. */
  get tools(): readonly RemoteTool[] {
    return this.#state.kind === "ready" || this.#state.kind === "lost" ? this.#tools : [];
  }

  /** Whether it was connected and can be again. */
  get isAttached(): boolean {
    return this.#state.kind === "ready" || this.#state.kind === "lost";
  }

  /** Resources that it has listed, as far as it was asked. */
  get listed(): readonly Resource[] {
    return this.#resources ?? [];
  }

  /** Say why it is not started. */
  hold(why: string): void {
    this.#state = { kind: "waiting", why };
  }

  /** Connect. Never rejects: how it went is its state. */
  connect(): Promise<void> {
    return this.#connecting ??= this.#connect().finally(() => this.#connecting = undefined);
  }

  async #connect(): Promise<void> {
    const { entry, reach, program, limits, elicit, onChange } = this.#options;
    if (entry.start === undefined || this.#isClosed) return;
    this.#become({ kind: "connecting" });
    const drops = this.#drops;
    const isDropped = () => this.#drops !== drops;
    const { connectClient, failureText } = await sdk();
    try {
      const reached = await reach();
      this.#hide = reached.kind === "stdio" ? undefined : reached.hide;
      const client: McpClient = await connectClient({
        reach: reached,
        program,
        timeoutMs: limits().startMs,
        onOpening: (end) => this.#end = end,
        isWanted: () => !isDropped(),
        hooks: {
          onToolsChanged: () => this.#reread(client),
          onResourcesChanged: () => this.#resources = undefined,
          onPromptsChanged: () => {},
          onClosed: () => this.#lost(client),
          elicit: (request, signal) => elicit(entry, request, signal),
        },
      });
      if (isDropped()) return await client.close();
      this.#client = client;
      this.#facts = client.facts;
      this.#tools = this.#taken(await client.tools());
      this.#become({ kind: "ready" });
    } catch (error) {
      if (isDropped()) return;
      await this.#drop();
      this.#become({ kind: "failed", why: this.#withDiagnostics(this.#shown(failureText(error))) });
    }
    await onChange(this);
  }

  /** Only now is a server that was once connected and then was lost given up on. */
  async #connected(): Promise<McpClient> {
    await this.#connecting;
    if (this.#state.kind === "lost" && !this.#isSecond) {
      this.#isSecond = true;
      await this.connect();
    }
    if (this.#client !== undefined && this.#state.kind === "ready") return this.#client;
    const why = "why" in this.#state ? this.#state.why : "it is still connecting";
    throw new Error(
      `Server "${this.entry.name}" does not answer: ${why}. /mcp connect ${this.entry.name} tries again`,
    );
  }

  /** Call a tool by the server's own name for it. Throws Error with a sentence. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    options: Omit<CallOptions, "timeoutMs">,
  ): Promise<CallToolResult> {
    const { timeoutS } = this.entry;
    const timeoutMs = timeoutS === undefined ? this.#options.limits().callMs : timeoutS * 1000;
    return await this.#asked(
      async (client) => await client.call(tool, args, { ...options, timeoutMs }),
      timeoutMs,
    );
  }

  async resources(): Promise<readonly Resource[]> {
    return this.#resources ??= await this.#asked((client) => client.resources());
  }

  async templates(): Promise<readonly { uriTemplate: string; name: string }[]> {
    return await this.#asked((client) => client.templates());
  }

  async prompts(): Promise<readonly Prompt[]> {
    return await this.#asked((client) => client.prompts());
  }

  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return await this.#asked((client) => client.read(uri, signal));
  }

  async prompt(name: string, args: Record<string, string>) {
    return await this.#asked((client) => client.prompt(name, args));
  }

  /** Ask it something. What it was doing when it was lost is not asked again: it may have happened. */
  async #asked<T>(ask: (client: McpClient) => Promise<T>, waitMs?: number): Promise<T> {
    const client = await this.#connected();
    try {
      const answer = await ask(client);
      this.#isSecond = false;
      return answer;
    } catch (error) {
      const { isLost, isTimeout, failureText } = await sdk();
      const name = `Server "${this.entry.name}"`;
      if (isLost(error)) {
        throw new Error(
          this.#withDiagnostics(
            `${name} ended before it answered; whether it did what it was asked is not known. The next call starts it again`,
          ),
          { cause: error },
        );
      }
      if (isTimeout(error)) {
        const after = waitMs === undefined ? "" : ` within ${waitMs / 1000} s`;
        throw new Error(
          `${name} did not answer${after}; it was told that nobody waits any more. A longer time is "timeout" in its entry, or MCP_CALL_TIMEOUT`,
          { cause: error },
        );
      }
      if (error instanceof DOMException) throw error;
      throw new Error(`${name} refused: ${this.#shown(failureText(error))}`);
    }
  }

  /** Its list of tools is another one now. What changes while it is read is read again. */
  #reread(client: McpClient): void {
    this.#isStale = true;
    this.#rereading ??= this.#readAll(client).finally(() => this.#rereading = undefined);
  }

  async #readAll(client: McpClient): Promise<void> {
    while (this.#isStale && client === this.#client) {
      this.#isStale = false;
      try {
        const tools = this.#taken(await client.tools());
        if (client !== this.#client) return;
        this.#tools = tools;
        await this.#options.onChange(this);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.#options.diagnostics.line(`its new list of tools could not be read: ${error.message}`);
      }
    }
  }

  /** Settles when no list of tools is being read any more. */
  async upToDate(): Promise<void> {
    await this.#rereading;
  }

  #taken(tools: readonly Tool[]): readonly RemoteTool[] {
    const { onlyTools, withoutTools } = this.entry;
    return tools.filter(({ name }) =>
      (onlyTools === undefined || onlyTools.includes(name)) && !withoutTools.includes(name)
    ).map(remoteTool);
  }

  #lost(client: McpClient): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    if (this.#isClosed) return;
    this.#become({ kind: "lost", why: this.#withDiagnostics("the connection was lost") });
    void this.#options.onChange(this);
  }

  async #drop(): Promise<void> {
    this.#drops += 1;
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
    await this.#end?.();
    this.#end = undefined;
  }

  #become(state: ServerState): void {
    if (!this.#isClosed) this.#state = state;
  }

  #shown(text: string): string {
    return this.#hide?.(text) ?? text;
  }

  /** A sentence, and the last that the server said beside its messages. */
  #withDiagnostics(sentence: string): string {
    const lines = this.#options.diagnostics.last(DIAGNOSTICS_SHOWN);
    return lines.length === 0 ? sentence : `${sentence} (it said last: ${lines.join(" | ")})`;
  }

  /** Forget the connection, so that the next `connect` makes a new one. */
  async disconnect(why: string): Promise<void> {
    await this.#drop();
    await this.#connecting;
    this.#isSecond = false;
    this.#become({ kind: "off", why });
  }

  /** End it for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
  }
}
