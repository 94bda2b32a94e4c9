/** Who else is at work in the project. */
import * as z from "zod";
import type { ChannelToolParts } from "./channel_parts.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok } from "./spec.ts";

export const listAgents = (channel: ChannelToolParts): ToolSpec =>
  defineTool({
    name: "list_agents",
    description:
      "List the other agents at work in this project, on what, and the files that each holds.",
    input: z.object({}),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: (_input, result) => result === undefined ? "list agents" : "listed agents",
    run: async () => ok(await channel.describe()),
  });
