/** One tool: the prompt, the JSON schema, dispatch, policy and the docs come from its declaration. */
import type * as z from "zod";
import type { Part } from "./message.ts";
import type { Question } from "./policy.ts";

/** A JSON Schema object, as sent to a provider. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What the model is shown of a tool. `raw` names the parameters that the text protocol carries as raw blocks. */
export type ToolDefinition = {
  name: string;
  description: string;
  schema: JsonSchema;
  raw?: readonly string[];
};

/** What a call does to anything outside the conversation: it only reads, or it changes something. */
export type Effect = "reads" | "changes";

/** Our declaration of one tool. */
export interface ToolSpec<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: I;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  /** Other names that models use for a parameter: parameter -> aliases, tried in order when it is absent or empty. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that are taken but not advertised: what models send out of habit with tools of other harnesses. */
  readonly hidden?: readonly (keyof z.infer<I> & string)[];
  /** Parameters that models are shown in a plainer form than all that is taken, because models write more forms than one. */
  readonly shownAs?: Readonly<Partial<Record<keyof z.infer<I> & string, z.ZodType>>>;
  /** Other names that models use for the tool itself. */
  readonly otherNames?: readonly string[];
  /** Spellings by which a call finds the tool when none goes by them as its name. Rules do not know them. */
  readonly spellings?: readonly string[];
  /** It can be called, but models are not shown it. */
  readonly isUnlisted?: true;
  /** The parameters where somebody else declares them; `input` then takes any object. */
  readonly foreign?: ForeignInput;
  /** Read-only stages refuse what changes anything outside the conversation. */
  effect(input: z.infer<I>): Effect;
  /**
   * What a call that is no command has to do with processes. "inside": its code runs where commands run, in the sandbox if
   * there is one; "outside": it speaks to a process that runs outside of it; "ends": it only ends what was started here.
   */
  process?(input: z.infer<I>): "inside" | "outside" | "ends" | undefined;
  /** Whether a call only adds to what harness keeps for the model: then it needs no question. */
  keepsOwn?(input: z.infer<I>): boolean;
  /** The parameter by which a call says why it has to run outside the sandbox: one that says so is asked about. */
  readonly leavesBy?: keyof z.infer<I> & string;
  /** What a policy rule's pattern is matched against. Paths as the model spelled them. */
  subject(input: z.infer<I>): Subject;
  /** Whether a call shows lines of the files that it is about: then rules that deny reading them hold for it. */
  readonly shows?: true;
  /** The input with which the tool shows lines of one file: what rules deny of it, no search shows. */
  reading?(path: string): z.infer<I>;
  /** The input with which the tool reads a page: its rules hold for pages that nobody asked for by name. */
  visiting?(url: string): z.infer<I>;
  /** The address by which a call asks an MCP server: one that no server has listed is asked about. */
  resource?(input: z.infer<I>): string;
  /** Whether there is anything to call it about now; who brings the tool leaves it out otherwise. Absent: always. */
  isOffered?(): boolean;
  /** Rules of the system prompt about its use, where it is offered. */
  readonly manual?: readonly string[];
  /** What a message that mentions such a path takes along, read and decided about like a call of the tool with that input. */
  readonly attaching?: { what: "file" | "dir" | "image"; input(path: string): z.infer<I> };
  /** What "always" covers, where path or program would be wrong. */
  scope?(input: z.infer<I>): string;
  /** Whether it is asked about although it only reads: it costs time or money before its first result. */
  readonly costs?: true;
  /** Whether all that it does is to ask the person. */
  readonly asksPerson?: true;
  /** Whether it hires a sub-agent: one that may not hire another is not offered it. */
  readonly hires?: true;
  /** The input by which it runs one command line: what is decided about that holds for what harness runs itself. */
  running?(line: string): z.infer<I>;
  /** Whether several calls of it in a row run at once; all others run one after another. */
  readonly sideBySide?: true;
  /** The sentence of a closed card, before and after. */
  summary(input: z.infer<I>, result?: ToolResult): string;
  /** What would change, for the question: a diff. Commands show themselves. Never changes anything. */
  preview?(input: z.infer<I>, host: ToolHost): Promise<string | undefined>;
  /**
   * The result of a call that would change nothing as things stand (refused, or so already): nobody is asked about it.
   * Undefined when it would change something. Never changes anything itself.
   */
  settled?(input: z.infer<I>, host: ToolHost): Promise<ToolResult | undefined>;
  /** Do it. May throw: the dispatcher turns that into a failed result. */
  run(input: z.infer<I>, host: ToolHost): Promise<ToolResult>;
}

/** Parameters as a server declares them: what models are shown, and why arguments do not fit, by its own schema. */
export type ForeignInput = {
  readonly shown: JsonSchema;
  problem(input: Readonly<Record<string, unknown>>): string | undefined;
};

/** The one result of one call. */
export interface ToolResult {
  status: ToolStatus;
  /** Without markers: `[Error] name(args):` and `[System]` are rendered from the status in one place. */
  text: string;
  parts?: readonly Part[];
  /** Real absolute paths this call changed. */
  changed?: readonly string[];
  /** For log and screen; the model never sees it. */
  meta?: Readonly<Record<string, string | number | boolean>>;
}

/** ok: done. failed: tried and failed. denied: refused before running. interrupted: stopped, partial output kept. */
export type ToolStatus = "ok" | "failed" | "denied" | "interrupted" | "not_run";

/** What a call is about. */
export type Subject =
  | {
    kind: "path";
    paths: readonly string[];
    /** Those of `paths` that are only read, in a call that changes others. */
    reads?: readonly string[];
    /** "keep": a link at the end of a path is meant itself and not what it points to (deletion). */
    leaf?: "keep";
  }
  | { kind: "command" | "url" | "text"; text: string }
  | { kind: "none" };

/** What the harness lends to a tool for one call; everything is optional to use, nothing is global. */
export interface ToolHost {
  readonly call: { id: string; name: string; turn: number; raw: readonly string[] };
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly signal: AbortSignal;
  /**
   * The real path that was decided about for a path of this call's subject, so that check and use take the same one.
   * Throws for a path that the subject did not name: a tool can only touch what it declared.
   */
  resolved(path: string): string;
  /** What the person watches. */
  output(chunk: string): void;
  /** A line in the harness's own voice, before there is a result. */
  say(line: string): void;
  /** Ask the person; undefined when nobody can be asked. */
  ask(questions: readonly Question[]): Promise<readonly string[] | undefined>;
  /** A sub-agent's report, as the result of the call that hired it. Rejects only where nobody can be hired. */
  hire(brief: Brief): Promise<ToolResult>;
  /** cwd, device and the like; undefined when the harness does not know it. */
  value(key: string): unknown;
}

/** What a sub-agent is hired for. `model` is PROVIDER/MODEL, or a model of the provider in use. */
export type Brief = { task: string; context?: string; model?: string };
