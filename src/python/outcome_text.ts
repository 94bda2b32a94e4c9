/** What the model reads of a snippet. */
import { clipMiddle } from "@/lib/clip.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { VmDeath, VmOutcome } from "./vm.ts";
import type { Answer } from "./vm_process.ts";

const NAMES_SHOWN_MAX = 12;

/** A snippet as a tool result; `outputCharsMax` is what of its output is shown. */
export function vmResult(outcome: VmOutcome, outputCharsMax: number): ToolResult {
  if (outcome.kind === "unavailable") {
    return { status: "failed", text: outcome.problem };
  }
  if (outcome.kind === "not_begun") {
    return { status: "interrupted", text: "Interrupted before it began: nothing of it ran" };
  }
  const output = shown(outcome.output, outputCharsMax);
  const notes = outcome.notes.map((note) => `(${note})`);
  if (outcome.kind === "lost") return lost(outcome.why, [...notes, printed(output)]);
  const { answer } = outcome;
  const rest = [...notes, ...asides(answer)];
  if (answer.error !== undefined) return raised(answer, output, rest);
  if (answer.interrupted === true) {
    const head = `Interrupted after ${answer.seconds.toFixed(1)} s. The variables are kept.`;
    return { status: "interrupted", text: sections([head, printed(output), ...rest]) };
  }
  if (answer.exit !== undefined && answer.exit !== 0) {
    const text = sections([exitText(answer.exit), output, ...rest]);
    return { status: "failed", text, meta: { raised: "SystemExit" } };
  }
  return { status: "ok", text: sections([ranText(answer), output, valueOf(answer), ...rest]) };
}

function ranText({ seconds }: Answer): string {
  return `[Success] ran in ${seconds.toFixed(2)}s.`;
}

function valueOf({ value }: Answer): string {
  if (value === undefined) return "";
  return value.includes("\n") ? `=>\n${value}` : `=> ${value}`;
}

/** What stands below: what was kept, read again, or what would have shown something. */
function asides(answer: Answer): string[] {
  const { kept, kept_count: keptCount, reloaded } = answer;
  const more = keptCount - Math.min(NAMES_SHOWN_MAX, kept.length);
  const names = kept.slice(0, NAMES_SHOWN_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return [
    ...(answer.hint === undefined ? [] : [`(${answer.hint})`]),
    ...(answer.exit === 0 ? ["(exit() ends the snippet and not the VM)"] : []),
    ...(reloaded.length === 0 ? [] : [
      `(changed since they were imported, so import them again: ${reloaded.join(", ")})`,
    ]),
    ...(keptCount === 0 ? [] : [`(kept for your next run_python call: ${names})`]),
  ];
}

function raised(answer: Answer, output: string, rest: readonly string[]): ToolResult {
  const name = answer.raised ?? "an exception";
  const head = `The code raised ${name} after ${answer.seconds.toFixed(2)}s.`;
  const text = sections([
    output === "" ? head : `${head} It had printed:\n${output}`,
    answer.error ?? "",
    ...rest,
  ]);
  return { status: "failed", text, meta: { raised: name } };
}

function exitText(code: number | string): string {
  const said = typeof code === "number" ? `exit code ${code}` : `the message "${code}"`;
  return `The code called exit() with ${said}. That ends the snippet; the VM and its variables stay.`;
}

function lost(why: VmDeath, rest: readonly string[]): ToolResult {
  const gone = "All variables are gone; the next run_python starts a new process with none.";
  const text = sections([`${deathText(why)} ${gone}`, ...rest]);
  return {
    status: why.kind === "unstoppable" ? "interrupted" : "failed",
    text,
    meta: { lost: why.kind },
  };
}

function deathText(why: VmDeath): string {
  switch (why.kind) {
    case "late":
      return `The code was stopped after ${why.seconds} s (VM_TIMEOUT), and Python with it.`;
    case "unstoppable":
      return "Interrupted. The code did not stop by itself, so Python was ended.";
    case "unreadable":
      return "Python's answer could not be read (the code wrote into it), so Python was ended.";
    case "ended":
      return `Python has ended while the code ran, ${endText(why)}.`;
    default:
      return why satisfies never;
  }
}

/** A sandbox passes a signal on as an exit code. */
function endText({ code, signal }: { code: number; signal?: string }): string {
  if (signal !== undefined) return `by ${signal}`;
  return code > 128 && code <= 192 ? `by signal ${code - 128}` : `with exit code ${code}`;
}

function printed(output: string): string {
  return output === "" ? "It had printed nothing." : `It had printed:\n${output}`;
}

function shown(output: string, charsMax: number): string {
  return clipMiddle(
    output.replace(/(?<!\s)\s+$/, ""),
    charsMax,
    ({ lines, chars }) => `[${lines} lines (${chars} characters) left out]`,
  );
}

function sections(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
