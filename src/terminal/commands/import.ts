/** `/import`: the rules, servers, hooks and instructions that other harnesses were given. */
import { defineCommand, misused } from "./spec.ts";

export const importing = defineCommand({
  name: "import",
  usage: [
    {
      form: "/import",
      brief:
        "Show what Claude Code, Codex, opencode, Cursor, VS Code and Gemini were told and can be taken over",
    },
    { form: "/import yes", brief: "Write what was shown; what is there already stays as it is" },
  ],
  async run(args, host) {
    if (args === "") return await host.imports.look();
    if (args === "yes") return await host.imports.write();
    return misused(`/import does not know "${args}"; it takes nothing or yes`);
  },
});
