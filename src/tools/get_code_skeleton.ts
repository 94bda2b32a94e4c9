/** What a source file declares, as JSON. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { NoTree, type Syntax } from "@/workers/syntax.ts";
import { outlineText } from "@/workspace/syntax/outline_text.ts";
import { sourceFile } from "@/workspace/syntax/source_file.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const getCodeSkeleton = (syntax: Syntax): ToolSpec =>
  defineTool({
    name: "get_code_skeleton",
    description:
      "Outline a source file as JSON: classes and functions with lines, parameters and types; keys of a data file. " +
      "Cheaper than reading all of it.",
    input: z.object({ file_path: z.string().min(1) }),
    aliases: { file_path: ["filepath", "path", "file"] },
    effect: () => "reads",
    shows: true,
    reading: (file_path) => ({ file_path }),
    subject: ({ file_path }) => ({ kind: "path", paths: [file_path] }),
    summary: ({ file_path }, result) => {
      if (result?.status === "ok") {
        const { declarations } = result.meta ?? {};
        const noun = declarations === 1 ? "declaration" : "declarations";
        return `outlined ${file_path} (${declarations} ${noun})`;
      }
      return result === undefined ? `outline ${file_path}` : `did not outline ${file_path}`;
    },
    async run({ file_path: spelled }, host) {
      const file = await sourceFile("outline", { path: host.resolved(spelled), spelled });
      if ("refused" in file) return failed(file.refused);
      try {
        const outline = await syntax.outline(file.source, host.signal);
        const head = { file: spelled, language: file.source.language };
        return ok(outlineText(head, outline), { meta: { declarations: outline.total } });
      } catch (error) {
        if (error instanceof NoTree) {
          const instead = "read_file shows it as text, search_in_file finds lines in it";
          return failed(`Cannot outline "${spelled}": it ${error.message}; ${instead}`);
        }
        throw error;
      }
    },
  });
