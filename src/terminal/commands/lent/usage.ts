/** What `/usage` reaches. */

/** The part `usage` of what commands are lent. */
export type UsagePart = {
  /** What the session's requests took, as a table. */
  describe(): Promise<string>;
};
