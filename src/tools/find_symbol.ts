/** Find where a name is defined and used. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { clipEnd } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import type { Readings } from "@/workspace/readings.ts";
import { SearchError } from "@/workspace/search_engine.ts";
import type { Symbols } from "@/workspace/syntax/symbols.ts";
import { symbolsText } from "@/workspace/syntax/symbols_text.ts";
import { placeIn } from "./place_in.ts";
import { defineTool, failed, ok } from "./spec.ts";

const NAME_CHARS_SHOWN = 60;

export const findSymbol = (
  { symbols, readings }: { symbols: Symbols; readings: Readings },
): ToolSpec =>
  defineTool({
    name: "find_symbol",
    description:
      "Find where a function, class, variable or key is defined and used in the workspace, as anchored rows; comments " +
      "and strings do not count.",
    input: z.object({
      name: z.string().trim().min(1).max(200).describe("Name, or `Class.name`"),
      path: z.string().optional().describe("Directory or file to look in"),
    }),
    aliases: {
      name: ["symbol", "symbol_name", "query", "identifier"],
      path: ["dirpath", "filepath", "directory", "file_path"],
    },
    otherNames: ["find_references", "find_definition", "go_to_definition", "search_symbol"],
    effect: () => "reads",
    reading: (path) => ({ name: "", path }),
    subject: ({ name, path }) => {
      const place = placeIn(path);
      return place === undefined ? { kind: "text", text: name } : { kind: "path", paths: [place] };
    },
    summary: ({ name }, result) => {
      const what = JSON.stringify(clipEnd(name, NAME_CHARS_SHOWN));
      if (result === undefined) return `look up ${what}`;
      if (result.status !== "ok") return `did not look up ${what}`;
      const { definitions, uses } = result.meta ?? {};
      return `looked up ${what}: defined ${definitions}×, used in ${counted(Number(uses), "line")}`;
    },
    async run({ name, path }, host) {
      const place = placeIn(path);
      const root = place === undefined ? host.workspace : host.resolved(place);
      try {
        const { text, shown, definitions, uses } = symbolsText(
          await symbols.find(name, root, host.signal),
        );
        for (const { path, rows } of shown) readings.note(path, rows);
        return ok(text, { meta: { definitions, uses } });
      } catch (error) {
        if (error instanceof SearchError) return failed(error.message);
        throw error;
      }
    },
  });
