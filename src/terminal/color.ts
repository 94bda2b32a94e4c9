/** Whether to colour, computed by us: Deno.noColor lets NO_COLOR win over FORCE_COLOR and knows nothing of TERM=dumb. */

/** What decides; all from outside so that it can be tested. */
export type ColorFacts = {
  isTerminal: boolean;
  env(name: string): string | undefined;
};

/** FORCE_COLOR (0 is off) over NO_COLOR (not empty) over TERM=dumb over whether it is a terminal. */
export function isColored({ isTerminal, env }: ColorFacts): boolean {
  const force = env("FORCE_COLOR") ?? env("CLICOLOR_FORCE");
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if ((env("NO_COLOR") ?? "") !== "") return false;
  if (env("TERM") === "dumb") return false;
  return isTerminal;
}

export type Paint = (text: string) => string;

/** The few styles that plain output uses; identity when colour is off. */
export function palette(on: boolean): Record<"dim" | "bold" | "warm" | "cool" | "red", Paint> {
  const sgr = (code: number): Paint =>
    on ? (text) => `\x1b[${code}m${text}\x1b[0m` : (text) => text;
  return { dim: sgr(2), bold: sgr(1), warm: sgr(33), cool: sgr(36), red: sgr(31) };
}
