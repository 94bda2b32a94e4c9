/** Replace lines of a file, named by anchor or quoted as text. */
import * as z from "zod";
import type { ToolHost, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { META_DIFF } from "@/lib/tool_meta.ts";
import { changeMade } from "@/workspace/change_preview.ts";
import type { EditRequest } from "@/workspace/edit.ts";
import { editReport, linesReplaced, noChangeReport } from "@/workspace/edit_report.ts";
import type { Idle } from "@/workspace/file_edit.ts";
import type { FileWork } from "@/workspace/file_work.ts";
import type { Target } from "@/workspace/loaded.ts";
import { META_SHIFT, printShifts } from "@/workspace/readings.ts";
import { causeOf } from "./cause.ts";
import { defineTool, failed, ok } from "./spec.ts";

const INPUT = z.object({
  filepath: z.string().min(1),
  old_content: z.string().default("").describe(
    "What to replace: an anchor (50:1fa), several one per line, a span (50:1fa-53:9c0), or text that occurs once. Leave " +
      "it out when new_content is anchored rows",
  ),
  new_content: z.string().describe(
    "Anchored rows, each replacing its line; or plain text instead of old_content (empty deletes)",
  ),
  replace_all: z.boolean().optional().describe(
    "Replace every occurrence of the text",
  ),
});

type Input = z.infer<typeof INPUT>;

const MANUAL = [
  "To change lines one by one, call edit_file with new_content alone, made of rows as read_file shows them: `38:ff7|new text` makes that the text of line 38. Copy number and hash exactly from the newest listing.",
  "To add or delete lines, name those to replace in old_content and give the new ones as plain text in new_content.",
  "After an edit, use the anchors that its result shows. Use write_file for new files or to replace a whole file.",
];

export const editFile = (files: FileWork): ToolSpec =>
  defineTool({
    name: "edit_file",
    description: "Change, add or delete lines of a file.",
    input: INPUT,
    manual: MANUAL,
    raw: ["old_content", "new_content"],
    aliases: { new_content: ["content"] },
    effect: () => "changes",
    // A refusal hands back rows, and so does the echo.
    shows: true,
    subject: ({ filepath }) => ({ kind: "path", paths: [filepath] }),
    summary: ({ filepath }, result) => {
      if (result === undefined) return `edit ${filepath}`;
      if (result.status !== "ok") return `did not edit ${filepath}`;
      const { what } = result.meta ?? {};
      return what === undefined ? `left ${filepath} as it was` : `edited ${filepath}: ${what}`;
    },
    preview: (input, host) => files.previewEdit(targetOf(input, host), requestOf(input)),
    async settled(input, host) {
      const target = targetOf(input, host);
      const outcome = await files.idleEdit(target, requestOf(input));
      return outcome && idle(target, outcome, files);
    },
    async run(input, host) {
      const target = targetOf(input, host);
      const outcome = await files.edit(target, requestOf(input), causeOf(host));
      if (outcome.kind !== "edited") return idle(target, outcome, files);
      const { plan, shifts, changed } = outcome;
      return ok(editReport(input.filepath, outcome), {
        changed,
        meta: {
          ...files.readings.metaOf(target.path),
          [META_SHIFT]: printShifts(shifts),
          [META_DIFF]: await changeMade(input.filepath, outcome),
          what: linesReplaced(plan),
        },
      });
    },
  });

function idle({ path, spelled }: Target, outcome: Idle, { readings }: FileWork): ToolResult {
  const meta = readings.metaOf(path);
  return outcome.kind === "refused"
    ? failed(outcome.sentence, { meta })
    : ok(noChangeReport(spelled, outcome.plan), { meta });
}

function targetOf({ filepath }: Input, host: ToolHost): Target {
  return { path: host.resolved(filepath), spelled: filepath };
}

function requestOf({ filepath, old_content, new_content, replace_all }: Input): EditRequest {
  return {
    path: filepath,
    old: old_content,
    new: new_content,
    ...(replace_all === undefined ? {} : { replaceAll: replace_all }),
  };
}
