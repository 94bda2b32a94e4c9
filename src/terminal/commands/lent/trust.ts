/** What `/trust` reaches: files of the project that give rights. */
import type { CommandResult } from "../spec.ts";

/** The part `trust` of what commands are lent. */
export type TrustPart = {
  /** What of the project waits for trust, as text; undefined when nothing does. */
  pending(): Promise<string | undefined>;
  /** Trust what `pending` showed last, and only as it was then; what is there now if nothing was shown. */
  grant(): Promise<CommandResult>;
};
