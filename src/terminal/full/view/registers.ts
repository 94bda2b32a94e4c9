/**
 * How each register looks. A mark and an indent tell the registers apart without any colour; colour only adds to it, and
 * only ANSI 1 to 6 and 8, which every theme has made readable on its own ground.
 */
import { COLOURS, type Painted, paletteEntry } from "@/settings/palette.ts";
import type { Ink, Inks } from "../ink.ts";
import type { Ground } from "../tty.ts";

/** Everything that has a look. */
export type StyleName =
  | keyof Inks
  | Painted
  | "heading"
  | "link"
  | "emphasis"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "name"
  | "type";

/** The styles of one screen. */
export interface Registers extends Inks {
  readonly isColored: boolean;
  /** A text in several styles at once; what is in force inside of another ends with it. */
  paint(names: readonly StyleName[], text: string): string;
  ink(name: StyleName): Ink;
}

/** Marks, each one cell wide on every terminal that was looked at. */
export const MARK = {
  you: "❯",
  closed: "▸",
  open: "▾",
  ok: "✓",
  failed: "✗",
  event: "·",
  bar: "│",
  line: "─",
  more: "…",
} as const;

type Look = { weight?: "1" | "4"; colour?: string };

const DIM = COLOURS.grey;

const LOOKS: Readonly<Record<StyleName, Look>> = {
  you: { weight: "1", colour: COLOURS.yellow },
  tool: { colour: COLOURS.cyan },
  event: { colour: DIM },
  result: { colour: DIM },
  rule: { colour: DIM },
  error: { colour: COLOURS.red },
  ask: { weight: "1", colour: COLOURS.magenta },
  dim: { colour: DIM },
  bold: { weight: "1" },
  chosen: { weight: "1", colour: COLOURS.cyan },
  added: { colour: COLOURS.green },
  removed: { colour: COLOURS.red },
  code: { colour: COLOURS.cyan },
  heading: { weight: "1" },
  link: { weight: "4" },
  emphasis: { weight: "4" },
  keyword: { colour: COLOURS.magenta },
  string: { colour: COLOURS.green },
  number: { colour: COLOURS.yellow },
  comment: { colour: DIM },
  name: { colour: COLOURS.blue },
  type: { colour: COLOURS.cyan },
};

export type RegistersOptions = {
  colored: boolean;
  /** PALETTE as it is now; its entries take the place of the usual colours. */
  palette?(): readonly string[];
  /** What the letters stand on, where that is known: changed lines get a tint of it then. */
  ground?(): Ground | undefined;
};

/** Make them. Without colour, bold, faint and underline stay. */
export function registers(
  { colored, palette = () => [], ground = () => undefined }: RegistersOptions,
): Registers {
  /** The palette and the ground that `starts` was made of: a person may choose others at any time. */
  let entries = palette();
  let stoodOn = ground();
  let chosen = chosenColours(entries);
  const starts = new Map<string, string>();
  const codes = (name: StyleName): readonly string[] => {
    const { weight, colour } = LOOKS[name];
    const own = chosen.get(name) ?? tintOf(name, stoodOn) ?? colour ?? "";
    // Grey is a colour; without colours the terminal's own faintness takes its place.
    const shown = colored ? own : own === DIM || own === COLOURS.faint ? COLOURS.faint : "";
    return [weight ?? "", shown].filter((code) => code !== "");
  };
  const startOf = (names: readonly StyleName[]): string => {
    const [now, stands] = [palette(), ground()];
    if (now !== entries || stands !== stoodOn) {
      [entries, stoodOn] = [now, stands];
      chosen = chosenColours(now);
      starts.clear();
    }
    const key = names.join();
    const known = starts.get(key);
    if (known !== undefined) return known;
    const all = [...new Set(names.flatMap(codes))].join(";");
    const start = all === "" ? "" : `\x1b[${all}m`;
    starts.set(key, start);
    return start;
  };
  const paint = (names: readonly StyleName[], text: string): string => {
    if (text === "" || names.length === 0) return text;
    const start = startOf(names);
    return start === "" ? text : `${start}${text}\x1b[0m`;
  };
  const ink = (name: StyleName): Ink => (text) => paint([name], text);
  return {
    isColored: colored,
    paint,
    ink,
    you: ink("you"),
    tool: ink("tool"),
    error: ink("error"),
    ask: ink("ask"),
    dim: ink("dim"),
    bold: ink("bold"),
    added: ink("added"),
    removed: ink("removed"),
    chosen: ink("chosen"),
  };
}

/** Grounds of lines that were added and taken away: a little of green and red, under the ordinary colour of letters. */
const TINTS: Readonly<Record<Ground, { added: string; removed: string }>> = {
  dark: { added: "48;5;22", removed: "48;5;52" },
  light: { added: "48;5;194", removed: "48;5;224" },
};

function tintOf(name: StyleName, ground: Ground | undefined): string | undefined {
  if (ground === undefined || (name !== "added" && name !== "removed")) return undefined;
  return TINTS[ground][name];
}

function chosenColours(entries: readonly string[]): ReadonlyMap<StyleName, string> {
  const chosen = new Map<StyleName, string>();
  for (const entry of entries) {
    const read = paletteEntry(entry);
    if (read !== undefined) chosen.set(read.name, COLOURS[read.colour]);
  }
  return chosen;
}
