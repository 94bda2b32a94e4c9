/** End a command that is still running. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { outcomeResult } from "@/shell/outcome_text.ts";
import { ShellError } from "@/shell/shell.ts";
import type { CommandParts } from "./run_cmd.ts";
import { defineTool, failed } from "./spec.ts";

export const endProcess = (commands: CommandParts): ToolSpec =>
  defineTool({
    name: "end_process",
    description: "End a running command and all that it started.",
    input: z.object({
      session: z.string().min(1),
    }),
    aliases: { session: ["session_id", "id"] },
    // What the person has started themselves is asked about.
    process: ({ session }) => commands.shell.isOfPerson(session) ? undefined : "ends",
    effect: () => "changes",
    subject: () => ({ kind: "none" }),
    summary: ({ session }, result) => {
      if (result === undefined) return `end ${session}`;
      return result.status === "ok" ? `ended ${session}` : `did not end ${session}`;
    },
    async run({ session }) {
      try {
        return outcomeResult(await commands.shell.end(session), commands.outputCharsMax());
      } catch (error) {
        if (error instanceof ShellError) return failed(error.message);
        throw error;
      }
    },
  });
