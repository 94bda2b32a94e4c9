/** `/export`: the conversation as a file or as text. */
import type { ExportFormat } from "@/session/export.ts";
import { defineCommand } from "./spec.ts";

export const exportSession = defineCommand({
  name: "export",
  usage: [
    {
      form: "/export [FILE]",
      brief: "Export this session as Markdown (or JSON or HTML, by the file's name)",
    },
    { form: "/export html", brief: "Export it as a page of its own, named after the session" },
  ],
  async run(args, host) {
    if (args === "html") return await host.sessions.exportAs("html", undefined);
    return await host.sessions.exportAs(formatOf(args), args === "" ? undefined : args);
  },
});

function formatOf(file: string): ExportFormat {
  if (/\.html?$/i.test(file)) return "html";
  return file.endsWith(".json") ? "json" : "markdown";
}
