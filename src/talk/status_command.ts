/**
 * The person's own program behind STATUS_COMMAND: what it prints joins the status line. It runs when what it is told has
 * changed, one at a time; nothing is drawn later because of it.
 */
import { PROGRAM } from "@/compose/program.ts";
import type { PersonPrograms } from "@/compose/programs.ts";
import { visible } from "@/lib/visible.ts";
import { shellLine } from "@/sandbox/shell_line.ts";
import { StartError } from "@/sandbox/spawn.ts";

/** What it is told, in the names that such programs know; absent is not known. */
export type StatusInput = {
  session_id: string;
  cwd: string;
  model: { id: string; display_name: string };
  workspace: { current_dir: string; project_dir: string };
  version: string;
  permission_mode?: string;
  cost?: { total_cost_usd: number };
  context_window: { context_window_size?: number; used_tokens?: number; used_percentage?: number };
};

export type StatusCommandParts = {
  person(): PersonPrograms;
  /** What it said is another thing now. */
  onChange(): void;
};

const TIMEOUT_MS = 1_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
/** Between the beginnings of two runs. */
const PAUSE_MS = 300;
const CHARS_MAX = 200;

/** One for a screen. */
export class StatusCommand {
  readonly #parts: StatusCommandParts;
  #text = "";
  /** What the last run was told, its command included. */
  #told = "";
  #isRunning = false;
  #startedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: StatusCommandParts) {
    this.#parts = parts;
  }

  /** What it said last; "" where there is none. Never waits: a run that is due is begun. */
  text(command: string, input: StatusInput): string {
    if (command.trim() === "") return this.#text = this.#told = "";
    const told = JSON.stringify([command, input]);
    if (told === this.#told || this.#isRunning) return this.#text;
    const wait = this.#startedAt + PAUSE_MS - performance.now();
    if (wait > 0) this.#later(wait);
    else void this.#run(command, { told, input });
    return this.#text;
  }

  #later(ms: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#parts.onChange();
    }, ms);
    Deno.unrefTimer(this.#timer);
  }

  async #run(command: string, { told, input }: { told: string; input: StatusInput }) {
    this.#isRunning = true;
    this.#told = told;
    this.#startedAt = performance.now();
    try {
      this.#text = await this.#said(command, input);
    } finally {
      this.#isRunning = false;
      this.#parts.onChange();
    }
  }

  /** The first line that it prints; where it fails, how. */
  async #said(command: string, input: StatusInput): Promise<string> {
    const { processes, env } = this.#parts.person();
    try {
      const { ended, code, stdout } = await processes.run({
        ...shellLine(command),
        ...{ cwd: input.cwd, env },
        stdin: new TextEncoder().encode(`${JSON.stringify(input)}\n`),
      }, { timeoutMs: TIMEOUT_MS, outputBytesMax: OUTPUT_BYTES_MAX });
      if (ended === "timed_out") return "STATUS_COMMAND: not done within 1 s";
      if (ended !== "exited" || code !== 0) return `STATUS_COMMAND: exit code ${code}`;
      return lineOf(stdout.text());
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return `STATUS_COMMAND: ${error.message}`;
    }
  }
}

/** Colours are left out: the line has its own. Everything else that a terminal acts on is drawn as what it is. */
function lineOf(output: string): string {
  const [line = ""] = output.trimStart().split("\n", 1);
  // deno-lint-ignore no-control-regex
  const plain = line.replace(/\x1b\[[\d;:]*m/g, "").trim();
  return visible(plain.slice(0, CHARS_MAX), { oneLine: true });
}

/** Put together what it is told. */
export function statusInput(
  facts: { session: string; model: string; workspace: string },
  { windowTokens, contextTokens, cost, mode }: {
    windowTokens?: number;
    contextTokens: number | undefined;
    cost?: number;
    mode: "ask" | "auto" | "plan";
  },
): StatusInput {
  const { session, model, workspace } = facts;
  return {
    session_id: session,
    cwd: workspace,
    model: { id: model, display_name: model.slice(model.indexOf("/") + 1) },
    workspace: { current_dir: workspace, project_dir: workspace },
    version: PROGRAM.version,
    permission_mode: { ask: "default", auto: "bypassPermissions", plan: "plan" }[mode],
    ...(cost !== undefined && { cost: { total_cost_usd: cost } }),
    context_window: {
      ...(windowTokens !== undefined && { context_window_size: windowTokens }),
      ...(contextTokens !== undefined && { used_tokens: contextTokens }),
      ...(windowTokens !== undefined && contextTokens !== undefined && {
        used_percentage: Math.round((100 * contextTokens) / windowTokens),
      }),
    },
  };
}
