/** Text, images and changes as the protocol's content. Nothing in it hides: see lib/visible.ts. */
import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk";
import { endOf } from "@/lib/clip.ts";
import { visible } from "@/lib/visible.ts";
import type { Part } from "@/protocol/message.ts";

/** What of a result's text is shown; the model has all of it. */
const SHOWN_CHARS_MAX = 20_000;

export function textBlock(text: string): ContentBlock {
  return { type: "text", text: visible(text) };
}

/** A part of a message or a result. */
export function partBlock(part: Part): ContentBlock {
  if (part.type === "text") return textBlock(part.text);
  return { type: "image", data: part.data.toBase64(), mimeType: part.mime };
}

export function shown(block: ContentBlock): ToolCallContent {
  return { type: "content", content: block };
}

/** Text as it is: editors render Markdown, and what a program printed is none. */
export function verbatim(text: string, charsMax = SHOWN_CHARS_MAX): ToolCallContent {
  const body = endOf(text, charsMax).replace(/\n$/, "");
  const longest = Math.max(0, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return shown(textBlock(`${fence}\n${body}\n${fence}`));
}

/**
 * A unified diff as the protocol's diffs, one a hunk, for the file at an absolute path. What is no whole diff (it was cut,
 * or too different to compare) is shown as the text that it is.
 */
export function diffContent(patch: string, path: string): ToolCallContent[] {
  const lines = patch.split("\n");
  const isNew = lines[0] === "--- /dev/null";
  const isWhole = /^--- /.test(patch) &&
    !/^@@ .* @@ too different|^… \d+ more lines? of the diff/m.test(patch);
  if (!isWhole) return [verbatim(patch)];
  const hunks: { before: string[]; after: string[] }[] = [];
  for (const line of lines.slice(2)) {
    const hunk = hunks.at(-1);
    if (line.startsWith("@@")) hunks.push({ before: [], after: [] });
    else if (line.startsWith("-")) hunk?.before.push(line.slice(1));
    else if (line.startsWith("+")) hunk?.after.push(line.slice(1));
    else if (line.startsWith(" ")) {
      hunk?.before.push(line.slice(1));
      hunk?.after.push(line.slice(1));
    }
  }
  return hunks.map(({ before, after }) => ({
    type: "diff",
    path,
    oldText: isNew ? null : visible(before.join("\n")),
    newText: visible(after.join("\n")),
  }));
}

/** The first line that a unified diff is about, in the file as it is then; undefined where it does not say. */
export function firstLine(patch: string): number | undefined {
  const line = /^@@ -\S+ \+(\d+)/m.exec(patch)?.[1];
  return line === undefined ? undefined : Number(line);
}
