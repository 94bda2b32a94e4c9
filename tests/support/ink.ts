/** The styles of a test screen: those of sixteen colours, or none. */
import type { Ink, Inks } from "@/terminal/full/ink.ts";

/** Some. NO_COLOR takes the colours, not bold, dim and underline. */
export function inks({ colored }: { colored: boolean }): Inks {
  const style = (weight: string, color: string): Ink => {
    const codes = [weight, colored ? color : ""].filter((code) => code !== "").join(";");
    return codes === ""
      ? (text) => text
      : (text) => text === "" ? "" : `\x1b[${codes}m${text}\x1b[0m`;
  };
  return {
    you: style("1", "33"),
    tool: style("", "36"),
    error: style("", "31"),
    ask: style("1", "35"),
    dim: style(colored ? "" : "2", "90"),
    bold: style("1", ""),
    added: style("", "32"),
    removed: style("", "31"),
    chosen: style("1", "36"),
  };
}

/** None. */
export const NO_INKS: Inks = {
  you: same,
  tool: same,
  error: same,
  ask: same,
  dim: same,
  bold: same,
  added: same,
  removed: same,
  chosen: same,
};

function same(text: string): string {
  return text;
}
