/** What the command line says, read and checked; the composition root takes nothing else from it. */

import { readBudget } from "@/agent/budget.ts";
import { resolve } from "@/lib/path.ts";
import { problemSentence, ruleProblem } from "@/policy/rule.ts";
import { PersonError } from "@/protocol/error.ts";
import { splitAssignment } from "@/settings/names.ts";

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
  /** Go on with a copy of the session that is reopened. */
  fork?: boolean;
  /** The uid of the session that is begun. */
  sessionId?: string;
  auto?: boolean;
  plan?: boolean;
  allow?: readonly string[];
  deny?: readonly string[];
  sandbox?: "auto" | "require" | "off";
  trust?: boolean;
  addDir?: readonly string[];
  cwd?: string;
  set?: readonly string[];
  budget?: string;
  offline?: boolean;
  plain?: boolean;
  profile?: string;
  output?: OutputFormat;
  /** File of a JSON Schema that the answer has to fit. */
  outputSchema?: string;
};

/** `NAME=VALUE` texts as a table. Throws PersonError of kind "usage". */
export function overridesOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => {
    const assignment = splitAssignment(text);
    if (assignment !== undefined) return assignment;
    throw new PersonError("usage", `--set "${text}" has no value`, "Write --set NAME=VALUE");
  }));
}

/** The settings that a run has by its flags. Throws PersonError of kind "usage". */
export function settingsOf({ set = [], budget }: RunOptions): Record<string, string> {
  if (budget === undefined) return overridesOf(set);
  const read = readBudget(budget);
  if (read === undefined) {
    throw new PersonError(
      "usage",
      `--budget "${budget}" is no amount`,
      "Write US dollars as 2.50 for this session, or 10/day",
    );
  }
  const name = read.what === "day" ? "BUDGET_DAY" : "BUDGET_SESSION";
  return { ...overridesOf(set), [name]: String(read.max) };
}

/** Real paths of the directories of `--add-dir`, from where the person stood. Throws PersonError of kind "usage". */
export async function addedDirectories(
  dirs: readonly string[],
  stoodIn: string,
): Promise<string[]> {
  const added: string[] = [];
  for (const dir of dirs) {
    try {
      const real = await Deno.realPath(resolve(stoodIn, dir));
      if (!(await Deno.stat(real)).isDirectory) throw new Deno.errors.NotADirectory();
      added.push(real);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new PersonError(
        "usage",
        `--add-dir "${dir}" is not a directory`,
        "Name one that exists",
      );
    }
  }
  return added;
}

/** Refuse rules of `--allow` and `--deny` that are none: a rule that silently does nothing protects nobody. */
export function checkRules({ allow = [], deny = [] }: RunOptions): void {
  for (const text of [...allow, ...deny]) {
    const problem = ruleProblem(text);
    if (problem === undefined) continue;
    throw new PersonError(
      "usage",
      problemSentence(text, problem),
      "Write a rule as TOOL or TOOL(PATTERN)",
    );
  }
}
