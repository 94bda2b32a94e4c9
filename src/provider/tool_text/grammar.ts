/** What a family of models adds to the recognisers, and what is read with it. */
import type { Reader } from "./reader.ts";

/** One way to write calls. Every family is always on: nobody asks which model it is. */
export type Family = {
  readonly name: string;
  /** Markers around calls. */
  readonly wrappers?: readonly Wrapper[];
  /** What may stand where a payload is expected, in the order in which it is tried. */
  readonly forms?: readonly Form[];
};

/** Markers in canonical spelling, without the angle brackets. `isWeak`: also an ordinary word of markup. */
export type Wrapper = { open: string; close: readonly string[]; isWeak?: true };

/** A payload of one kind. */
export type Form = {
  /** Tags of its own, which open a call also without a marker before them. */
  tags?: readonly string[];
  /** Nothing of it says by itself that it is a call. */
  needsMarker?: true;
  /** Words that may open a call in the middle of a text, although they are no markers. */
  words?: readonly string[];
  /** Whether such a payload starts here; "more" when the text that is there does not tell yet. */
  starts(reader: Reader, at: number): Starts;
  /** The same without a marker before it, where it takes more to be sure. */
  startsBare?(reader: Reader, at: number): Starts;
  read(reader: Reader, at: number, envelope: Envelope): Item;
};

export type Starts = boolean | "more";

/** What stands around a payload. */
export type Envelope = {
  kind: "marker" | "fence" | "whole";
  /** How far a payload that starts here can reach, and whether something closed it there. */
  region(at: number): Region;
  /** Whether something at this place closes the payload from outside. */
  closes(at: number): boolean;
};

export type Region = { end: number; isClosed: boolean };

/** A call that was found. `name` as written, `tool` what it means. */
export type FoundCall = {
  name: string;
  tool: string;
  input: Record<string, unknown>;
  /** Parameters that were written as raw text between tags. */
  raw: readonly string[];
  isRepaired: boolean;
  hasArguments: boolean;
};

/** Why something that was meant as a call is none. */
export type Problem = {
  kind: "cut" | "unreadable" | "unknown_tool" | "data" | "in_reasoning";
  /** Where reading stopped. */
  at: number;
  /** The name as written, when there was one. */
  name?: string;
  input?: Record<string, unknown>;
  expected?: string;
};

/** One payload, read: its calls or what is wrong with it. `end` is where it ends in either case. */
export type Item = { end: number; calls: readonly FoundCall[]; problem?: Problem };

/** An item of which nothing can be used. */
export function unusable(end: number, problem: Problem): Item {
  return { end, calls: [], problem };
}
