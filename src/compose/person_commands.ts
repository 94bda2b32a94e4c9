/** What the person types after a "!": run with their rights, and told to the model. */
import type { Harness } from "@/agent/harness.ts";
import { personResult } from "@/shell/outcome_text.ts";
import type { Shell } from "@/shell/shell.ts";
import { StartError } from "@/sandbox/spawn.ts";

/** What shows it while it runs: no call of the model's has this id. */
const CALL_ID = "shell";

/** The command of a line that begins with a "!"; undefined for other lines. */
export function personCommand(line: string): string | undefined {
  const text = line.trim();
  return text.startsWith("!") ? text.slice(1).trim() : undefined;
}

export type PersonCommandParts = {
  shell: Shell;
  harness: Harness;
  /** What of a command's output the model is shown. */
  outputCharsMax: () => number;
  /** Resolves when every edit has its commit: the command may look at the repository. */
  committed(): Promise<void>;
};

/** Runs them, one at a time. */
export class PersonCommands {
  readonly #parts: PersonCommandParts;
  #running: AbortController | undefined;

  constructor(parts: PersonCommandParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Stop the one that runs; false when none does. */
  interrupt(): boolean {
    this.#running?.abort();
    return this.isRunning;
  }

  /** Run one and put it into the conversation. Resolves to what the person is to know of its end, "" when all is well. */
  async run(command: string): Promise<string> {
    const { shell, harness, outputCharsMax, committed } = this.#parts;
    const running = new AbortController();
    this.#running = running;
    harness.emit({ type: "tool_start", callId: CALL_ID, name: "!", summary: `$ ${command}` });
    try {
      await committed();
      const outcome = await shell.runForPerson(command, {
        signal: running.signal,
        onOutput: (chunk) => harness.emit({ type: "tool_output", callId: CALL_ID, chunk }),
      });
      const { text, status } = personResult(command, outcome, outputCharsMax());
      harness.add(text, "shell");
      return status;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      harness.add(`[Shell] $ ${command}\n(${error.message})`, "shell");
      return error.message;
    } finally {
      this.#running = undefined;
    }
  }
}
