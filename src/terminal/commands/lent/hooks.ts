/** What `/hooks` reaches: the person's own programs at moments of a turn. */

/** The part `hooks` of what commands are lent. */
export type HooksPart = {
  /** All of them as text: what is run when, where it comes from, and what waits for trust. */
  list(): Promise<string>;
};
