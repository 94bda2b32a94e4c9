/** What `/autoverify` and `/tdd` reach. */

/** The part `verify` of what commands are lent. */
export type VerifyPart = {
  /** Whether it is on, which checks there are, what would run here, and what is turned off. */
  describe(): Promise<string>;
  /** On tries again what was turned off. For this session. */
  turn(on: boolean): void;
};

/** The part `tdd`: the lock on the project's tests. */
export type TddPart = {
  /** For the next message. */
  arm(): Promise<void>;
  /** False when there was none. */
  lift(): Promise<boolean>;
};
