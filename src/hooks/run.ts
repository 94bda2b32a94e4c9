/** Runs one program for one moment: without a terminal, with so much time and output, and ended with all it started. */
import { clipEnd } from "@/lib/clip.ts";
import { visible } from "@/lib/visible.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import { shellLine } from "@/sandbox/shell_line.ts";
import { StartError } from "@/sandbox/spawn.ts";
import { type Answer, ANSWER_BYTES_MAX, answerOf } from "./answer.ts";
import type { HookProgram } from "./declared.ts";
import type { CommonInput, HookInput } from "./event.ts";

/** How programs are run. */
export type RunHookParts = {
  /** With the person's rights and their whole environment: what they have written down themselves. */
  person: { processes: Pick<Processes, "run">; env: Readonly<Record<string, string>> };
  /** With the environment that commands have, for what runs in the sandbox. */
  processes: Pick<Processes, "run">;
  /** What puts a program in the sandbox; undefined where none holds. */
  inside(): Promise<Wrapper | undefined>;
  workspace: string;
};

const NO_SANDBOX =
  "it is to run in the sandbox, like every program of a project, and no sandbox holds here";
const NAME_CHARS = 60;

/** How it is called in sentences. */
export function programName({ command, args = [], label }: HookProgram): string {
  const line = clipEnd([command, ...args].join(" "), NAME_CHARS);
  return `hook "${visible(line, { oneLine: true })}" (${label})`;
}

/** Run it. Never throws for what it does. */
export async function runHook(
  program: HookProgram,
  input: CommonInput & HookInput,
  { parts, signal, timeoutMs = program.timeoutS * 1_000 }: {
    parts: RunHookParts;
    signal: AbortSignal | undefined;
    timeoutMs?: number;
  },
): Promise<Answer> {
  if (program.problem !== undefined) return { kind: "broken", why: program.problem };
  const { workspace } = parts;
  const wrap = program.isInside ? await parts.inside() : undefined;
  if (program.isInside && wrap === undefined) return { kind: "broken", why: NO_SANDBOX };
  const { processes, env } = program.isInside
    ? { processes: parts.processes, env: {} }
    : parts.person;
  try {
    const finished = await processes.run({
      ...startOf(program),
      cwd: workspace,
      env: { ...env, CLAUDE_PROJECT_DIR: workspace },
      stdin: new TextEncoder().encode(`${JSON.stringify(input)}\n`),
      ...(wrap !== undefined && { wrap }),
    }, {
      timeoutMs,
      outputBytesMax: ANSWER_BYTES_MAX,
      ...(signal !== undefined && { signal }),
    });
    return answerOf(program.event, finished);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { kind: "broken", why: error.message };
  }
}

function startOf({ command, args }: HookProgram) {
  if (args !== undefined) return { program: command, args };
  return shellLine(command);
}
