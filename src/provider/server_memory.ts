/** What servers have taught us in this run, per base URL and model. Made once and handed to every provider. */

/** What is known of one model at one server. Members are changed where something is learnt. */
export type LearntFacts = {
  /** The true context window, where an overflow error named it. */
  windowTokens?: number;
  /** The most that a reply may hold, where a refusal named it. */
  outputTokensMax?: number;
  /** The name that the server wants for the cap on the reply. */
  capField?: "max_completion_tokens" | "max_tokens";
  /** The model takes tools over the Responses API only. */
  speaksResponses?: boolean;
  /** Optional fields of the request that the server refuses; they are left out. */
  readonly refusedFields: Set<string>;
  /** Signatures that a server takes for another's: made with another key or by another route. */
  readonly refusedSignatures: Set<string>;
  /** Notices that the person has been given. */
  readonly told: Set<string>;
};

/** Facts by base URL and model. */
export class ServerMemory {
  readonly #facts = new Map<string, LearntFacts>();

  /** The facts of one model, empty at first. */
  of(baseUrl: string, model: string): LearntFacts {
    const key = JSON.stringify([baseUrl, model]);
    const known = this.#facts.get(key);
    if (known !== undefined) return known;
    const fresh: LearntFacts = {
      refusedFields: new Set(),
      refusedSignatures: new Set(),
      told: new Set(),
    };
    this.#facts.set(key, fresh);
    return fresh;
  }
}
