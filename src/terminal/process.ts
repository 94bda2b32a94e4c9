/** The process's own streams, and how an error of the person's is printed. */
import { PersonError } from "@/protocol/error.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { visible } from "@/lib/visible.ts";
import { writerTo } from "./output.ts";

/** Standard output and standard error of this process. */
export const stdout = writerTo(Deno.stdout);
export const stderr = writerTo(Deno.stderr);

/** An error as the person reads it: the cause, then the next step. */
export function errorText(error: unknown): string {
  if (error instanceof PersonError || error instanceof ProviderError) {
    const hint = error.hint === "" ? "" : `\n  ${visible(error.hint)}`;
    return `harness: ${visible(error.message)}${hint}\n`;
  }
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  return `harness: this is a fault of the program: ${visible(text)}\n`;
}
