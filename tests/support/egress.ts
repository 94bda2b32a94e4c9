/** An egress of a test: what it lets through is said, everything else is as in the program. */
import { Egress, type EgressParts } from "@/sandbox/egress/egress.ts";
import { type Refusal, refusalText } from "@/sandbox/egress/refusal.ts";
import { addressText, targetText } from "@/sandbox/egress/target.ts";

export type EgressOptions = Partial<EgressParts> & {
  allow?: readonly string[];
  deny?: readonly string[];
  /** `host:port` that the person named. */
  pairs?: readonly string[];
  /** Name → addresses. */
  names?: Readonly<Record<string, readonly string[]>>;
};

/** With the refusals that commands met, and the names that were looked up. */
export function testEgress(options: EgressOptions = {}) {
  const { allow = [], deny = [], pairs = [], names = {}, ...parts } = options;
  const refusals: Refusal[] = [];
  const looked: string[] = [];
  const egress = new Egress({
    isOffline: false,
    verdict: (target) => {
      const text = targetText(target);
      if (deny.includes(text)) return Promise.resolve({ verdict: "deny", rule: `rule "${text}"` });
      return Promise.resolve(allow.includes(text) ? { verdict: "allow" } : undefined);
    },
    isNamedPair: (target) => Promise.resolve(pairs.includes(addressText(target))),
    proxyFor: () => undefined,
    resolve: (name) => {
      looked.push(name);
      return Promise.resolve(names[name] ?? []);
    },
    onRefused: (refusal) => refusals.push(refusal),
    ...parts,
  });
  return { egress, looked, refused: () => refusals.map(refusalText) };
}
