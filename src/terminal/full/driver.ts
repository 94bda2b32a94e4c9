/** What the program lends to the full screen. Before it is lent, the screen only takes what is typed. */
import type { Choice } from "./completion.ts";
import type { NotifyWay } from "./notify.ts";
import type { RailItem } from "./rail.ts";
import type { StatusFacts } from "./status.ts";

export interface Driver {
  /** Whether a turn runs, its preparation included. */
  isRunning(): boolean;
  /** Stop the turn. */
  interrupt(): void;
  /** Go on to the next mode: ask, auto, plan. */
  nextMode(): void;
  /** `contextTokens`: what the next request will at least hold, as far as it is known. */
  status(contextTokens: number | undefined): StatusFacts;
  /** A real path as the person would write it. */
  shorten(path: string): string;
  /** Takes a line at once that need not wait for the end of the turn that runs; false for all others. */
  takeNow(text: string): boolean;
  /** The slash commands, for the menu. */
  commands(): readonly Choice[];
  /** Entries that a path prefix can be completed to. */
  paths(prefix: string, signal: AbortSignal): Promise<readonly Choice[]>;
  /** What is alive besides the conversation. */
  alive(): readonly RailItem[];
  notify(): NotifyWay;
  /** Let the person edit a text in a program of their own; the terminal is theirs meanwhile. Throws when it cannot. */
  editText(text: string): Promise<string>;
}

/** The program is not there yet. */
export const NO_DRIVER: Driver = {
  isRunning: () => false,
  interrupt: () => {},
  nextMode: () => {},
  status: () => ({}),
  shorten: (path) => path,
  takeNow: () => false,
  commands: () => [],
  paths: () => Promise.resolve([]),
  alive: () => [],
  notify: () => "off",
  editText: (text) => Promise.resolve(text),
};
