/** Show the model an image. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { readImage } from "@/workspace/image_file.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const viewImage: ToolSpec = defineTool({
  name: "view_image",
  description: "Look at an image file: PNG, JPEG, GIF or WebP.",
  input: z.object({ filepath: z.string().min(1) }),
  otherNames: ["read_image"],
  effect: () => "reads",
  shows: true,
  reading: (filepath) => ({ filepath }),
  attaching: { what: "image", input: (filepath) => ({ filepath }) },
  subject: ({ filepath }) => ({ kind: "path", paths: [filepath] }),
  summary: ({ filepath }, result) => {
    if (result === undefined) return `look at ${filepath}`;
    return result.status === "ok"
      ? `looked at ${filepath} (${result.meta?.size})`
      : `did not look at ${filepath}`;
  },
  async run({ filepath }, host) {
    const image = await readImage(
      { path: host.resolved(filepath), spelled: filepath },
      host.signal,
    );
    if (image.kind === "refused") return failed(image.sentence);
    return ok(`${filepath}, ${image.size}`, { parts: [image.part], meta: { size: image.size } });
  },
});
