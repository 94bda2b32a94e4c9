/** The options of the command line, declared once. */
import type { RunOptions } from "@/compose/options.ts";

export const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true }) as const;
const many = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true, variadic: true }) as const;
export const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

export const oneOf = <const V extends readonly string[]>(values: V, brief: string) =>
  ({ kind: "enum", values, brief, optional: true }) as const;

/** What a run may do: everything that permission is decided by. */
export const PERMISSION_FLAGS = {
  auto: flag("Allow what would ask, inside the workspace"),
  plan: flag("Read only: nothing is changed"),
  allow: many("An allow rule for this run", "RULE"),
  deny: many("A deny rule for this run", "RULE"),
  sandbox: oneOf(["auto", "require", "off"], "How commands are contained"),
  trust: flag("Trust this project's rules, servers and skills for this run"),
  addDir: many("A further directory that the tools may work in", "DIR"),
  profile: text("Work as coder, supervisor, or what a directory says", "NAME|DIR"),
} as const;

export const CWD = text("Work in this directory", "DIR");
export const SET = many("A setting for this run", "NAME=VALUE");
export const PLAIN = flag("The plain screen: no cursor movement, no full screen");

export const RUN_FLAGS = {
  print: {
    kind: "parsed",
    parse: String,
    brief: "One turn without a terminal; without PROMPT, or with -, standard input is the prompt",
    placeholder: "PROMPT",
    optional: true,
    inferEmpty: true,
  },
  model: text("Provider and model, for example ollama/gemma4:e4b or demo/tour", "PROVIDER/MODEL"),
  baseUrl: text("Where the provider answers", "URL"),
  continue: flag("Reopen the newest session of this directory"),
  resume: text("Reopen a session by id, uid or title", "ID|TITLE"),
  fork: flag("With -c or -r: go on with a copy, and leave that session as it is"),
  sessionId: text("The uid of the new session, or of the copy", "UUID"),
  ...PERMISSION_FLAGS,
  cwd: CWD,
  set: SET,
  budget: text("US dollars before you are asked, or a run without a terminal ends", "AMOUNT[/day]"),
  offline: flag("Open no connection but to this machine"),
  plain: PLAIN,
  output: oneOf(["text", "json", "jsonl"], "How a run without a terminal prints"),
  outputSchema: text("JSON Schema that the answer of such a run has to fit", "FILE"),
} as const;

/** The options that are named by these flags. */
export type OptionsOf<F> = Pick<RunOptions, keyof F & keyof RunOptions>;
