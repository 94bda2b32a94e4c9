/** Create a directory, and the directories above it. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { type FileWork, kindAt } from "@/workspace/file_work.ts";
import { causeOf } from "./cause.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const createDir = (files: FileWork): ToolSpec =>
  defineTool({
    name: "create_dir",
    description: "Create a directory, and those above it.",
    input: z.object({ dirpath: z.string().min(1) }),
    effect: () => "changes",
    subject: ({ dirpath }) => ({ kind: "path", paths: [dirpath] }),
    summary: ({ dirpath }, result) => {
      if (result === undefined) return `create directory ${dirpath}`;
      if (result.status !== "ok") return `did not create directory ${dirpath}`;
      return result.changed === undefined || result.changed.length === 0
        ? `directory ${dirpath} was there already`
        : `created directory ${dirpath}`;
    },
    async run({ dirpath }, host) {
      const path = host.resolved(dirpath);
      const kind = await kindAt(path);
      if (kind === "dir") return ok(`Directory ${dirpath} is there already`);
      if (kind !== "absent") {
        return failed(`Cannot create directory "${dirpath}": a file with that name is there`);
      }
      const changed = await files.change(
        [{ path, expected: { kind: "absent" }, after: { kind: "dir" } }],
        causeOf(host),
      );
      return ok(`Directory created: ${dirpath}`, { changed });
    },
  });
