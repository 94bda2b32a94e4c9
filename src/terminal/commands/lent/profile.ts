/** What `/profile` reaches. */

/** The part `profile` of what commands are lent. */
export type ProfilePart = {
  /** The profile of this run, and what it says. */
  describe(): string;
};
