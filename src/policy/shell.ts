/**
 * What a command line would do, as far as its text tells: the simple commands in it, how they are joined, what else
 * stands there, and everything that they would start in turn. Nothing is run and nothing is guessed: what is not
 * understood is said to be unclear.
 */
import { parse } from "unbash";
import { ShellReader } from "./shell_reader.ts";
import type { Word } from "./shell_word.ts";

/** Lines longer than this are not analysed. */
export const LINE_BYTES_MAX = 64 * 1024;

/** One redirection. `effect`: to nowhere or between descriptors, to a file, from a file, or a text in the line. */
export type Redirection = {
  readonly operator: string;
  readonly target: Word;
  readonly effect: "nothing" | "writes" | "reads" | "feeds";
};

/** One simple command: a program and its arguments. Without words it only assigns or redirects. */
export type SimpleCommand = {
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
};

/** A command that would run. `at`: the index of the command of the line that it is, or that starts it. */
export type Reached = { readonly words: readonly Word[]; readonly at: number };

/** Why an analysis is not complete; `overCap`: a limit of ours was reached. */
export type Unclear = { readonly why: string; readonly overCap: boolean };

/** A command line, analysed. */
export type CommandLine = {
  readonly text: string;
  /** The simple commands in order, those in `if`, loops and groups included. */
  readonly commands: readonly SimpleCommand[];
  /** What joins them (`&&`, `||`, `|`, `;`), when the line is a plain sequence. */
  readonly operators?: readonly string[];
  /** What else stands in the line and is never covered by a rule for a command. */
  readonly extras: readonly string[];
  /** Every command that would run, also inside substitutions, functions, wrappers and texts for other shells. */
  readonly reached: readonly Reached[];
  /** What would run without being visible in the line. */
  readonly opaque: readonly string[];
  readonly unclear?: Unclear;
};

/** Analyse a command line. Never throws. */
export function analyse(text: string): CommandLine {
  const bytes = text.length > LINE_BYTES_MAX ? text.length : new TextEncoder().encode(text).length;
  if (bytes > LINE_BYTES_MAX) {
    const why = `the line is longer than ${LINE_BYTES_MAX / 1024} KB`;
    return {
      text,
      commands: [],
      extras: [],
      reached: [],
      opaque: [],
      unclear: { why, overCap: true },
    };
  }
  const reader = new ShellReader();
  try {
    reader.readLine(parse(text), text);
  } catch (error) {
    // The parser is not ours: whatever it throws, the line was not understood.
    reader.confuse(`the line cannot be read (${error instanceof Error ? error.message : error})`);
  }
  return { text, ...reader.result() };
}
