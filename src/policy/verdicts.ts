/** What the rules of this moment say about calls: those of files, options and answers, beside those of one profile. */
import type { Decision, GuardedCall, Reach } from "@/protocol/policy.ts";
import { type Facts, factsOf, statesReason } from "./facts.ts";
import { allowed, asked, denied, type RuleSet } from "./gate.ts";
import { reachesFor } from "./grant.ts";
import { decideInOrder, decideOtherwise, type OrderedRules } from "./ordered.ts";
import type { RulePlace } from "./path_rule.ts";
import type { Rule, Verdict } from "./rule.ts";

/** The rules as they are now. */
export type InForce = {
  readonly set: RuleSet;
  readonly profile: OrderedRules;
  /** Rules of the project that only its not being trusted keeps out. */
  readonly waiting: readonly Rule[];
  /** Whose rule file was not understood whole. */
  readonly broken: "own" | "project" | undefined;
};

export type VerdictParts = {
  place(): RulePlace;
  /** Whether any rule is consulted. */
  isOn(): boolean;
  /** Whether a sandbox was proven. */
  isSandboxed(): boolean;
  inForce(): InForce;
};

/** Asked by the guards. Pure: no file is touched. */
export class Verdicts {
  readonly #parts: VerdictParts;
  readonly #facts = new WeakMap<GuardedCall, Facts>();

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** What denies a call: a deny rule, or the default of the profile where nothing else speaks. */
  denied(call: GuardedCall): Decision | undefined {
    if (!this.#parts.isOn()) return undefined;
    const found = denied(this.#parts.inForce().set, this.#factsOf(call), this.#parts.place()) ??
      this.#byProfile(call, "deny");
    if (found !== undefined || this.#parts.inForce().profile.otherwise?.verdict !== "deny") {
      return found;
    }
    if (this.#askedByRule(call) !== undefined || this.allowed(call) !== undefined) return undefined;
    return this.#otherwise(call);
  }

  /** What the ask rules say about a call. Where a file was not understood whole, everything is asked about. */
  asked(call: GuardedCall): Decision | undefined {
    return this.#parts.isOn() ? this.#askedByRule(call) ?? this.#askedBlindly(call) : undefined;
  }

  /** What the allow rules and grants say about a call; where none covers it, the default of the profile. */
  allowed(call: GuardedCall): Decision | undefined {
    if (!this.#parts.isOn()) return undefined;
    const otherwise = this.#otherwise(call);
    return allowed(this.#parts.inForce().set, this.#factsOf(call), this.#parts.place()).decision ??
      this.#byProfile(call, "allow") ?? (otherwise?.verdict === "deny" ? undefined : otherwise);
  }

  /** What the profile's first rule that speaks says, if it is this. */
  #byProfile(call: GuardedCall, verdict: Verdict): Decision | undefined {
    const found = decideInOrder(
      this.#parts.inForce().profile,
      this.#factsOf(call),
      this.#parts.place(),
    );
    if (found?.verdict !== verdict) return undefined;
    return verdict === "allow" && this.#parts.inForce().broken === "own" ? undefined : found;
  }

  #otherwise(call: GuardedCall): Decision | undefined {
    // What a model only keeps for itself is nothing that a default is about. The dispatcher has read the input.
    if (call.tool.keepsOwn?.(call.input as Record<string, unknown>) === true) return undefined;
    const found = decideOtherwise(this.#parts.inForce().profile, this.#factsOf(call));
    return found?.verdict === "allow" && this.#parts.inForce().broken === "own" ? undefined : found;
  }

  /** Why no allow rule covers a call that some come near to; a rule that waits for trust is named. */
  whyNotAllowed(call: GuardedCall): string | undefined {
    if (!this.#parts.isOn()) return "rules are not consulted (PERMISSIONS_ENABLED is off)";
    const facts = this.#factsOf(call);
    const place = this.#parts.place();
    const { set, waiting: rules } = this.#parts.inForce();
    const waiting = allowed({ rules, grants: [] }, facts, place).decision;
    const reasons = [
      allowed(set, facts, place).why,
      waiting === undefined ? undefined : `once the project is trusted, ${waiting.reason}`,
    ].filter((reason) => reason !== undefined);
    return reasons.length === 0 ? undefined : reasons.join("; ");
  }

  /** What an "always" about a call could cover. Nothing where a rule would ask again anyway. */
  reachesOf(call: GuardedCall): readonly Reach[] {
    if (!this.#parts.isOn() || this.denied(call) !== undefined || this.#askedByRule(call)) {
      return [];
    }
    return reachesFor(this.#factsOf(call), this.#parts.place());
  }

  #askedByRule(call: GuardedCall): Decision | undefined {
    return asked(this.#parts.inForce().set, this.#factsOf(call), this.#parts.place()) ??
      this.#byProfile(call, "ask");
  }

  /** What a file that was not understood denies is not known: only what the person allows otherwise goes unasked. */
  #askedBlindly(call: GuardedCall): Decision | undefined {
    const { broken } = this.#parts.inForce();
    if (broken === undefined || call.tool.asksPerson || this.allowed(call) !== undefined) {
      return undefined;
    }
    const whose = broken === "own" ? "your own rule file" : "the project's rule file";
    return {
      verdict: "ask",
      by: "rule",
      reason: `what ${whose} denies is not known: it is not understood whole`,
    };
  }

  #factsOf(call: GuardedCall): Facts {
    const known = this.#facts.get(call) ??
      factsOf(call, statesReason(call) && this.#parts.isSandboxed());
    this.#facts.set(call, known);
    return known;
  }
}
