/** The text of `/hooks`. */
import { visible } from "@/lib/visible.ts";
import type { HookProgram } from "@/hooks/declared.ts";
import type { FoundHooks } from "./found.ts";

const NONE =
  "No hooks are declared. You declare them in hooks.json of the state directory, a project in .hooks.json: " +
  '{"hooks": {"PreToolUse": [{"matcher": "run_cmd", "hooks": [{"type": "command", "command": "…"}]}]}}';

/** Every program with its place and its rights; what waits, and what is wrong. */
export function listed({ programs, waiting, problems }: FoundHooks): string {
  const rows = [
    ...programs.flatMap(rowsOf),
    ...waiting.map((label) =>
      `${label} of this project is not trusted as it is now, and nothing of it is run; /trust shows what it would do`
    ),
    ...problems.map((problem) => `problem: ${problem}`),
  ];
  return rows.length === 0 ? NONE : rows.join("\n");
}

function rowsOf(program: HookProgram): readonly string[] {
  const { event, matcher, command, args = [], problem } = program;
  const of = matcher === "" || matcher === "*" ? "" : ` (${matcher})`;
  const line = [`${event}${of}:`, command, ...args].join(" ");
  return [visible(line, { oneLine: true }), `  ${aboutOf(program, problem)}`];
}

function aboutOf(
  { event, label, isInside, timeoutS, origin, onError }: HookProgram,
  problem: string | undefined,
): string {
  const from = `${origin === "person" ? "yours" : "the project's, trusted"}, from ${label}`;
  if (problem !== undefined) {
    const then = event === "PreToolUse" && onError === "ask"
      ? "; calls that it is for are asked about"
      : "";
    return visible(`${from}: cannot be run, ${problem}${then}`, { oneLine: true });
  }
  const where = isInside ? "in the sandbox" : "with your rights, outside the sandbox";
  return `${from}; ${where}, at most ${timeoutS} s`;
}
