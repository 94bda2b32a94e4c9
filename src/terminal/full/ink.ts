/** What the full screen is drawn with; the colours are made in view/registers.ts. */

export type Ink = (text: string) => string;

/** One ink for each thing that is said. Without colour, what is told apart by weight stays; the rest is told by its mark. */
export type Inks = Readonly<
  Record<"you" | "tool" | "error" | "ask" | "dim" | "bold" | "added" | "removed" | "chosen", Ink>
>;
