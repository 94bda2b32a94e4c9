/** The servers of a conversation: found, held until they are trusted, connected, and offered as tools. */
import type { FeatureParts, FeatureWork, Shared } from "@/compose/feature.ts";
import { PROGRAM } from "@/compose/program.ts";
import { counted } from "@/lib/counted.ts";
import { firstFew } from "@/lib/first_few.ts";
import { visible } from "@/lib/visible.ts";
import { settlesWithin } from "@/lib/within.ts";
import { readServers, type ServerEntry } from "@/mcp/config.ts";
import { elicit } from "@/mcp/elicit.ts";
import { slugs } from "@/mcp/names.ts";
import { Server } from "@/mcp/server.ts";
import { type AttachedTool, Servers } from "@/mcp/servers.ts";
import { Diagnostics } from "@/mcp/stdio_lines.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { addressText, targetOfUrl } from "@/sandbox/egress/target.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import type { RailItem } from "@/terminal/full/rail.ts";
import { findFiles } from "./declared.ts";
import { serverCalls } from "./guard.ts";
import { isAboutLoading, Offers } from "./offers.ts";
import { Pins } from "./pins.ts";
import { reachOf } from "./reach.ts";

/** What it is made of. */
export type AttachedParts =
  & Pick<
    FeatureParts,
    | "place"
    | "profile"
    | "settings"
    | "trust"
    | "processes"
    | "sandbox"
    | "network"
    | "automode"
    | "isInteractive"
  >
  & {
    live: Pick<FeatureParts["live"], "emit" | "screen" | "harness">;
    env: Readonly<Record<string, string>>;
    /** Requests to servers; what they may reach is decided there. */
    http(url: string | URL, init?: RequestInit): Promise<Response>;
  };

const UNTRUSTED = "the project's file is not trusted as it is now; /trust shows what it would do";
/** What a request waits for lists that servers say have changed. */
const UP_TO_DATE_MS = 3_000;
const OFF = "MCP servers are switched off";

/** Make it; its servers begin to connect. */
export async function attach(parts: FeatureParts): Promise<Attached> {
  const env = personEnv(parts.place.env);
  const attached = new Attached({
    ...parts,
    env,
    http: async (url, init) => await (await parts.network.client()).fetch(url, init),
  });
  if (parts.settings.current.MCP_ENABLED) await attached.read();
  return attached;
}

/** Made once a conversation; `read` finds the servers, and may be asked again. */
export class Attached {
  readonly #parts: AttachedParts;
  readonly #pins: Pins;
  readonly #offers: Offers;
  /** The names of tools that were new when their list was last read. */
  readonly #told = new Set<string>();
  #servers = new Servers([]);
  #isOn = true;
  #connecting: Promise<void> = Promise.resolve();

  constructor(parts: AttachedParts) {
    this.#parts = parts;
    this.#pins = new Pins({
      trust: parts.trust,
      workspace: parts.place.workspace,
      onProblem: (text) => this.#warn(text),
    });
    this.#offers = new Offers({
      servers: () => this.#servers,
      settings: () => parts.settings.current,
      messages: () => parts.live.harness.messages(),
      believes: (tool) => this.#believes(tool),
    });
  }

  get servers(): Servers {
    return this.#servers;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Settles when none is connecting any more. */
  async settled(): Promise<void> {
    await this.#connecting;
  }

  /** The tools of all attached servers. */
  get tools(): readonly AttachedTool[] {
    return this.#offers.attached();
  }

  /** What runs beside the conversation. */
  rows(): readonly RailItem[] {
    return this.#servers.all.flatMap(({ entry, state }) => {
      const name = `mcp ${visible(entry.name, { oneLine: true })}`;
      if (state.kind === "ready") return [{ name }];
      return state.kind === "connecting" || state.kind === "lost"
        ? [{ name, detail: state.kind }]
        : [];
    });
  }

  /** Find the servers and begin to connect them. What there was before is closed first. */
  async read(): Promise<void> {
    const { place, trust, env, profile } = this.#parts;
    const before = this.#servers;
    const { files, problems } = await findFiles({
      workspace: place.workspace,
      personal: place.paths.mcp,
      trust,
      ...(profile.mcp === undefined ? {} : { profile: profile.mcp }),
    });
    const declared = readServers(files, { env, workspace: place.workspace });
    this.#servers = this.#serversOf(declared.servers);
    this.#nameOwn(declared.servers);
    this.#offers.changed();
    await before.close();
    for (const text of [...problems, ...declared.problems]) this.#warn(text);
    const trusted = new Set(files.filter(({ isTrusted }) => isTrusted).map(({ label }) => label));
    for (const server of this.#servers.all) {
      if (!trusted.has(server.entry.label)) server.hold(UNTRUSTED);
    }
    this.#tellHeld();
    this.#start();
  }

  /** Switch all servers on or off for this conversation. */
  async turn(isOn: boolean): Promise<void> {
    this.#isOn = isOn;
    if (isOn) return await this.read();
    await Promise.all(this.#servers.all.map((server) => server.disconnect(OFF)));
    this.#offers.changed();
  }

  /** Connect one anew. */
  async reconnect(server: Server): Promise<void> {
    if (server.state.kind === "waiting") return;
    await server.disconnect("it is connected anew");
    await server.connect();
  }

  close(): Promise<void> {
    return this.#servers.close();
  }

  /** What turns need of it. */
  work({ policy }: Pick<Shared, "policy">): FeatureWork {
    const { automode } = this.#parts;
    const offers = this.#offers;
    return {
      get tools() {
        return offers.tools();
      },
      prompt: () => offers.prompt(),
      guards: [serverCalls({
        policy,
        toolOf: (call) => this.#toolOf(call),
        servers: () => this.#servers,
        isNew: ({ server, remote }) => this.#pins.isNew(server, remote),
        approvedBy: (tool) => this.#approvedBy(tool),
        isAuto: () => automode.isOn,
      })],
      hooks: [{
        name: "MCP servers",
        beforeRequest: () => this.#beforeRequest(),
        afterTool: (call) => this.#afterTool(call),
      }],
      sink: (event) => {
        const isAbout = event.type === "message"
          ? isAboutLoading(event.message)
          : event.type === "compaction" || event.type === "rewind";
        if (isAbout) offers.historyChanged();
      },
    };
  }

  /** Where the person says that their own servers are, connections may lead. */
  #nameOwn(entries: readonly ServerEntry[]): void {
    const { ownServers } = this.#parts.network;
    ownServers.clear();
    for (const { origin, start } of entries) {
      if (origin !== "person" || start === undefined || !("url" in start)) continue;
      const target = targetOfUrl(new URL(start.url));
      if (target !== undefined) ownServers.add(addressText(target));
    }
  }

  #serversOf(entries: readonly ServerEntry[]): Servers {
    const { settings } = this.#parts;
    const names = slugs(entries.map(({ name }) => name));
    return new Servers(entries.map((entry) => {
      const diagnostics = new Diagnostics();
      return new Server({
        entry,
        slug: names.get(entry.name) ?? entry.name,
        diagnostics,
        program: PROGRAM,
        reach: () => reachOf(entry, diagnostics, this.#reachParts()),
        limits: () => ({
          startMs: settings.current.MCP_STARTUP_TIMEOUT * 1000,
          callMs: settings.current.MCP_CALL_TIMEOUT * 1000,
        }),
        elicit: (of, request, signal) => this.#elicit(of, request, signal),
        onChange: (server) => this.#onChange(server),
      });
    }));
  }

  #reachParts() {
    const { processes, sandbox, place, env, http } = this.#parts;
    return { processes, sandbox, workspace: place.workspace, home: env["HOME"], http };
  }

  /** Connect those that may be and are not. */
  #start(): void {
    if (!this.#isOn || !this.#parts.settings.current.MCP_ENABLED) return;
    const ready = this.#servers.all.filter(({ entry, state }) =>
      state.kind === "off" && !entry.isDisabled && entry.problem === undefined
    );
    this.#connecting = Promise.all([this.#connecting, this.#servers.connect(ready)]).then(() => {});
  }

  /** Say once which are not started. */
  #tellHeld(): void {
    const held = this.#servers.all.filter(({ entry, state }) =>
      state.kind === "waiting" || (state.kind === "failed" && !entry.isDisabled)
    );
    const lines = held.map(({ entry, state }) =>
      `MCP server "${visible(entry.name, { oneLine: true })}" (${entry.label}) is not started: ${
        "why" in state ? state.why : ""
      }`
    );
    for (const text of firstFew(lines, "MCP servers that are not started")) this.#warn(text);
  }

  async #onChange(server: Server): Promise<void> {
    this.#offers.changed();
    const name = visible(server.entry.name, { oneLine: true });
    if (server.state.kind === "failed") {
      return this.#warn(
        `MCP server "${name}" could not be attached: ${
          visible(server.state.why, { oneLine: true })
        }`,
      );
    }
    if (server.state.kind !== "ready") return;
    const most = this.#parts.settings.current.MCP_MAX_TOOLS_PER_SERVER;
    if (server.tools.length > most) {
      this.#warn(
        `MCP server "${name}" has ${server.tools.length} tools, of which the first ${most} are offered (MCP_MAX_TOOLS_PER_SERVER); "enabledTools" in its entry chooses others`,
      );
    }
    const found = await this.#pins.review(server);
    const fresh = found.filter(({ identity }) => !this.#told.has(identity));
    for (const { identity } of fresh) this.#told.add(identity);
    if (fresh.length === 0) return;
    const names = fresh.map(({ tool }) => visible(tool, { oneLine: true })).join(", ");
    this.#warn(
      `MCP server "${name}" has changed since it was first seen: ${
        counted(fresh.length, "tool")
      } changed or new (${names}). Calls of these are asked about until you approve one`,
    );
  }

  async #elicit(
    entry: ServerEntry,
    request: Parameters<typeof elicit>[1],
    signal: AbortSignal,
  ) {
    const { asker } = this.#parts.live.screen;
    return await elicit(
      entry.name,
      request,
      async (question) => (await asker([question], signal))?.[0],
    );
  }

  /** Without a terminal the first request waits for a moment, and never again. */
  #hasWaited = false;

  async #beforeRequest(): Promise<undefined> {
    await this.#review();
    const current = Promise.all(this.#servers.all.map((server) => server.upToDate()));
    await settlesWithin(current, UP_TO_DATE_MS);
    const { isInteractive, settings } = this.#parts;
    if (isInteractive || this.#hasWaited) return undefined;
    this.#hasWaited = true;
    await settlesWithin(this.#connecting, settings.current.MCP_STARTUP_WAIT * 1000);
    return undefined;
  }

  /** What the person has trusted meanwhile is started. */
  async #review(): Promise<void> {
    if (!this.#isOn || !this.#servers.all.some(({ state }) => state.kind === "waiting")) return;
    const { place, trust, profile } = this.#parts;
    const { files } = await findFiles({
      workspace: place.workspace,
      personal: place.paths.mcp,
      trust,
      ...(profile.mcp === undefined ? {} : { profile: profile.mcp }),
    });
    if (files.some(({ origin, isTrusted }) => origin === "project" && isTrusted)) await this.read();
  }

  async #afterTool(call: GuardedCall): Promise<void> {
    const tool = this.#toolOf(call);
    // What automode let through nobody has looked at.
    if (tool === undefined || this.#parts.automode.isOn) return;
    if (this.#pins.isNew(tool.server, tool.remote)) {
      await this.#pins.approve(tool.server, tool.remote);
    }
  }

  #approvedBy({ server, remote }: AttachedTool): string | undefined {
    const { settings } = this.#parts;
    const { isTrusted, autoApprove, name, label } = server.entry;
    if (isTrusted) return `server "${name}" is trusted in ${label}`;
    if (autoApprove.includes(remote.tool) || autoApprove.includes("*")) {
      return `"autoApprove" of server "${name}" in ${label} names this tool`;
    }
    if (settings.current.MCP_TRUSTED_SERVERS.includes(name)) {
      return `server "${name}" is in MCP_TRUSTED_SERVERS`;
    }
    return remote.saysReadOnly && settings.current.MCP_AUTO_APPROVE_READONLY
      ? `server "${name}" says that it only reads, and MCP_AUTO_APPROVE_READONLY is on`
      : undefined;
  }

  /** A hint is a server's word: it counts where the person says that it does. */
  #believes({ server }: AttachedTool): boolean {
    const { MCP_TRUSTED_SERVERS, MCP_AUTO_APPROVE_READONLY } = this.#parts.settings.current;
    return server.entry.isTrusted || MCP_AUTO_APPROVE_READONLY ||
      MCP_TRUSTED_SERVERS.includes(server.entry.name);
  }

  #toolOf({ tool }: GuardedCall): AttachedTool | undefined {
    return this.#offers.attached().find(({ named }) => named.name === tool.name);
  }

  #warn(text: string): void {
    this.#parts.live.emit({ type: "notice", level: "warn", text, about: "mcp" });
  }
}
