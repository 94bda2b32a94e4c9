/** What a question showed the person of a change, held against what the call would do once it was answered. */
import type { GuardedCall } from "@/protocol/policy.ts";

/** One question. A yes is to what was shown; an "always" is to whatever the call does. */
export class ShownChange {
  /** The call as the question is put about it. */
  readonly call: GuardedCall;
  readonly #preview: GuardedCall["preview"];
  #shown: { text: string | undefined } | undefined;

  constructor(call: GuardedCall) {
    this.#preview = call.preview;
    if (call.preview === undefined) this.call = call;
    else this.call = { ...call, preview: () => this.#show() };
  }

  /** Why a yes does not count: the call would do something else by now than was shown. Undefined when it does. */
  async otherwise(): Promise<string | undefined> {
    if (this.#shown === undefined || await this.#preview?.() === this.#shown.text) return undefined;
    const { subject } = this.call;
    const what = subject.kind === "path"
      ? subject.paths.map((path) => `"${path}"`).join(", ")
      : "it";
    return `${what} changed while the question stood, and the call would now do something else than the person ` +
      "said yes to. Read it again and send the call anew";
  }

  async #show(): Promise<string | undefined> {
    const text = await this.#preview?.();
    this.#shown = { text };
    return text;
  }
}
