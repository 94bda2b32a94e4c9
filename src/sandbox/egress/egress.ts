/**
 * The one way out: whether a connection may be made, and making it. The name is checked, then resolved, then the address
 * is checked, and exactly that address is dialled: nothing is resolved twice, so that no answer can change in between.
 */
import { describe } from "@/lib/describe.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { Proxy } from "@/lib/proxy.ts";
import { addressProblem, isAddress } from "./address.ts";
import { EgressRefused, type Refusal, type RefusalReason } from "./refusal.ts";
import { type Target, targetText } from "./target.ts";
import { dialThrough } from "./upstream.ts";

/** Who wants out. A tool's host was decided about when its call was; a command's is decided about here. */
export type Asking = "command" | "tool";

/** What the person's rules say of a host. */
export type HostVerdict =
  | { verdict: "allow" }
  | { verdict: "deny"; rule: string }
  | undefined;

/** What it works with. */
export type EgressParts = {
  isOffline: boolean;
  /** What the person's rules say of the name, before anything is looked up. */
  verdict(target: Target): Promise<HostVerdict>;
  /** Whether the person named this host with this port: then it may be this machine or its network. */
  isNamedPair(target: Target, asking: Asking): Promise<boolean>;
  /** Asks the person about a host that no rule speaks of; undefined where there is nobody. */
  ask?(target: Target): Promise<HostAnswer>;
  /** The proxy that the person reaches the internet through, if any. */
  proxyFor(target: Target): Proxy | undefined;
  /** The addresses of a name; empty where there is no such host. */
  resolve(name: string): Promise<readonly string[]>;
  /** Told of every connection of a command that is not made. */
  onRefused(refusal: Refusal): void;
};

/** What the person said about a host; `late`: nothing in time. */
export type HostAnswer = "yes" | "no" | "late" | undefined;

const DIAL_MS = 10_000;
const RESOLVE_MS = 10_000;
const ADDRESSES_MAX = 8;

/** Opens connections for whoever asks, or says why not. */
export class Egress {
  readonly #parts: EgressParts;
  /** What the person answered about hosts in this run. */
  readonly #answers = new Map<string, Promise<HostAnswer>>();

  constructor(parts: EgressParts) {
    this.#parts = parts;
  }

  /** Whether the person is being asked about a host at this moment: whoever waits for a connection waits for them. */
  get isAsking(): boolean {
    return this.#asking > 0;
  }

  #asking = 0;

  /** The variable that names the proxy on the way to the internet, if there is one. */
  get through(): string | undefined {
    return this.#parts.proxyFor({ host: "example.com", port: 443 })?.from;
  }

  /** Forget the answers: the person has changed the rules. */
  forget(): void {
    this.#answers.clear();
  }

  /** Open a connection. Throws EgressRefused, which a command's refusals are told of as well. */
  async connect(target: Target, asking: Asking): Promise<Deno.Conn> {
    try {
      return await this.#connect(target, asking);
    } catch (error) {
      if (error instanceof EgressRefused && asking === "command") this.refused(error.refusal);
      throw error;
    }
  }

  /** Throws EgressRefused where a connection would be refused, as far as that is known without making it. */
  async check(target: Target, asking: Asking): Promise<void> {
    await this.#addresses(target, asking);
  }

  /** A connection of a command was not made. */
  refused(refusal: Refusal): void {
    this.#parts.onRefused(refusal);
  }

  async #connect(target: Target, asking: Asking): Promise<Deno.Conn> {
    const addresses = await this.#addresses(target, asking);
    const proxy = this.#parts.proxyFor(target);
    if (proxy !== undefined) return await dialThrough(proxy, target);
    let cause = "no address";
    for (const hostname of addresses.slice(0, ADDRESSES_MAX)) {
      const dialled = await dial(hostname, target.port);
      if (typeof dialled !== "string") return dialled;
      cause = dialled;
    }
    throw refusal(target, { by: "unreachable", cause });
  }

  /** The addresses that may be dialled. None where the name is only known behind the person's own proxy. */
  async #addresses(target: Target, asking: Asking): Promise<readonly string[]> {
    if (this.#parts.isOffline) throw refusal(target, { by: "offline" });
    const isNamed = await this.#parts.isNamedPair(target, asking);
    const literal = isAddress(target.host);
    if (literal && !isNamed) refuseAddresses(target, [target.host]);
    await this.#decide(target, asking, isNamed);
    if (literal) return [target.host];
    const found = await this.#resolve(target);
    if (found.length === 0) {
      // Behind a proxy, names of the internet are often known to it alone. Never those that mean ourselves.
      if (this.#parts.proxyFor(target) !== undefined && !isLocalName(target.host)) return [];
      throw refusal(target, { by: "unknown host" });
    }
    return isNamed ? found : refuseAddresses(target, found);
  }

  async #decide(target: Target, asking: Asking, isNamed: boolean): Promise<void> {
    const said = await this.#parts.verdict(target);
    if (said?.verdict === "deny") throw refusal(target, { by: "denied", rule: said.rule });
    if (said?.verdict === "allow" || isNamed || asking === "tool") return;
    // Before anything is looked up: a name alone can carry something out.
    const answer = await this.#ask(target);
    if (answer === undefined) throw refusal(target, { by: "not allowed" });
    if (answer !== "yes") throw refusal(target, { by: "person", answer });
  }

  async #ask(target: Target): Promise<HostAnswer> {
    const { ask } = this.#parts;
    if (ask === undefined) return undefined;
    const key = targetText(target);
    const known = this.#answers.get(key);
    if (known !== undefined) return await known;
    this.#asking += 1;
    const asked = ask(target).finally(() => {
      this.#asking -= 1;
    });
    this.#answers.set(key, asked);
    return await asked;
  }

  async #resolve(target: Target): Promise<readonly string[]> {
    const found = this.#parts.resolve(target.host);
    if (await settlesWithin(found, RESOLVE_MS)) return await found;
    throw refusal(target, { by: "unreachable", cause: "its name was not resolved in time" });
  }
}

/** Those that lead to the internet. Throws where none does. */
function refuseAddresses(target: Target, addresses: readonly string[]): readonly string[] {
  const open = addresses.filter((address) => addressProblem(address) === undefined);
  const [first = ""] = addresses;
  if (open.length > 0) return open;
  const what = addressProblem(first) ?? "";
  const isNamed = !isAddress(target.host);
  throw refusal(target, { by: "address", address: first, what, isNamed });
}

function isLocalName(host: string): boolean {
  return !host.includes(".") ||
    /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/.test(host);
}

/** A connection, or why there is none. */
async function dial(hostname: string, port: number): Promise<Deno.TcpConn | string> {
  const connecting = Deno.connect({ hostname, port });
  if (!await settlesWithin(connecting, DIAL_MS)) {
    void connecting.then((late) => late.close(), () => undefined);
    return `no answer within ${DIAL_MS / 1000} s`;
  }
  try {
    return await connecting;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return describe(error);
  }
}

function refusal(target: Target, reason: RefusalReason): EgressRefused {
  return new EgressRefused({ target, reason });
}
