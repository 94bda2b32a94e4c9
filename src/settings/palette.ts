/** What of the full screen has a colour of its own, and the colours there are: what PALETTE is written with. */

/** The parts of the screen whose colour a person can choose. */
export const PAINTED = [
  "you",
  "tool",
  "event",
  "result",
  "rule",
  "error",
  "ask",
  "code",
  "added",
  "removed",
] as const;

/** One of them. */
export type Painted = (typeof PAINTED)[number];

/**
 * Colours that a terminal's own theme decides about, so that they read on a light and on a dark ground: ANSI 1 to 6 and 8.
 * `faint` is less of the ordinary colour, `plain` the ordinary one.
 */
export const COLOURS = {
  red: "31",
  green: "32",
  yellow: "33",
  blue: "34",
  magenta: "35",
  cyan: "36",
  grey: "90",
  faint: "2",
  plain: "",
} as const;

/** One of them. */
export type Colour = keyof typeof COLOURS;

const ENTRY = /^([a-z]+)=([a-z]+)$/;

/** An entry of PALETTE, `NAME=COLOUR`; undefined when it is none. */
export function paletteEntry(text: string): { name: Painted; colour: Colour } | undefined {
  const match = ENTRY.exec(text);
  const name = PAINTED.find((one) => one === match?.[1]);
  const colour = match?.[2] ?? "";
  return name !== undefined && isColour(colour) ? { name, colour } : undefined;
}

function isColour(text: string): text is Colour {
  return Object.hasOwn(COLOURS, text);
}
