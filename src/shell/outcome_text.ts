/** What the model reads of a command. */
import { clipEnd, clipMiddle } from "@/lib/clip.ts";
import { systemNote } from "@/lib/tool_result.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { Outcome } from "@/shell/outcome.ts";
import type { WaitingWhy } from "@/shell/waiting.ts";

const COMMAND_CHARS_MAX = 80;

/** A command as a tool result; `outputCharsMax` is what of its output is shown. */
export function outcomeResult(outcome: Outcome, outputCharsMax: number): ToolResult {
  const result = endResult(outcome, outputCharsMax);
  // What the proxy has answered itself stands in the output of some programs already.
  const refused = (outcome.refused ?? []).filter((line) => !result.text.includes(line));
  if (refused.length === 0) return result;
  return { ...result, text: [result.text, ...refused.map(systemNote)].join("\n") };
}

function endResult(outcome: Outcome, outputCharsMax: number): ToolResult {
  const output = shownOutput(outcome, outputCharsMax);
  const followedBy = (sentence: string) => output === "" ? sentence : `${output}\n\n${sentence}`;
  switch (outcome.kind) {
    case "ended":
      return endedResult(outcome, output);
    case "waiting":
      return {
        status: "ok",
        text: followedBy(waitingText(outcome) + terminalHint(output)),
        meta: { session: outcome.session },
      };
    case "running":
      return {
        status: "ok",
        text: followedBy(
          `[Running] ${shown(outcome.command)} goes on in the background. ${
            handles(outcome.session)
          }`,
        ),
        meta: { session: outcome.session },
      };
    case "late":
      return {
        status: "failed",
        text:
          `The command was stopped after ${
            seconds(outcome.seconds)
          }, with everything it started. ` +
          `timeout_s gives it longer; background lets it stay. ${printed(output)}`,
      };
    case "aborted":
      return {
        status: "interrupted",
        text: `Interrupted after ${seconds(outcome.seconds)}. ${printed(output)}`,
      };
    case "stopped":
      return {
        status: "ok",
        text: `${outcome.session} (${shown(outcome.command)}) was ended. ${printed(output)}`,
      };
    default:
      return outcome satisfies never;
  }
}

/** What the person's own command came to: `text` for the conversation, `status` for the screen, "" when all is well. */
export function personResult(
  command: string,
  outcome: Outcome,
  outputCharsMax: number,
): { text: string; status: string } {
  const output = shownOutput(outcome, outputCharsMax);
  const status = [personStatus(outcome), terminalNote(output)].filter((part) => part !== "")
    .join("; ");
  const end = status === "" ? "" : `\n(${status})`;
  return { text: `[Shell] $ ${command}\n${output || "(no output)"}${end}`, status };
}

function personStatus(outcome: Outcome): string {
  switch (outcome.kind) {
    case "ended": {
      const { code, signal, left } = outcome;
      const ended = signal !== undefined
        ? `ended by ${signal}`
        : code === 0
        ? ""
        : `exit code ${code}`;
      const stays = left === undefined
        ? ""
        : `it left something running as ${left.session}; /ps shows it`;
      return [ended, stays].filter((part) => part !== "").join("; ");
    }
    case "aborted":
      return "stopped by the person";
    default:
      return `not finished after ${outcome.kind}`;
  }
}

/** ssh says this whenever it runs a command, and goes on. */
const NO_MATTER = /^Pseudo-terminal will not be allocated because stdin is not a terminal\.\s*$/gm;

function wantsTerminal(output: string): boolean {
  return WANTS_TERMINAL.test(output.replace(NO_MATTER, ""));
}

function terminalNote(output: string): string {
  return wantsTerminal(output)
    ? "it wants a terminal, and commands typed here have none: run it in a terminal of its own"
    : "";
}

function shownOutput({ output }: Outcome, outputCharsMax: number): string {
  return clipMiddle(
    output.replace(/(?<!\s)\s+$/, ""),
    outputCharsMax,
    ({ lines, chars }) => `[${lines} lines (${chars} characters) left out]`,
    1 / 3,
  );
}

function endedResult(
  { code, signal, left }: Extract<Outcome, { kind: "ended" }>,
  output: string,
): ToolResult {
  const stays = left === undefined
    ? ""
    : `\n\n[Running] It left ${
      left.processes === 1 ? "a process" : `${left.processes} processes`
    } ` +
      `running as ${left.session}. ${handles(left.session)}`;
  const meta = { exitCode: code };
  if (code === 0) {
    const text = output === "" ? "The command succeeded and printed no output" : output;
    return { status: "ok", text: text + stays, meta };
  }
  const how = signal === undefined
    ? `Command failed (exit code ${code}).`
    : `Command was ended by ${signal} (exit code ${code}).`;
  const hint = terminalHint(output);
  return {
    status: "failed",
    text: `${how}\n${output || "It printed no output"}${hint}${stays}`,
    meta,
  };
}

function waitingText(
  { session, command, why, quietS, closed }: Extract<Outcome, { kind: "waiting" }>,
): string {
  const call = JSON.stringify({ name: "send_input", arguments: { session } });
  const others = closed.length === 0
    ? ""
    : `\nEnded, because it waited longest for an answer: ${closed.join(", ")}`;
  return `[Waiting] ${shown(command)} is still running and has printed nothing for ${
    seconds(quietS)
  }, ` +
    `${
      REASONS[why]
    }. Answer it with send_input (without stdin it listens on; end_process stops it):\n    ` +
    call + others;
}

const REASONS: Readonly<Record<WaitingWhy, string>> = {
  prompt: "and its last line has no end, so it is most likely waiting for input",
  reads: "and it reads its input: it is waiting for an answer",
  idle: "and it is idle, so it is probably waiting for input",
  silent: "so it is busy or waiting, and nothing says which",
};

function handles(session: string): string {
  return `send_input with session ${session} and no stdin reads on; end_process stops it`;
}

function printed(output: string): string {
  return output === "" ? "It printed no output" : `It printed:\n${output}`;
}

/** What programs say when they want a terminal. */
const WANTS_TERMINAL =
  /not a (?:tty|terminal|typewriter)|a terminal is required|no tty present|inappropriate ioctl|(?:open|read) \/dev\/tty|(?:in|out)put is not (?:from|to) a terminal|must be run from a terminal|problem with the editor|terminal is not fully functional|TERM environment variable/i;

/** Git's words for an editor that failed. A terminal does not help: commands have no editor in one either. */
const WANTS_EDITOR = /problem with the editor/i;

function terminalHint(output: string): string {
  if (WANTS_EDITOR.test(output)) {
    return "\n\nIt wants an editor, and commands here have none, with a terminal (pty) neither: give it what it asks for as " +
      "an option (a message with -m, --no-edit), or name a program that does the edit " +
      "(GIT_SEQUENCE_EDITOR='sed -i …' git rebase -i …), or the person runs it";
  }
  return wantsTerminal(output)
    ? "\n\nIt wants a terminal, and commands here have none: give it options that make it ask nothing " +
      '(a message with -m, --yes, --no-edit). Where there are none, run_cmd with "pty": true gives it a terminal, ' +
      "or the person runs it"
    : "";
}

function shown(command: string): string {
  return `'${clipEnd(command.replace(/\s+/g, " ").trim(), COMMAND_CHARS_MAX)}'`;
}

function seconds(value: number): string {
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} s`;
}
