/** What the person's rules and settings say of a host: `network(HOST)` in rule files, and NETWORK_ALLOW. */
import { networkCall } from "./network_question.ts";
import type { Policy } from "@/policy/policy.ts";
import type { HostVerdict } from "@/sandbox/egress/egress.ts";
import { isAbout, namesExactly, readHostRule } from "@/sandbox/egress/host_rule.ts";
import { addressText, type Target, targetOfUrl, targetText } from "@/sandbox/egress/target.ts";
import type { Settings } from "@/settings/settings.ts";

type Parts = {
  policy: Policy;
  settings: Pick<Settings, "NETWORK_ALLOW" | "SEARXNG_URL">;
  /** Hosts allowed for this run. */
  forNow: readonly string[];
};

export class NetworkRules {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** With its port and, where that is one of the web's, without: rules are written in both ways. */
  verdict(target: Target): HostVerdict {
    const { policy } = this.#parts;
    const calls = [...new Set([targetText(target), addressText(target)])].map(networkCall);
    const denied = calls.map((call) => policy.denied(call)).find((said) => said !== undefined);
    if (denied !== undefined) {
      return { verdict: "deny", rule: denied.reason.replace(/ denies .*/, "") };
    }
    if (this.#hosts().some((rule) => isAbout(rule, target))) return { verdict: "allow" };
    if (calls.some((call) => policy.asked(call) !== undefined)) return undefined;
    return calls.some((call) => policy.allowed(call) !== undefined)
      ? { verdict: "allow" }
      : undefined;
  }

  /** Only what the person wrote themselves counts, never a file of the project. */
  isNamedPair(target: Target): boolean {
    const { policy, settings: { SEARXNG_URL } } = this.#parts;
    const url = URL.parse(SEARXNG_URL);
    const searxng = url === null ? undefined : targetOfUrl(url);
    if (searxng !== undefined && addressText(searxng) === addressText(target)) return true;
    return this.#hosts().some((rule) => namesExactly(rule, target)) ||
      policy.personAllows("network", addressText(target));
  }

  #hosts() {
    const { settings: { NETWORK_ALLOW }, forNow } = this.#parts;
    return [...forNow, ...NETWORK_ALLOW].flatMap((text) => readHostRule(text) ?? []);
  }
}
