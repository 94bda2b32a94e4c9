/** What `/usage` and the budget reach. */

/** What a session has cost: the sum of what is known, and how many requests have no known price. */
export type Spent = { dollars: number; unpriced: number };

/** The part `usage` of what commands are lent. */
export type UsagePart = {
  /** What the session's requests took, as a table. */
  describe(): Promise<string>;
  /** Undefined until turns have what they work with. */
  spent(): Spent | undefined;
};
