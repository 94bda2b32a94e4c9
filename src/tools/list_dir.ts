/** Show what is in a directory. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { listDirectory } from "@/workspace/dir_listing.ts";
import { kindAt } from "@/workspace/file_work.ts";
import { whyNot } from "@/workspace/loaded.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const listDir: ToolSpec = defineTool({
  name: "list_dir",
  description:
    "List a directory, hidden entries too: directories with a trailing `/`, then files with sizes.",
  input: z.object({
    dirpath: z.string().min(1).describe("`.` is the workspace"),
  }),
  effect: () => "reads",
  attaching: { what: "dir", input: (dirpath) => ({ dirpath }) },
  subject: ({ dirpath }) => ({ kind: "path", paths: [dirpath] }),
  summary: ({ dirpath }, result) => {
    const { entries } = result?.meta ?? {};
    if (result === undefined) return `list ${dirpath}`;
    if (result.status !== "ok") return `did not list ${dirpath}`;
    return `listed ${dirpath} (${entries} ${entries === 1 ? "entry" : "entries"})`;
  },
  async run({ dirpath }, host) {
    const path = host.resolved(dirpath);
    const kind = await kindAt(path);
    if (kind === "file" || kind === "other") {
      return failed(`Cannot list "${dirpath}": it is a file; read_file shows it`);
    }
    if (kind === "absent") {
      return failed(await whyNot("list", { path, spelled: dirpath }, { kind: "absent" }));
    }
    try {
      const { text, entries } = await listDirectory(path, dirpath);
      return ok(text, { meta: { entries } });
    } catch (error) {
      return failed(`Cannot list "${dirpath}": ${fileErrorReason(error)}`);
    }
  },
});
