/** Find nodes of a source file's syntax tree. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { BadQuery, NoTree, type Syntax } from "@/workers/syntax.ts";
import type { Readings } from "@/workspace/readings.ts";
import { matchesText } from "@/workspace/syntax/matches_text.ts";
import { sourceFile } from "@/workspace/syntax/source_file.ts";
import { defineTool, failed, ok } from "./spec.ts";

const EXAMPLE = '(function_definition name: (identifier) @name (#match? @name "^test_"))';

export const queryAstNode = (
  { syntax, readings }: { syntax: Syntax; readings: Readings },
): ToolSpec =>
  defineTool({
    name: "query_ast_node",
    description:
      "Find nodes of a source file by a tree-sitter query, such as `(function_definition name: (identifier) @name)`, as " +
      "anchored rows.",
    input: z.object({
      file_path: z.string().min(1),
      pattern: z.string().min(1),
      language: z.string().optional().describe("Where the file name does not say it"),
    }),
    aliases: { file_path: ["filepath", "path", "file"], pattern: ["query"], language: ["lang"] },
    effect: () => "reads",
    shows: true,
    reading: (file_path) => ({ file_path, pattern: "" }),
    subject: ({ file_path }) => ({ kind: "path", paths: [file_path] }),
    summary: ({ file_path }, result) => {
      if (result?.status === "ok") {
        const { matches } = result.meta ?? {};
        return `found ${matches} ${matches === 1 ? "node" : "nodes"} in ${file_path}`;
      }
      return result === undefined ? `query the tree of ${file_path}` : `did not query ${file_path}`;
    },
    async run({ file_path: spelled, pattern, language }, host) {
      const target = { path: host.resolved(spelled), spelled };
      const said = language === undefined || language.trim() === "" ? undefined : language;
      const file = await sourceFile("query", target, said);
      if ("refused" in file) return failed(file.refused);
      try {
        const found = await syntax.query(file.source, pattern, host.signal);
        const where = `${spelled} (${file.source.language})`;
        const { text, shown, count } = matchesText(found, { where, texts: file.texts });
        readings.note(target.path, shown);
        return ok(text, { meta: { ...readings.metaOf(target.path), matches: count } });
      } catch (error) {
        if (error instanceof BadQuery) {
          return failed(`The query cannot be read: ${error.message}. One that can: ${EXAMPLE}`);
        }
        if (error instanceof NoTree) {
          return failed(`Cannot query "${spelled}": it, or the query on it, ${error.message}`);
        }
        throw error;
      }
    },
  });
