/** Programs as judges of calls: what they refuse, ask about and allow, and which arguments they would have instead. */
import { disagreement, isOneChange, namesOf, strictest } from "@/agent/guards/judges.ts";
import { type CallInput, callInput } from "@/hooks/call_input.ts";
import type { Decision, GuardedCall, Judge } from "@/protocol/policy.ts";
import { judged, wanted } from "./judged.ts";
import type { Heard } from "./rounds.ts";
import type { HookVoice } from "./voice.ts";

/**
 * A program that has changed a call is not asked about what it made of it; all others are, so that nothing runs that one of
 * them has not seen. What one of these would change again is refused: two that never agree would go on for ever.
 */
export class HookJudge implements Judge {
  readonly #voice: HookVoice;
  readonly #signal: () => AbortSignal | undefined;
  /** By the call as the model made it: who has changed it. */
  readonly #changers = new WeakMap<GuardedCall, readonly Heard[]>();

  constructor(voice: HookVoice, signal: () => AbortSignal | undefined) {
    this.#voice = voice;
    this.#signal = signal;
  }

  async hear(call: GuardedCall): ReturnType<Judge["hear"]> {
    const { insteadOf } = call;
    if (insteadOf === undefined && this.#voice.isIdle) return {};
    const told = callInput(call);
    const changers = insteadOf === undefined ? [] : this.#changers.get(insteadOf) ?? [];
    const heard = await this.#voice.hear({ hook_event_name: "PreToolUse", ...told }, {
      signal: this.#signal(),
      except: new Set(changers.map(({ program }) => program)),
    });
    for (const one of heard) if (one.program.onError === "allow") this.#voice.failed(one);
    const decision = strictest([...changers, ...heard].map(judged));
    const changes = changesOf(heard, told);
    const [first] = changes;
    if (first === undefined || decision?.verdict === "deny") return decision ? { decision } : {};
    const all = [...changers, ...changes.map(({ one }) => one)];
    const names = namesOf(all.map(({ name }) => name));
    if (insteadOf !== undefined || !isOneChange(changes)) return { decision: disagreement(names) };
    this.#changers.set(call, all);
    return { change: { input: first.input, by: names } };
  }

  async beforeQuestion(call: GuardedCall): Promise<Decision | undefined> {
    const told = callInput(call);
    const heard = await this.#voice.run({ hook_event_name: "PermissionRequest", ...told }, {
      signal: this.#signal(),
    });
    const isOfAnother = new Set(changesOf(heard, told).map(({ one }) => one));
    return strictest(heard.map((one) => this.#answer(one, isOfAnother.has(one))));
  }

  /** What cannot be run leaves the question as it is; a yes to another call is none to this one. */
  #answer(one: Heard, isOfAnother: boolean): Decision | undefined {
    if (one.answer.kind === "broken") return undefined;
    const decision = judged(one);
    if (!isOfAnother || decision?.verdict !== "allow") return decision;
    this.#voice.once(
      `${one.name} allows a call with other arguments, which a PreToolUse hook alone can change`,
    );
    return undefined;
  }
}

function changesOf(heard: readonly Heard[], told: CallInput) {
  return heard.flatMap((one) => {
    const input = wanted(one, told);
    return input === undefined ? [] : [{ one, input }];
  });
}
