/** What `/system` reaches. */

/** The part `persona` of what commands are lent. */
export type PersonaPart = {
  /** The persona in force; "" for none. */
  text(): string;
  set(text: string): void;
};
