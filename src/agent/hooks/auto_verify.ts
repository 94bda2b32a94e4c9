/** After a turn that changed files: the project's own checks, once, and a failure is the next thing that the model reads. */
import type { Event, Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { describe } from "@/lib/describe.ts";
import { systemNote } from "@/lib/tool_result.ts";
import { type Check, checkKey, commandLine } from "@/verify/check.ts";
import { shownTail } from "@/verify/failure.ts";
import { FailureLoop } from "@/verify/failure_loop.ts";
import type { CheckResult } from "@/verify/run_check.ts";

/** What it works with; each part answers for this moment. */
export type AutoVerifyParts = {
  isOn(): boolean;
  /** How often the same failure may come back in a row before it is given up. */
  failuresMax(): number;
  /** What of a failing check's output is shown, in characters. */
  outputCharsMax(): number;
  /** The checks that these files (real paths) ask for. */
  checksOf(changed: readonly string[]): Promise<readonly Check[]>;
  /** Why a command line must not run; undefined when it may. */
  whyNotPermitted(line: string, signal: AbortSignal): Promise<string | undefined>;
  run(check: Check, signal: AbortSignal): Promise<CheckResult>;
  /** How a directory is named to the person. */
  named(root: string): string;
  emit: Sink;
};

/** A check that is not run any more in this session. */
export type TurnedOff = { line: string; root: string; why: string };

/** Runs them. One for a conversation. */
export class AutoVerify implements Hook {
  readonly name = "auto-verify";
  readonly #parts: AutoVerifyParts;
  /** Files changed since the last run, in this turn. */
  #changed = new Set<string>();
  /** What has failed last in this turn, by key, to be tried again with the next change. */
  #failed = new Map<string, Check>();
  #loops = new Map<string, FailureLoop>();
  #hasGivenUp = false;
  readonly #off = new Map<string, TurnedOff>();

  constructor(parts: AutoVerifyParts) {
    this.#parts = parts;
  }

  /** Checks that are off for the rest of the session. */
  get off(): readonly TurnedOff[] {
    return [...this.#off.values()];
  }

  /** Try again what was turned off. */
  reset(): void {
    this.#off.clear();
    this.#hasGivenUp = false;
  }

  /** A new turn forgets what the last one has left. */
  readonly sink = (event: Event): void => {
    if (event.type !== "turn_start") return;
    this.#changed = new Set();
    this.#failed = new Map();
    this.#loops = new Map();
    this.#hasGivenUp = false;
  };

  afterTool(_call: GuardedCall, { status, changed }: ToolResult): undefined {
    if (status === "ok") { for (const path of changed ?? []) this.#changed.add(path); }
  }

  async beforeStop(signal: AbortSignal): Promise<string | undefined> {
    if (!this.#parts.isOn() || this.#hasGivenUp || this.#changed.size === 0) return undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    const checks = new Map(this.#failed);
    for (const check of await this.#parts.checksOf(changed)) checks.set(checkKey(check), check);
    const texts: string[] = [];
    for (const check of checks.values()) {
      if (signal.aborted || this.#hasGivenUp) break;
      const text = await this.#verify(check, signal);
      if (text !== undefined) texts.push(text);
    }
    return texts.length === 0 ? undefined : texts.join("\n\n");
  }

  /** What the model is to read of one check; undefined for nothing. */
  async #verify(check: Check, signal: AbortSignal): Promise<string | undefined> {
    if (this.#off.has(checkKey(check))) return undefined;
    const line = commandLine(check);
    const why = await this.#whyNot(line, signal);
    if (signal.aborted) return undefined;
    if (why !== undefined) return this.#turnOff(check, `it was not run: ${why}`);
    this.#notice("info", `auto-verify: ${line} in ${this.#parts.named(check.root)}`);
    const result = await this.#parts.run(check, signal);
    switch (result.kind) {
      case "passed":
        return this.#passed(check, result.ms);
      case "failed":
        return this.#fails(check, result);
      case "late":
        return this.#turnOff(
          check,
          `it was stopped after ${result.seconds} s (VERIFY_TIMEOUT), with everything it started`,
        );
      case "unable":
        return this.#turnOff(check, `it could not run: ${result.why}`);
      case "aborted":
        return undefined;
      default:
        return result satisfies never;
    }
  }

  /** A question that breaks was not answered with yes. */
  async #whyNot(line: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await this.#parts.whyNotPermitted(line, signal);
    } catch (error) {
      return `the question could not be put: ${describe(error)}`;
    }
  }

  #passed(check: Check, ms: number): undefined {
    const again = this.#loopOf(check).passed() === "recovered" ? " again" : "";
    this.#failed.delete(checkKey(check));
    this.#notice("info", `${commandLine(check)} passed${again} (${spoken(ms)})`);
  }

  #fails(
    check: Check,
    { code, output, ms }: Extract<CheckResult, { kind: "failed" }>,
  ): string {
    const line = commandLine(check);
    this.#failed.set(checkKey(check), check);
    this.#notice("warn", `${line} failed with exit code ${code} (${spoken(ms)})`);
    if (this.#loopOf(check).failed(output) === "feed") {
      return failureText(line, code, shownTail(output, this.#parts.outputCharsMax()));
    }
    const count = this.#parts.failuresMax();
    this.#hasGivenUp = true;
    this.#notice(
      "warn",
      `The same failure came back ${count} times: auto-verify is off for the rest of this turn`,
    );
    return givenUpText(line, count);
  }

  #turnOff(check: Check, why: string): undefined {
    const line = commandLine(check);
    const root = this.#parts.named(check.root);
    this.#off.set(checkKey(check), { line, root, why });
    this.#notice(
      "warn",
      `The check ${line} is off for this session: ${why}. /autoverify on tries it again`,
    );
  }

  #loopOf(check: Check): FailureLoop {
    const key = checkKey(check);
    const loop = this.#loops.get(key) ?? new FailureLoop(() => this.#parts.failuresMax());
    this.#loops.set(key, loop);
    return loop;
  }

  #notice(level: "info" | "warn", text: string): void {
    this.#parts.emit({ type: "notice", level, text, about: "auto-verify" });
  }
}

/** Every line of the output is marked: whatever a test prints, it does not pass for a word of ours. */
function failureText(line: string, code: number, tail: string): string {
  const shown = tail === "" ? "It printed nothing" : `The end of what it printed:\n${marked(tail)}`;
  const network = NEEDS_NETWORK.test(tail)
    ? "\nChecks run in a sandbox, where the network is closed: a failure for want of it is not yours to fix, say so."
    : "";
  return systemNote(
    `After your changes the project's own check fails: ${line} (exit code ${code}). ${shown}\n` +
      `Find the cause and fix it; the check runs again when you have.${network}`,
  );
}

const NEEDS_NETWORK =
  /ENOTFOUND|EAI_AGAIN|Could not resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable/i;

function marked(text: string): string {
  return text.split("\n").map((line) => `| ${line}`).join("\n");
}

function givenUpText(line: string, count: number): string {
  return systemNote(
    `The check ${line} has failed in the same way ${count} times in a row, so it is not run again in this turn. ` +
      "Stop editing. Tell the user which check fails, what you changed and what you think is wrong: an honest description " +
      "helps them more than another guess. They can take your changes back with /undo.",
  );
}

function spoken(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
