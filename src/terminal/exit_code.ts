/** What the program ends with. Every start loads it. */
import { PersonError } from "@/protocol/error.ts";

/** Exit codes of CONTRACT "Exit codes". */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  limit: 3,
  unapproved: 4,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** The exit code of what was not done: a wrong use is one wherever it is noticed. */
export function exitCodeOfError(error: unknown): number {
  return error instanceof PersonError && error.kind === "usage" ? EXIT.usage : EXIT.failed;
}
