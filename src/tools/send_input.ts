/** Answer a command that waits, or listen to one that runs. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { outcomeResult } from "@/shell/outcome_text.ts";
import { ShellError } from "@/shell/shell.ts";
import type { CommandParts } from "./run_cmd.ts";
import { defineTool, failed } from "./spec.ts";

const ANSWER_CHARS_SHOWN = 60;

export const sendInput = (commands: CommandParts): ToolSpec =>
  defineTool({
    name: "send_input",
    description:
      "Send a line to a running command and return what it prints next; without stdin, only listen.",
    input: z.object({
      session: z.string().optional().describe("Not needed when only one is running"),
      stdin: z.string().optional(),
    }),
    raw: ["stdin"],
    aliases: { stdin: ["input", "text"], session: ["session_id", "id"] },
    process: ({ session, stdin = "" }) => {
      if (stdin === "") return "ends"; // It only listens, which does no more than ending would.
      return commands.shell.isInside(session) ? "inside" : "outside";
    },
    effect: () => "changes",
    subject: ({ stdin = "" }) => ({ kind: "text", text: stdin }),
    summary: ({ session = "the command", stdin = "" }, result) => {
      const what = stdin === ""
        ? `listen to ${session}`
        : `send ${JSON.stringify(clipEnd(stdin, ANSWER_CHARS_SHOWN))} to ${session}`;
      if (result === undefined || result.status === "ok") return what;
      const { exitCode } = result.meta ?? {};
      return exitCode === undefined ? `did not ${what}` : `${what}: exit code ${exitCode}`;
    },
    async run({ session, stdin = "" }, host) {
      try {
        const watch = { signal: host.signal, onOutput: (text: string) => host.output(text) };
        return outcomeResult(
          await commands.shell.send(session, stdin, watch),
          commands.outputCharsMax(),
        );
      } catch (error) {
        if (error instanceof ShellError) return failed(error.message);
        throw error;
      }
    },
  });
