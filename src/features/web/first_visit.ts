/**
 * What the person is asked about the web: the first visit to a host, every request that changes something there, every
 * one that carries a secret, and the first search. A yes to a visit holds for reading there until the program ends.
 */
import type { Event } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Decision, Guard, GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";

/** What is asked for a decision. */
export type VisitParts = {
  /** The web tools; the rules of the one that says how it visits an address stand for reading a page. */
  tools: readonly ToolSpec[];
  policy: {
    denied(call: GuardedCall): Decision | undefined;
    asked(call: GuardedCall): Decision | undefined;
    allowed(call: GuardedCall): Decision | undefined;
  };
  isAuto(): boolean;
  isOffline: boolean;
  /** Why an address that needs no look-up is never reached; undefined for all others. */
  refusal(url: URL): Promise<string | undefined>;
  /** Names of secrets that a call carries. */
  secretsOf(call: GuardedCall): readonly string[];
  /** Where the words of a search go. */
  searchHosts(query: string): string;
};

/** The guard, what it learns of, and the same question about pages that nobody asked for by name. */
export class FirstVisit {
  readonly #parts: VisitParts;
  readonly #names: ReadonlySet<string>;
  readonly #reader: ToolSpec;
  readonly #visited = new Set<string>();
  /** Calls that the person said yes to. */
  readonly #approved = new Set<string>();

  constructor(parts: VisitParts) {
    this.#parts = parts;
    this.#names = new Set(parts.tools.map(({ name }) => name));
    const reader = parts.tools.find(({ visiting }) => visiting !== undefined);
    if (reader === undefined) throw new Error("No web tool says how it visits an address");
    this.#reader = reader;
  }

  readonly guard: Guard = async (call) => {
    const { policy, isOffline, isAuto } = this.#parts;
    if (!this.#names.has(call.tool.name)) return undefined;
    // What rules say is said by the guards that come after.
    if (policy.denied(call) !== undefined) return undefined;
    if (isOffline) return refuse("this run was started with --offline");
    const url = urlOf(call);
    const never = url === undefined ? undefined : await this.#parts.refusal(url);
    if (never !== undefined) return refuse(never);
    if ((policy.asked(call) ?? policy.allowed(call)) !== undefined || isAuto()) return undefined;
    const place = this.#placeOf(call);
    if (place !== undefined && this.#visited.has(place)) {
      return { verdict: "allow", by: "grant", reason: "you let it read there before in this run" };
    }
    return { verdict: "ask", by: "guard", reason: this.#reason(call, place) };
  };

  /** Learns what the person allowed. */
  readonly sink = (event: Event): void => {
    if (event.type !== "decision") return;
    const { decision: { verdict, by }, callId } = event;
    if (verdict === "allow" && by === "person") this.#approved.add(callId);
  };

  readonly hook: Hook = {
    name: "hosts that were visited",
    afterTool: (call) => {
      const place = this.#placeOf(call);
      if (this.#approved.delete(call.id) && place !== undefined) this.#visited.add(place);
      return undefined;
    },
  };

  /** Whether a redirect to another host may be followed: as if it had been asked for, and without a question. */
  mayFollow(to: URL): boolean {
    const { policy, isAuto } = this.#parts;
    if (!this.mayRead(to)) return false;
    return policy.allowed(this.#reading(to)) !== undefined || isAuto() ||
      this.#visited.has(siteOf(to.host));
  }

  /** Whether no rule stands against reading a page. */
  mayRead(url: URL): boolean {
    const { policy } = this.#parts;
    const call = this.#reading(url);
    return policy.denied(call) === undefined && policy.asked(call) === undefined;
  }

  #reading(url: URL): GuardedCall {
    return {
      ...{ id: "", tool: this.#reader, effect: "reads", outside: false },
      input: this.#reader.visiting?.(url.href) ?? {},
      subject: { kind: "url", text: url.href },
    };
  }

  /** What a yes is remembered for; undefined for a call that is asked about each time. */
  #placeOf(call: GuardedCall): string | undefined {
    if (call.effect !== "reads" || !this.#names.has(call.tool.name)) return undefined;
    if (this.#parts.secretsOf(call).length > 0) return undefined;
    const url = urlOf(call);
    return url === undefined ? call.tool.name : siteOf(url.host);
  }

  #reason(call: GuardedCall, place: string | undefined): string {
    const url = urlOf(call);
    if (url === undefined) {
      const { subject } = call;
      const hosts = this.#parts.searchHosts(subject.kind === "text" ? subject.text : "");
      return `its words go to ${hosts}, and pages that they name are read; yes holds for every search of this run`;
    }
    const secrets = this.#parts.secretsOf(call);
    if (secrets.length > 0) return `it sends ${secrets.join(" and ")} to ${url.host}`;
    if (place === undefined) return `it may change something on ${url.host}`;
    return `the first visit to ${url.host}; yes lets it read there for the rest of this run`;
  }
}

function refuse(reason: string): Decision {
  return { verdict: "deny", by: "guard", reason };
}

function urlOf({ subject }: GuardedCall): URL | undefined {
  return subject.kind === "url" ? URL.parse(subject.text) ?? undefined : undefined;
}

/** A host with and without "www." is one place. */
function siteOf(host: string): string {
  return host.replace(/^www\./, "");
}
