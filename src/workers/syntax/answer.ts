/** What the syntax worker is asked, and what it answers. Lines and columns count from 1. */
import type { Language } from "../grammars.ts";

/** A piece of source code, its lines ended by "\n". */
export type Source = { language: Language; text: string };

/** What to do with a piece of source code. */
export type SyntaxJob =
  | { kind: "outline" }
  | { kind: "query"; pattern: string; matchesMax: number }
  | { kind: "names" };

/** What a job came to. */
export type SyntaxAnswer =
  | { kind: "outline"; outline: Outline }
  | { kind: "query"; found: QueryFound }
  | { kind: "names"; names: Names }
  /** The query cannot be read. */
  | { kind: "bad-query"; sentence: string };

/** What a file declares. `errorLines` are the first lines that are no valid code. */
export type Outline = { entries: Entry[]; total: number; errorLines: number[] };

/** A parameter of a function. */
export type Parameter = { name: string; type?: string; default?: string };

/** One declaration. `type` is "function", "class", or for files without either what it is ("key", "rule" …). */
export type Entry = {
  type: string;
  /** What the language calls it, where `type` does not say it: "interface", "struct". */
  kind?: string;
  name: string;
  line: number;
  end_line: number;
  parameters?: Parameter[];
  return_type?: string;
  decorators?: string[];
  bases?: string[];
  methods?: Entry[];
  children?: Entry[];
};

/** A captured node. */
export type Capture = {
  name: string;
  type: string;
  text: string;
  line: number;
  column: number;
  endLine: number;
};

/** The first matches, and how many there are; `more`: there may be even more. */
export type QueryFound = { matches: Capture[][]; total: number; more: boolean };

/** Where names stand in a file: what it defines, and all places of each name, as line and column one after the other. */
export type Names = {
  definitions: { name: string; kind: string; line: number; column: number; within?: string }[];
  uses: Record<string, number[]>;
  /** There were more names than are kept. */
  clipped: boolean;
};

/** To the worker. */
export type SyntaxRequest =
  | { type: "runtime"; wasm: Uint8Array<ArrayBuffer> }
  | { type: "grammar"; language: Language; wasm: Uint8Array<ArrayBuffer> }
  | { type: "job"; source: Source; job: SyntaxJob };

/** From the worker: one for each request, and one when it has started. `failed` leaves a worker that cannot be used. */
export type SyntaxReply =
  | { type: "ready" }
  | { type: "answer"; answer: SyntaxAnswer }
  | { type: "failed"; cause: string };
