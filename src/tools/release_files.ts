/** Hand back files that this agent is holding. */
import * as z from "zod";
import { splitPaths } from "@/channel/path_key.ts";
import { seenFrom } from "@/lib/path_within.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { ChannelToolParts } from "./channel_parts.ts";
import { defineTool, ok } from "./spec.ts";

export const releaseFiles = (channel: ChannelToolParts): ToolSpec =>
  defineTool({
    name: "release_files",
    description: "Hand back files that you are holding; an empty list is all of them.",
    input: z.object({
      paths: z.union([z.array(z.string()), z.string()]),
    }),
    shownAs: { paths: z.array(z.string()) },
    aliases: { paths: ["files", "path", "filepath"] },
    effect: () => "reads",
    subject: ({ paths }) => ({ kind: "path", paths: splitPaths(paths) }),
    summary: ({ paths }, result) => {
      const names = splitPaths(paths).join(", ") || "all files";
      return result?.status === "ok" ? `released ${names}` : `release ${names}`;
    },
    async run({ paths }, host) {
      const named = splitPaths(paths).map((path) => host.resolved(path));
      const held = await channel.release(named.length === 0 ? undefined : named);
      if (held.length === 0) return ok("You were not holding any of these; nothing changed.");
      return ok(`Released: ${held.map((path) => seenFrom(host.workspace, path)).join(", ")}`);
    },
  });
