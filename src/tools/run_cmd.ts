/** Run a shell command. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { outcomeResult } from "@/shell/outcome_text.ts";
import { type Shell, ShellError } from "@/shell/shell.ts";
import { defineTool, failed } from "./spec.ts";

/** The longest time a model may ask for, in seconds. */
const TIMEOUT_MAX_S = 3_600;

const COMMAND_CHARS_SHOWN = 80;

/** What the command tools work with. */
export type CommandParts = {
  shell: Shell;
  /** What of a command's output is shown: CMD_OUTPUT_CHARS. */
  outputCharsMax: () => number;
};

export const runCmd = (commands: CommandParts): ToolSpec =>
  defineTool({
    name: "run_cmd",
    description:
      "Run a shell command in the workspace and return what it prints. One that waits for input comes back with a session " +
      "for send_input.",
    input: z.object({
      command: z.string().trim().min(1),
      stdin: z.string().optional().describe("Answers to what it asks, one a line"),
      background: z.boolean().optional().describe("Leave it running: servers, watchers"),
      timeout_s: z.number().positive().max(TIMEOUT_MAX_S).optional()
        .describe("Seconds before it is stopped"),
      outside_sandbox: z.string().optional()
        .describe("Only if it must run outside the sandbox: why; the user is asked"),
      pty: z.boolean().optional().describe("Give it a terminal of its own"),
      // A directory that is passed over would have the command do its work in another one.
      cwd: z.string().optional().refine((dir) => dir === undefined || /^\.?\/?$/.test(dir), {
        error: "Commands start in the workspace: write `cd DIR && …` in the command",
      }),
    }),
    raw: ["stdin"],
    // Rarely needed: the result of a command that wants a terminal names it.
    hidden: ["pty", "cwd"],
    aliases: {
      command: ["cmd", "script"],
      stdin: ["input"],
      timeout_s: ["timeout", "timeout_seconds"],
      background: ["run_in_background", "is_background"],
      pty: ["tty", "terminal"],
      cwd: ["workdir", "working_directory", "directory", "dir"],
    },
    otherNames: ["bash", "shell", "run_command", "execute_command", "run_shell_command"],
    leavesBy: "outside_sandbox",
    effect: () => "changes",
    subject: ({ command }) => ({ kind: "command", text: command }),
    running: (command) => ({ command }),
    summary: ({ command }, result) => {
      const shown = clipEnd(command.replace(/\s+/g, " "), COMMAND_CHARS_SHOWN);
      const { exitCode, session } = result?.meta ?? {};
      if (result === undefined) return `run ${shown}`;
      if (session !== undefined) return `${shown}: running as ${session}`;
      if (exitCode !== undefined) {
        return exitCode === 0 ? `ran ${shown}` : `${shown}: exit code ${exitCode}`;
      }
      if (result.status === "ok") return `ran ${shown}`;
      const hasRun = result.status === "failed" || result.status === "interrupted";
      return hasRun ? `did not finish ${shown}` : `did not run ${shown}`;
    },
    async run(input, host) {
      const { command, stdin, background, timeout_s: timeoutS, outside_sandbox: outside, pty } =
        input;
      const request = {
        command,
        ...(stdin === undefined ? {} : { stdin }),
        ...(background === undefined ? {} : { background }),
        ...(timeoutS === undefined ? {} : { timeoutS }),
        ...(outside === undefined ? {} : { outside }),
        ...(pty === undefined ? {} : { terminal: pty }),
      };
      const watch = { signal: host.signal, onOutput: (text: string) => host.output(text) };
      try {
        return outcomeResult(await commands.shell.run(request, watch), commands.outputCharsMax());
      } catch (error) {
        if (error instanceof ShellError) return failed(error.message);
        throw error;
      }
    },
  });
