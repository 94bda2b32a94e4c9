/** Errors as the person reads them. */
import { PersonError } from "@/protocol/error.ts";
import { ProviderError } from "@/protocol/provider.ts";

/** The cause, and the next step on a line of its own; undefined for an error that the person cannot act on. */
export function personText(error: unknown): string | undefined {
  if (!(error instanceof PersonError || error instanceof ProviderError)) return undefined;
  return error.hint === "" ? error.message : `${error.message}\n  ${error.hint}`;
}

/** Any error: the person's in their words, a fault of ours with the place where it happened. */
export function errorText(error: unknown): string {
  const said = personText(error);
  if (said !== undefined) return said;
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  return `this is a fault of the program: ${text}`;
}
