/** Hold files, so that no other agent changes them meanwhile. */
import * as z from "zod";
import { splitPaths } from "@/channel/path_key.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { ChannelToolParts } from "./channel_parts.ts";
import { defineTool, denied, failed, ok } from "./spec.ts";

export const claimFiles = (channel: ChannelToolParts): ToolSpec =>
  defineTool({
    name: "claim_files",
    description:
      "Hold files that you are about to change: other agents in this project cannot change them until you release them. All " +
      "or none; a directory covers what is in it.",
    input: z.object({
      paths: z.union([z.array(z.string()), z.string()]),
      reason: z.string().optional().describe("What for; the others read it"),
    }),
    shownAs: { paths: z.array(z.string()) },
    aliases: { paths: ["files", "path", "filepath"], reason: ["why", "purpose"] },
    effect: () => "reads", // It changes no file; what is held is only between agents.
    subject: ({ paths }) => ({ kind: "path", paths: splitPaths(paths) }),
    summary: ({ paths }, result) => {
      const names = splitPaths(paths).join(", ");
      if (result === undefined) return `claim ${names}`;
      return result.status === "ok" ? `claimed ${names}` : `did not get ${names}`;
    },
    async run({ paths, reason = "" }, host) {
      const names = splitPaths(paths);
      if (names.length === 0) return failed("Nothing was claimed: paths is empty");
      const taken = await channel.claim(names.map((path) => host.resolved(path)), reason);
      return taken.ok
        ? ok(`You are holding ${names.join(", ")}. Hand them back with release_files.`)
        : denied(`Nothing was claimed: ${taken.why}`);
    },
  });
