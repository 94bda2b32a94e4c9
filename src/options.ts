/** What the command line says, read and checked; the composition root takes nothing else from it. */

/** How a run without a terminal prints. */
export type OutputFormat = "text" | "json" | "jsonl";

/** The options of `harness` itself. Absent means not given. */
export type RunOptions = {
  /** One turn without a terminal; "" or "-" reads the prompt from standard input. */
  print?: string;
  model?: string;
  baseUrl?: string;
  continue?: boolean;
  resume?: string;
  auto?: boolean;
  plan?: boolean;
  allow?: readonly string[];
  deny?: readonly string[];
  sandbox?: "auto" | "require" | "off";
  trust?: boolean;
  addDir?: readonly string[];
  cwd?: string;
  set?: readonly string[];
  offline?: boolean;
  plain?: boolean;
  output?: OutputFormat;
};

/** Turn the single-dash spellings that people know (`-resume`, `-continue`) into ours. */
export function normalise(argv: readonly string[]): string[] {
  return argv.map((arg) => /^-(resume|continue|print|model)$/.test(arg) ? `-${arg}` : arg);
}
