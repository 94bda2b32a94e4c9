/** The process's own streams. */
import { visible } from "@/lib/visible.ts";
import { writerTo } from "./output.ts";

/** Standard output and standard error of this process. */
export const stdout = writerTo(Deno.stdout);
/** What is told beside the answer is no reason to fail. */
export const stderr = writerTo(Deno.stderr, { canFail: true });

/** Say something beside the answer, on standard error, with our name in front. */
export function tell(text: string): void {
  stderr(`harness: ${visible(text)}\n`);
}

/** Give what was asked for, on standard output. A terminal must not act on it; a file or a pipe gets it as it is. */
export function answer(text: string): void {
  if (text === "") return;
  const shown = Deno.stdout.isTerminal() ? visible(text) : text;
  stdout(shown.endsWith("\n") ? shown : `${shown}\n`);
}
