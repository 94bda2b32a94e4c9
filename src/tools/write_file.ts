/** Write a file whole. */
import { counted } from "@/lib/counted.ts";
import * as z from "zod";
import type { ToolHost, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { META_DIFF } from "@/lib/tool_meta.ts";
import { changeMade } from "@/workspace/change_preview.ts";
import type { FileWork } from "@/workspace/file_work.ts";
import type { Unwritten, WriteRequest } from "@/workspace/file_write.ts";
import type { Target } from "@/workspace/loaded.ts";
import { META_WRITTEN } from "@/workspace/readings.ts";
import { causeOf } from "./cause.ts";
import { defineTool, failed, ok } from "./spec.ts";

const INPUT = z.object({
  filepath: z.string().min(1),
  content: z.string().describe("The whole content"),
});

type Input = z.infer<typeof INPUT>;

export const writeFile = (files: FileWork): ToolSpec =>
  defineTool({
    name: "write_file",
    description: "Create a file, or replace the whole content of one. Its directory must exist.",
    input: INPUT,
    raw: ["content"],
    effect: () => "changes",
    subject: ({ filepath }) => ({ kind: "path", paths: [filepath] }),
    summary: ({ filepath }, result) => {
      if (result === undefined) return `write ${filepath}`;
      if (result.status !== "ok") return `did not write ${filepath}`;
      const { what } = result.meta ?? {};
      return what === undefined ? `left ${filepath} as it was` : `${what} ${filepath}`;
    },
    preview: (input, host) => files.previewWrite(targetOf(input, host), requestOf(input, host)),
    async settled(input, host) {
      const target = targetOf(input, host);
      const outcome = await files.idleWrite(target, requestOf(input, host));
      return outcome && unwritten(target, outcome, files);
    },
    async run(input, host) {
      const target = targetOf(input, host);
      // What was there goes into log and screen only if the conversation has seen it: rules may deny reading it.
      const isKnown = files.readings.knows(target.path);
      const outcome = await files.write(
        target,
        requestOf(input, host),
        causeOf(host),
      );
      if (outcome.kind !== "written") return unwritten(target, outcome, files);
      const { before, after, changed, notes } = outcome;
      const more = notes.length === 0 ? "" : `; ${notes.join("; ")}`;
      const what = before === undefined
        ? `File created: ${input.filepath} (${linesOf(after)}${more})`
        : `File written: ${input.filepath} (${linesOf(before)} replaced by ${
          linesOf(after)
        }${more})`;
      return ok(what, {
        changed,
        meta: {
          ...files.readings.metaOf(target.path),
          [META_WRITTEN]: true,
          [META_DIFF]: await changeMade(input.filepath, {
            before: isKnown ? before : undefined,
            after,
          }),
          what: before === undefined ? "created" : "wrote",
        },
      });
    },
  });

function unwritten(
  { path, spelled }: Target,
  outcome: Unwritten,
  { readings }: FileWork,
): ToolResult {
  const meta = readings.metaOf(path);
  return outcome.kind === "refused"
    ? failed(outcome.sentence, { meta })
    : ok(`Nothing was written: no change, ${spelled} has this content already`, { meta });
}

function targetOf({ filepath }: Input, host: ToolHost): Target {
  return { path: host.resolved(filepath), spelled: filepath };
}

function requestOf({ content }: Input, host: ToolHost): WriteRequest {
  return {
    content,
    isRaw: host.call.raw.includes("content"),
    workspace: host.workspace,
  };
}

/** Lines as a person counts them: the empty one behind the last newline is none. */
function linesOf(lines: readonly string[]): string {
  return counted(lines.length - (lines.at(-1) === "" ? 1 : 0), "line");
}
