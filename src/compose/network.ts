/** The network boundary of a run, made of what the composition root knows: settings, rules, and who can be asked. */
import type { AppParts } from "./parts.ts";
import { once } from "@/lib/once.ts";
import { proxyFor } from "@/lib/proxy.ts";
import { PersonError } from "@/protocol/error.ts";
import type { Approver } from "@/protocol/policy.ts";
import type { Egress, EgressClient, Refusal } from "@/sandbox/egress/mod.ts";
import type { Target } from "@/sandbox/egress/target.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import type { Settings } from "@/settings/settings.ts";

/** How long a command's connection is held while the person is asked about its host, in milliseconds. */
const ASK_MS = 60_000;
/** Refusals that nobody has taken yet. */
const REFUSALS_MAX = 20;

type Needs = Pick<AppParts, "run" | "place" | "policy"> & {
  settings: { readonly current: Settings };
  /** Something that the person should know while it runs. */
  onNotice(text: string, about?: string): void;
};

/** The way out, loaded with the first thing that may want out. */
export class Network {
  readonly #needs: Needs;
  /** Whoever can be asked; absent where there is nobody. */
  approver: Approver | undefined;
  /** `host:port` or host rules that the person added for this run. */
  readonly forNow: string[] = [];
  /** `host:port` of MCP servers that the person declared: our own requests reach them wherever they are, no command does. */
  readonly ownServers: Set<string> = new Set<string>();
  #refusals: string[] = [];
  readonly #told = new Set<string>();
  #egress: Egress | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** What decides about connections. */
  readonly egress: () => Promise<Egress> = once(async () => {
    const [{ Egress }, { resolveName }, { addressText }] = await Promise.all([
      import("@/sandbox/egress/mod.ts"),
      import("@/sandbox/egress/resolve.ts"),
      import("@/sandbox/egress/target.ts"),
    ]);
    const { run, place } = this.#needs;
    const env = personEnv(place.env);
    this.#egress = new Egress({
      isOffline: run.offline ?? false,
      verdict: async (target) => (await this.#rules()).verdict(target),
      isNamedPair: async (target, asking) =>
        (asking === "tool" && this.ownServers.has(addressText(target))) ||
        (await this.#rules()).isNamedPair(target),
      ask: (target) => this.#ask(target),
      proxyFor: (target) => proxyFor(urlOf(target), env),
      resolve: resolveName,
      onRefused: (refusal) => void this.#refused(refusal),
    });
    return this.#egress;
  });

  /** HTTP for tools and MCP servers: everything of it goes the same way. */
  readonly client: () => Promise<EgressClient> = once(async () => {
    const { EgressClient } = await import("@/sandbox/egress/mod.ts");
    const certificates = await this.#certificates();
    this.#client = new EgressClient(await this.egress(), certificates);
    return this.#client;
  });

  #client: EgressClient | undefined;

  async #certificates(): Promise<string | undefined> {
    const { CERTIFICATE_HINT, CertificateProblem, readCertificates } = await import(
      "@/lib/certificates.ts"
    );
    try {
      return await readCertificates(this.#needs.place.env.SSL_CERT_FILE);
    } catch (error) {
      if (!(error instanceof CertificateProblem)) throw error;
      throw new PersonError("settings", `${error.message}; ${CERTIFICATE_HINT}`);
    }
  }

  /** Whether a command waits because the person is being asked about a host. */
  get isAsking(): boolean {
    return this.#egress?.isAsking ?? false;
  }

  /** What commands were refused since this was last asked, a line each. */
  takeRefusals(): readonly string[] {
    return this.#refusals.splice(0);
  }

  /** The rules have changed: what was answered before does not stand in the way. */
  forget(): void {
    this.#egress?.forget();
    this.#told.clear();
  }

  async close(): Promise<void> {
    await this.#client?.[Symbol.asyncDispose]();
  }

  async #rules() {
    const { NetworkRules } = await import("./network_rules.ts");
    const { policy, settings } = this.#needs;
    return new NetworkRules({
      policy: await policy(),
      settings: settings.current,
      forNow: this.forNow,
    });
  }

  async #ask(target: Target): Promise<"yes" | "no" | "late" | undefined> {
    const { approver } = this;
    if (approver === undefined) return undefined;
    const { askAboutHost } = await import("./network_question.ts");
    const answer = await askAboutHost(target, { approver, timeoutMs: ASK_MS });
    if (typeof answer !== "object") return answer;
    await (await this.#needs.policy()).remember(answer);
    return "yes";
  }

  async #refused(refusal: Refusal): Promise<void> {
    const { refusalText } = await import("@/sandbox/egress/mod.ts");
    const text = refusalText(refusal);
    if (!this.#refusals.includes(text) && this.#refusals.length < REFUSALS_MAX) {
      this.#refusals.push(text);
    }
    // Programs try again and again.
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#needs.onNotice(text, "network");
  }
}

function urlOf({ host, port }: Target): URL {
  const scheme = port === 80 ? "http" : "https";
  return new URL(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}/`);
}
