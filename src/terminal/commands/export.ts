/** `/export`: the conversation as a file or as text. */
import { defineCommand } from "./spec.ts";

export const exportSession = defineCommand({
  name: "export",
  usage: [{
    form: "/export [FILE]",
    brief: "Export this session as Markdown (or JSON, by the file's name)",
  }],
  async run(args, host) {
    const file = args === "" ? undefined : args;
    return await host.sessions.exportAs(
      file?.endsWith(".json") === true ? "json" : "markdown",
      file,
    );
  },
});
