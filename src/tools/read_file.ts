/** Read a file as anchored rows. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { FileWork } from "@/workspace/file_work.ts";
import { spokenRange } from "@/workspace/file_view.ts";
import { whyNot } from "@/workspace/loaded.ts";
import { counted } from "@/lib/counted.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const readFile = (files: FileWork): ToolSpec =>
  defineTool({
    name: "read_file",
    description:
      "Read a text file as anchored rows `50:1fa|text`: line number, hash and text of each line. A long file comes in " +
      "parts; start reads on.",
    input: z.object({
      filepath: z.string().min(1),
      start: z.int().min(1).optional().describe("First line, counted from 1"),
      end: z.int().min(1).optional().describe("Last line"),
    }),
    effect: () => "reads",
    shows: true,
    reading: (filepath) => ({ filepath }),
    attaching: { what: "file", input: (filepath) => ({ filepath }) },
    subject: ({ filepath }) => ({ kind: "path", paths: [filepath] }),
    summary: ({ filepath, start, end }, result) => {
      const { from, to, lines } = result?.meta ?? {};
      if (result?.status === "ok" && from !== undefined) {
        if (Number(from) > Number(lines)) return `read the end of ${filepath}`;
        return from === 1 && to === lines
          ? `read ${filepath} (${counted(Number(lines), "line")})`
          : `read ${filepath}, ${spokenRange(Number(from), Number(to))}${
            lines === undefined ? "" : ` of ${lines}`
          }`;
      }
      if (result !== undefined && result.status !== "ok") return `did not read ${filepath}`;
      if (start === undefined && end === undefined) return `read ${filepath}`;
      return `read ${filepath}, lines ${start ?? 1}-${end ?? "end"}`;
    },
    async run({ filepath, start, end }, host) {
      if (start !== undefined && end !== undefined && end < start) {
        return failed(
          `Cannot read "${filepath}" from line ${start} to line ${end}: the range is backwards`,
        );
      }
      const target = { path: host.resolved(filepath), spelled: filepath };
      const viewed = await files.view(target, { start, end }, { signal: host.signal });
      switch (viewed.kind) {
        case "rows": {
          const { from, to, lines, clipped } = viewed;
          const total = lines === undefined ? {} : { lines };
          return ok(viewed.text, {
            meta: { ...files.readings.metaOf(target.path), from, to, clipped, ...total },
          });
        }
        case "beyond":
          return failed(
            `Cannot read "${filepath}" from line ${start}: it has ${counted(viewed.lines, "line")}`,
          );
        default:
          return failed(await whyNot("read", target, viewed));
      }
    },
  });
