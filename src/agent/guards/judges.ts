/**
 * Guards that are heard beside all others: a no of theirs is final, a question of theirs stands against whatever would allow
 * the call, and a yes of theirs counts no more than an allow rule that covers it.
 */
import type { Decision, Guard, GuardedCall } from "@/protocol/policy.ts";
import { firstAnswer } from "../decide.ts";

const STRICTNESS = ["allow", "ask", "deny"];

/** They are asked once a call, however often it is decided about. */
export class Judges {
  readonly #judges: readonly Guard[];
  readonly #said = new WeakMap<GuardedCall, Promise<Decision | undefined>>();
  readonly #asked = new WeakSet<GuardedCall>();

  constructor(judges: readonly Guard[]) {
    this.#judges = judges;
  }

  /** Whether the same question comes again, whatever is remembered. */
  asks(call: GuardedCall): boolean {
    return this.#asked.has(call);
  }

  /** In the place of allow rules; `mayAllow` says which calls a yes can be about. */
  allows(mayAllow: (call: GuardedCall) => boolean): Guard {
    return async (call) => {
      const said = await this.#hear(call);
      return said?.verdict === "allow" && mayAllow(call) ? said : undefined;
    };
  }

  /** Around all other guards. */
  over(guards: readonly Guard[]): readonly Guard[] {
    if (this.#judges.length === 0) return guards;
    return [async (call) => {
      const said = await this.#hear(call);
      if (said?.verdict === "deny") return said;
      const decided = await firstAnswer(guards, call);
      if (said?.verdict !== "ask" || decided.verdict === "deny") return decided;
      this.#asked.add(call);
      if (decided.verdict === "allow") return said;
      return { ...said, reason: `${said.reason}; ${decided.reason}` };
    }];
  }

  #hear(call: GuardedCall): Promise<Decision | undefined> {
    const heard = this.#said.get(call) ?? this.#askAll(call);
    this.#said.set(call, heard);
    return heard;
  }

  async #askAll(call: GuardedCall): Promise<Decision | undefined> {
    return strictest(await Promise.all(this.#judges.map((judge) => judge(call))));
  }
}

/** Of several answers the one that lets the least pass. */
export function strictest(said: readonly (Decision | undefined)[]): Decision | undefined {
  const strict = (one: Decision | undefined) =>
    one === undefined ? -1 : STRICTNESS.indexOf(one.verdict);
  return said.reduce((most, one) => strict(one) > strict(most) ? one : most, undefined);
}
