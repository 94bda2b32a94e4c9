/** The colours of the full screen: only ANSI 1 to 6 and 8, so that it reads on a light and on a dark ground unasked. */

export type Ink = (text: string) => string;

/** One ink for each thing that is said. Without colour, what is told apart by weight stays; the rest is told by its mark. */
export type Inks = Readonly<
  Record<"you" | "tool" | "error" | "ask" | "dim" | "bold" | "added" | "removed" | "chosen", Ink>
>;

/** Make them. NO_COLOR takes the colours, not bold, dim and underline. */
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

/** For tests and for terminals without any styles. */
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
