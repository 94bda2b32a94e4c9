/** The servers of a conversation: found, held until they are trusted, connected, and offered as tools. */
import type { FeatureParts, FeatureWork, Shared } from "@/compose/feature.ts";
import { PROGRAM } from "@/compose/program.ts";
import { visible } from "@/lib/visible.ts";
import { readServers, type ServerEntry } from "@/mcp/config.ts";
import { elicit } from "@/mcp/elicit.ts";
import { slugs } from "@/mcp/names.ts";
import { Server } from "@/mcp/server.ts";
import { type AttachedTool, Servers } from "@/mcp/servers.ts";
import { SignIns } from "@/mcp/sign_ins.ts";
import { Diagnostics } from "@/mcp/stdio_lines.ts";
import { addressText, targetOfUrl } from "@/sandbox/egress/target.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import type { RailItem } from "@/terminal/full/rail.ts";
import { isBelieved } from "./believed.ts";
import { findFiles } from "./declared.ts";
import { Offers } from "./offers.ts";
import { Pins } from "./pins.ts";
import { reachOf } from "./reach.ts";
import type { SigningParts } from "./sign_in.ts";
import { ServerNotices } from "./server_notices.ts";
import { serverWork } from "./work.ts";

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
    | "clientServers"
  >
  & {
    live: Pick<FeatureParts["live"], "emit" | "screen" | "harness">;
    env: Readonly<Record<string, string>>;
    /** Whether the person is shown at this moment how each server stands. */
    isShown(): boolean;
    /** Requests to servers; what they may reach is decided there. */
    http(url: string | URL, init?: RequestInit): Promise<Response>;
  };

const UNTRUSTED = "the project's file is not trusted as it is now; /trust shows what it would do";
const OFF = "MCP servers are switched off";

/** Make it; its servers begin to connect. */
export async function attach(parts: FeatureParts, isShown: () => boolean): Promise<Attached> {
  const env = personEnv(parts.place.env);
  const attached = new Attached({
    ...parts,
    env,
    isShown,
    http: async (url, init) => await (await parts.network.client()).fetch(url, init),
  });
  if (parts.settings.current.MCP_ENABLED) await attached.read();
  return attached;
}

/** Made once a conversation; `read` finds the servers, and may be asked again. */
export class Attached {
  readonly #parts: AttachedParts;
  readonly #pins: Pins;
  readonly #signIns: SignIns;
  readonly #offers: Offers;
  readonly #notices: ServerNotices;
  #servers = new Servers([]);
  #isOn = true;
  #connecting: Promise<void> = Promise.resolve();

  constructor(parts: AttachedParts) {
    this.#parts = parts;
    this.#signIns = new SignIns(parts.place.paths.mcpSignIns);
    this.#pins = new Pins({
      trust: parts.trust,
      workspace: parts.place.workspace,
      onProblem: (text) => this.#warn(text),
    });
    this.#notices = new ServerNotices({
      pins: this.#pins,
      toolsMax: () => parts.settings.current.MCP_MAX_TOOLS_PER_SERVER,
      warn: (text) => this.#warn(text),
      isShown: () => parts.isShown(),
    });
    this.#offers = new Offers({
      servers: () => this.#servers,
      settings: () => parts.settings.current,
      messages: () => parts.live.harness.messages(),
      believes: (tool) => isBelieved(tool, parts.settings.current),
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
    const { place, env } = this.#parts;
    const before = this.#servers;
    const { files, problems } = await this.#files();
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
    this.#notices.held(this.#servers.all);
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

  /** What signing in and out takes. */
  get signing(): SigningParts {
    const { live, http, settings } = this.#parts;
    return {
      signIns: this.#signIns,
      asker: live.screen.asker,
      http,
      timeoutMs: settings.current.MCP_STARTUP_TIMEOUT * 1000,
    };
  }

  close(): Promise<void> {
    return this.#servers.close();
  }

  /** What turns need of it. */
  work({ policy }: Pick<Shared, "policy">): FeatureWork {
    return serverWork({
      ...this.#parts,
      policy,
      pins: this.#pins,
      offers: this.#offers,
      servers: () => this.#servers,
      review: () => this.#review(),
      settled: () => this.settled(),
    });
  }

  #files(): ReturnType<typeof findFiles> {
    const { place, trust, profile, clientServers } = this.#parts;
    return findFiles({
      workspace: place.workspace,
      personal: place.paths.mcp,
      trust,
      ...(profile.mcp === undefined ? {} : { profile: profile.mcp }),
      ...(clientServers === undefined ? {} : { client: clientServers }),
    });
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
        onChange: async (server) => {
          this.#offers.changed();
          await this.#notices.changed(server);
        },
      });
    }));
  }

  #reachParts() {
    const { processes, sandbox, place, env, http } = this.#parts;
    const signIns = this.#signIns;
    return { processes, sandbox, workspace: place.workspace, home: env["HOME"], http, signIns };
  }

  /** Connect those that may be and are not. */
  #start(): void {
    if (!this.#isOn || !this.#parts.settings.current.MCP_ENABLED) return;
    const ready = this.#servers.all.filter(({ entry, state }) =>
      state.kind === "off" && !entry.isDisabled && entry.problem === undefined
    );
    this.#connecting = Promise.all([this.#connecting, this.#servers.connect(ready)]).then(() => {});
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

  /** What the person has trusted meanwhile is started. */
  async #review(): Promise<void> {
    if (!this.#isOn || !this.#servers.all.some(({ state }) => state.kind === "waiting")) return;
    const { files } = await this.#files();
    if (files.some(({ origin, isTrusted }) => origin === "project" && isTrusted)) await this.read();
  }

  #warn(text: string): void {
    this.#parts.live.emit({ type: "notice", level: "warn", text, about: "mcp" });
  }
}
