/** `/autocommit`: whether edits are committed, and which were. */
import { defineSwitch } from "@/terminal/switch_command.ts";

export const autocommit = defineSwitch({
  name: "autocommit",
  setting: "GIT_AUTO_COMMIT",
  brief: "Whether each AI edit is committed, and the newest of those commits; on or off turns it",
  what: "AI edits are committed",
  more: async (host) => {
    const commits = await host.undo.committed();
    return commits.length === 0 ? ["There are no AI commits here"] : commits;
  },
});
