/** Who may do what: decisions, guards, and the one question to whoever is watching. */
import type { Effect, Subject, ToolSpec } from "./tool.ts";

/** What is to happen with a call, who decided it, and why (a sentence that the model and the person may read). */
export type Decision = { verdict: "allow" | "deny" | "ask"; by: DecidedBy; reason: string };

/** Who decided. `nobody`: a question had to be put and there was nobody to answer it. */
export type DecidedBy = "rule" | "guard" | "grant" | "sandbox" | "automode" | "person" | "nobody";

/** A call that was read and checked, about to be decided. */
export type GuardedCall = {
  id: string;
  tool: ToolSpec;
  input: unknown;
  effect: Effect;
  /** The subject in canonical form: paths (those only read as well) are real absolute paths. */
  subject: Subject;
  /** Whether any path of the subject lies outside the workspace and the added directories. */
  outside: boolean;
  /** What would change, for the question: the whole command, or a diff. Made only when a question is put. */
  preview?(): Promise<string | undefined>;
  /** The parameter that holds the text of the subject as it stands, where the person may change it before it runs. */
  editable?: string;
  /** The call as the model made it, where a judge wants it made with other arguments. */
  insteadOf?: GuardedCall;
};

/** A path as decided about. */
export type ResolvedPath = {
  /** Real absolute path. */
  real: string;
  /** Whether it lies outside the workspace and the added directories. */
  outside: boolean;
  /** Why it must not be touched, whatever anybody answers. */
  refusal?: string;
  /** Something to say about how the path was understood. */
  note?: string;
};

/** Says where a path really leads. With "keep", a link at its end is meant itself. Never throws. */
export type PathResolver = (
  path: string,
  effect: Effect,
  leaf: "follow" | "keep",
) => Promise<ResolvedPath>;

/** One reason to allow, deny or ask. An ordered list of them decides a call; the first answer stands. */
export type Guard = (
  call: GuardedCall,
) => Decision | undefined | Promise<Decision | undefined>;

/** Other arguments for a call, and who wants them. */
export type Change = { input: Record<string, unknown>; by: string };

/**
 * Somebody who is heard beside all guards, once a call. A change replaces the call by another one, which everything is
 * decided about anew, this judge's own word included.
 */
export interface Judge {
  hear(call: GuardedCall): Promise<{ decision?: Decision; change?: Change }>;
  /** Heard where the call would be a question, before it is put. */
  beforeQuestion?(call: GuardedCall): Promise<Decision | undefined>;
}

/** The agent's only question to whoever is watching. Rejects with the signal's reason when interrupted. */
export type Approver = (
  call: GuardedCall,
  reason: string,
  reaches: readonly Reach[],
  signal: AbortSignal,
) => Promise<Approval>;

/** How far an "always" goes. `preview` says in words what it would cover, `rule` is what is saved. */
export type Reach = { kind: "literal" | "prefix" | "tool"; preview: string; rule: GrantRule };

/** A remembered approval: equality with one subject, or a rule in the grammar of the rule files. */
export type GrantRule = { tool: string; literal: string } | string;

/** Where a grant is kept: for this run, for this project, or everywhere. */
export type GrantScope = "run" | "project" | "everywhere";

/**
 * The person's answer. A yes to a call that is `editable` may hold the text that is to run instead. `nobody` is what an
 * approver without a person answers.
 */
export type Approval =
  | { answer: "yes"; instead?: string }
  | { answer: "no"; reason?: string }
  | { answer: "always"; reach: Reach; scope: GrantScope }
  | { answer: "nobody" };

/** A question with options and free text, asked through the same channel. */
export type Question = { text: string; options: readonly string[]; freeText?: boolean };

/** Asks the person. Answers stand in the order of the questions; undefined when nobody can be asked. */
export type Asker = (
  questions: readonly Question[],
  signal: AbortSignal,
) => Promise<readonly string[] | undefined>;
