/** Which screen a conversation gets, decided before one is built. */

export type ScreenMode = "full" | "plain";

export type ModeFacts = {
  isInTerminal: boolean;
  isOutTerminal: boolean;
  /** `--plain`. */
  isPlainAsked: boolean;
  env(name: string): string | undefined;
};

/** Full only where the cursor can be moved and nobody asked for less. */
export function screenMode(
  { isInTerminal, isOutTerminal, isPlainAsked, env }: ModeFacts,
): ScreenMode {
  if (!isInTerminal || !isOutTerminal || isPlainAsked) return "plain";
  // Asked for by people who read with a screen reader, of any program.
  if (!["", "0"].includes(env("ACCESSIBLE") ?? "")) return "plain";
  const term = env("TERM") ?? "";
  // Windows has terminals that know the sequences, and no TERM.
  if (term === "dumb" || (term === "" && Deno.build.os !== "windows")) return "plain";
  return "full";
}
