/** Runs one check: inside the boundary it is given, without input, for so long, and says what came of it. */
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";
import { clipEnd } from "@/lib/clip.ts";
import { isAbsolute } from "@/lib/path.ts";
import { plainText } from "@/lib/plain_text.ts";
import { OutputDecoder } from "@/lib/output_decoder.ts";
import { type Check, commandLine } from "@/verify/check.ts";

/** What came of a check. `unable`: it did not start, or says that it could not run; the reason ends a sentence. */
export type CheckResult =
  | { kind: "passed"; ms: number }
  | { kind: "failed"; code: number; output: string; ms: number }
  | { kind: "late"; seconds: number }
  | { kind: "unable"; why: string }
  | { kind: "aborted" };

/** How it is run. */
export type RunCheckOptions = {
  processes: Processes;
  signal: AbortSignal;
  timeoutS: number;
  /** What the person and the model may have written: a program of that name in it is not the one that is meant. */
  workspace: string;
  wrap?: Wrapper;
};

/** Programs print for a reader of text, at once, and know that nobody answers. */
export const CHECK_ENV: Readonly<Record<string, string>> = {
  CI: "1",
  // Not FORCE_COLOR=0 as well: Node then prints a warning with its process id.
  NO_COLOR: "1",
  PYTHONUNBUFFERED: "1",
};

/** Too short for any check, in seconds. */
const TIMEOUT_MIN_S = 5;

/** What is kept of what it prints: how it began and how it ended, in bytes. */
const OUTPUT_BYTES_MAX = 256 * 1024;

/** A shell's word for a program that is not there, or is none. */
const NOT_FOUND = [126, 127];

/** Run it. Never throws for what the check does. */
export async function runCheck(check: Check, options: RunCheckOptions): Promise<CheckResult> {
  const { processes, signal, workspace, wrap } = options;
  const { root, args } = check;
  const timeoutS = Math.max(TIMEOUT_MIN_S, options.timeoutS);
  const program = isAbsolute(check.program)
    ? check.program
    : await processes.find(check.program, [workspace]);
  if (program === undefined) return { kind: "unable", why: `"${check.program}" is not installed` };
  try {
    const finished = await processes.run({
      ...{
        program,
        args,
        cwd: root,
        env: { ...CHECK_ENV, ...check.env },
        stdin: "null",
        joined: true,
        orphans: "end",
      },
      ...(wrap === undefined ? {} : { wrap }),
    }, { signal, timeoutMs: timeoutS * 1_000, outputBytesMax: OUTPUT_BYTES_MAX });
    const { ended, code, ms } = finished;
    if (ended === "aborted") return { kind: "aborted" };
    if (ended === "timed_out") return { kind: "late", seconds: timeoutS };
    const decoder = new OutputDecoder();
    const output = finished.stdout.dropped === 0
      ? decoder.decode(finished.stdout.kept()) + decoder.end()
      : finished.stdout.text();
    return judged(check, { code, output, ms });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { kind: "unable", why: error.message };
  }
}

function judged(
  check: Check,
  { code, output, ms }: { code: number; output: string; ms: number },
): CheckResult {
  const isNone = check.noTests?.test(output) === true && !RAN.test(output);
  if (code === 0 || isNone || check.okCodes?.includes(code) === true) return { kind: "passed", ms };
  if (NOT_FOUND.includes(code)) {
    return { kind: "unable", why: lastLine(output) || `${commandLine(check)} is not there` };
  }
  const said = check.unable?.exec(output);
  if (said === undefined || said === null) return { kind: "failed", code, output, ms };
  return { kind: "unable", why: asWhy(said.groups?.["why"] ?? lineAt(output, said.index)) };
}

/** How runners count what they ran. One package of several that has no tests says nothing of the others. */
const RAN = /(?<!\d)[1-9]\d* (?:pass|fail)(?:ed|ing)?\b|^(?:#|ℹ) (?:pass|fail) [1-9]/m;

const WHY_CHARS_MAX = 200;

function lastLine(output: string): string {
  return asWhy(output.trimEnd().split("\n").at(-1) ?? "");
}

function lineAt(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return text.slice(start).split("\n", 1)[0] ?? "";
}

function asWhy(line: string): string {
  return clipEnd(plainText(line).trim(), WHY_CHARS_MAX);
}
