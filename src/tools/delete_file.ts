/** Remove a file, or a link itself. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { type FileWork, stateOf } from "@/workspace/file_work.ts";
import { whyNot } from "@/workspace/loaded.ts";
import { META_PATH, META_WRITTEN } from "@/workspace/readings.ts";
import { causeOf } from "./cause.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const deleteFile = (files: FileWork): ToolSpec =>
  defineTool({
    name: "delete_file",
    description: "Remove a file, or a link itself. Directories are not removed.",
    input: z.object({ filepath: z.string().min(1) }),
    effect: () => "changes",
    subject: ({ filepath }) => ({ kind: "path", paths: [filepath], leaf: "keep" }),
    summary: ({ filepath }, result) => {
      if (result === undefined) return `delete ${filepath}`;
      return result.status === "ok" ? `deleted ${filepath}` : `did not delete ${filepath}`;
    },
    async run({ filepath }, host) {
      const target = { path: host.resolved(filepath), spelled: filepath };
      const state = await stateOf(target.path);
      if (state !== "unchecked") {
        if (state.kind === "absent") {
          return failed(await whyNot("delete", target, { kind: "absent" }));
        }
        if (state.kind === "dir") {
          return failed(
            `Cannot delete "${filepath}": it is a directory. Delete the files in it one by one, or use run_cmd`,
          );
        }
      }
      const changed = await files.change(
        [{ path: target.path, expected: state, after: { kind: "absent" } }],
        causeOf(host),
      );
      const what = state !== "unchecked" && state.kind === "link"
        ? `Link removed: ${filepath} (it pointed to ${state.target}, which is untouched)`
        : `File deleted: ${filepath}`;
      return ok(what, { changed, meta: { [META_PATH]: target.path, [META_WRITTEN]: true } });
    },
  });
