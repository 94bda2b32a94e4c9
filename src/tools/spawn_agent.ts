/** Hire a second model for one self-contained job. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool } from "./spec.ts";

const TASK_CHARS_SHOWN = 70;

export const spawnAgent: ToolSpec = defineTool({
  name: "spawn_agent",
  description:
    "Hire a second model for one self-contained job, such as a search through many files. It has the same tools, sees " +
    "nothing of this conversation, cannot ask the user, and returns only its final report. Several calls in one reply " +
    "work side by side.",
  input: z.object({
    task: z.string().trim().min(1)
      .describe("What to find out or do, and what the report must contain"),
    context: z.string().optional().describe("What is known already"),
    model: z.string().optional().describe("Another model than the current one"),
  }),
  aliases: {
    task: ["prompt", "brief", "instructions"],
    context: ["background"],
  },
  otherNames: ["task", "dispatch_agent", "run_subagent"],
  costs: true,
  hires: true,
  sideBySide: true,
  // It can do nothing by itself: what it calls is decided about like every other call.
  effect: () => "reads",
  subject: ({ task }) => ({ kind: "text", text: task }),
  summary: ({ task }, result) => {
    const shown = clipEnd(task.replace(/\s+/g, " "), TASK_CHARS_SHOWN);
    if (result === undefined) return `hire a sub-agent: ${shown}`;
    const { requests } = result.meta ?? {};
    return requests === undefined
      ? `sub-agent: ${shown}`
      : `sub-agent: ${shown} (${requests} ${requests === 1 ? "request" : "requests"})`;
  },
  run: ({ task, context, model }, host) =>
    host.hire({
      task,
      ...(context === undefined || context.trim() === "" ? {} : { context }),
      ...(model === undefined || model.trim() === "" ? {} : { model: model.trim() }),
    }),
});
