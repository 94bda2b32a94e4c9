/** What `/status` reaches. */

/** What the status line says of the conversation; what is not known is absent. `cost` in US dollars. */
export type StatusNow = {
  model: string;
  protocol?: "native" | "text";
  /** What the next request will hold, by an estimate, and what it may fill. */
  contextTokens: number;
  windowTokens?: number;
  cost?: number;
  sandbox?: string;
};

/** The part `status` of what commands are lent. */
export type StatusPart = { now(): Promise<StatusNow> };
