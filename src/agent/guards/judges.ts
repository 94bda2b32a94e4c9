/**
 * Judges are heard beside all guards: a no of theirs is final, a question of theirs stands against whatever would allow the
 * call, and a yes of theirs counts no more than an allow rule that covers it.
 */
import { isSameJson } from "@/lib/json.ts";
import type { Change, Decision, Guard, GuardedCall, Judge } from "@/protocol/policy.ts";
import { firstAnswer } from "../decide.ts";

const STRICTNESS = ["allow", "ask", "deny"];

type Opinion = Awaited<ReturnType<Judge["hear"]>>;

/** They are asked once a call, however often it is decided about. */
export class Judges {
  readonly #judges: readonly Judge[];
  readonly #heard = new WeakMap<GuardedCall, Promise<Opinion>>();
  readonly #answered = new WeakMap<GuardedCall, Promise<Decision | undefined>>();
  readonly #asked = new WeakSet<GuardedCall>();

  constructor(judges: readonly Judge[]) {
    this.#judges = judges;
  }

  /** Whether the same question comes again, whatever is remembered. */
  asks(call: GuardedCall): boolean {
    return this.#asked.has(call);
  }

  /** What the call is to be made with instead; nothing where it is refused anyway. */
  async change(call: GuardedCall): Promise<Change | undefined> {
    const { decision, change } = await this.#hear(call);
    return decision?.verdict === "deny" ? undefined : change;
  }

  /** In the place of allow rules; `mayAllow` says which calls a yes can be about. */
  allows(mayAllow: (call: GuardedCall) => boolean): Guard {
    return async (call) => {
      const { decision: said } = await this.#hear(call);
      return said?.verdict === "allow" && mayAllow(call) ? said : undefined;
    };
  }

  /** Around all other guards; `mayAnswer` says which of their questions a yes can answer. */
  over(
    guards: readonly Guard[],
    mayAnswer: (call: GuardedCall, question: Decision) => boolean,
  ): readonly Guard[] {
    if (this.#judges.length === 0) return guards;
    return [async (call) => {
      const { decision: said, change } = await this.#hear(call);
      if (said?.verdict === "deny") return said;
      // Whoever decides about it as it was made has not heard of the change.
      if (change !== undefined) return unchanged(change);
      const decided = await firstAnswer(guards, call);
      if (decided.verdict === "deny") return decided;
      if (said?.verdict === "ask") {
        this.#asked.add(call);
        return decided.verdict === "allow" ? said : alsoAsked(said, decided);
      }
      if (decided.verdict !== "ask") return decided;
      const answer = await this.#answer(call);
      if (answer?.verdict === "allow" && !mayAnswer(call, decided)) return decided;
      return answer?.verdict === "ask" ? alsoAsked(answer, decided) : answer ?? decided;
    }];
  }

  #hear(call: GuardedCall): Promise<Opinion> {
    const heard = this.#heard.get(call) ?? this.#askAll(call);
    this.#heard.set(call, heard);
    return heard;
  }

  async #askAll(call: GuardedCall): Promise<Opinion> {
    const said = await Promise.all(this.#judges.map((judge) => judge.hear(call)));
    const decision = strictest(said.map((one) => one.decision));
    const changes = said.flatMap(({ change }) => change === undefined ? [] : [change]);
    const [change] = changes;
    if (change === undefined || decision?.verdict === "deny") {
      return { ...decision && { decision } };
    }
    const by = namesOf(changes.map((one) => one.by));
    if (!isOneChange(changes)) return { decision: disagreement(by) };
    return { ...decision && { decision }, change: { ...change, by } };
  }

  #answer(call: GuardedCall): Promise<Decision | undefined> {
    const answered = this.#answered.get(call) ?? this.#answerOfAll(call);
    this.#answered.set(call, answered);
    return answered;
  }

  async #answerOfAll(call: GuardedCall): Promise<Decision | undefined> {
    return strictest(
      await Promise.all(this.#judges.map((judge) => judge.beforeQuestion?.(call))),
    );
  }
}

/** A question of a judge does not hide why the call would have been asked about anyway. */
function alsoAsked(question: Decision, { reason }: Decision): Decision {
  return { ...question, reason: `${question.reason}; ${reason}` };
}

function unchanged({ by }: Change): Decision {
  return { verdict: "deny", by: "guard", reason: `${by} lets it run with other arguments only` };
}

/** Whether all of them want the same. */
export function isOneChange(changes: readonly Pick<Change, "input">[]): boolean {
  return changes.every(({ input }) => isSameJson(input, changes[0]?.input));
}

/** Each of them once. */
export function namesOf(names: readonly string[]): string {
  return [...new Set(names)].join(" and ");
}

/** None of several changes is taken: whoever is not followed would have refused. */
export function disagreement(names: string): Decision {
  return { verdict: "deny", by: "guard", reason: `${names} do not agree about its arguments` };
}

/** Of several answers the one that lets the least pass. */
export function strictest(said: readonly (Decision | undefined)[]): Decision | undefined {
  const strict = (one: Decision | undefined) =>
    one === undefined ? -1 : STRICTNESS.indexOf(one.verdict);
  return said.reduce((most, one) => strict(one) > strict(most) ? one : most, undefined);
}
