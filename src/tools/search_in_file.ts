/** Find lines in the files of the workspace. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { clipEnd } from "@/lib/clip.ts";
import type { Searching } from "@/workspace/search_on_demand.ts";
import { SearchError } from "@/workspace/search_engine.ts";
import { placeIn } from "./place_in.ts";
import { defineTool, failed, ok } from "./spec.ts";

const QUERY_CHARS_SHOWN = 60;

export const searchInFile = (search: Searching): ToolSpec =>
  defineTool({
    name: "search_in_file",
    description:
      "Find a text in all files of the workspace, as rows `path:line:column: text`. Letter case counts. Hidden, " +
      "ignored and binary files are left out.",
    input: z.object({
      query: z.string().min(1).describe("Text within one line"),
      is_regex: z.boolean().optional().describe("Take query as a regular expression"),
      path: z.string().optional().describe("Directory or file to search in"),
      context: z.int().min(0).max(10).optional().describe("Lines to show around each match"),
    }),
    hidden: ["path", "context"],
    aliases: {
      query: ["pattern", "text", "search", "regex"],
      is_regex: ["regexp", "use_regex"],
      path: ["dirpath", "filepath", "directory", "file_path", "dir"],
      context: ["context_lines"],
    },
    otherNames: ["grep", "search_files", "grep_search", "search_in_files"],
    effect: () => "reads",
    reading: (path) => ({ query: "", path }),
    subject: ({ query, path }) => {
      const place = placeIn(path);
      return place === undefined ? { kind: "text", text: query } : { kind: "path", paths: [place] };
    },
    summary: ({ query, path }, result) => {
      const place = placeIn(path);
      const where = place === undefined ? "" : ` in ${place}`;
      const what = `${JSON.stringify(clipEnd(query, QUERY_CHARS_SHOWN))}${where}`;
      const { lines, files } = result?.meta ?? {};
      if (result === undefined) return `search for ${what}`;
      if (result.status !== "ok") return `did not search for ${what}`;
      if (lines === 0) return `found nothing for ${what}`;
      return `found ${what} in ${lines} ${lines === 1 ? "line" : "lines"} of ${files} ` +
        `${files === 1 ? "file" : "files"}`;
    },
    async run({ query, is_regex: isRegex = false, path, context }, host) {
      try {
        const place = placeIn(path);
        const root = place === undefined ? host.workspace : host.resolved(place);
        const contextLines = context ?? 0;
        const request = { query, isRegex, root, contextLines };
        const { text, lines, files } = await search.find(request, host.signal);
        return ok(text, { meta: { lines, files } });
      } catch (error) {
        if (error instanceof SearchError) return failed(error.message);
        throw error;
      }
    },
  });
