/** What `/sandbox` reaches. */

/** The part `sandbox` of what commands are lent. */
export type SandboxPart = {
  /** What holds commands now, as a table; finds out first where that is not known yet. */
  describe(): Promise<string>;
};
