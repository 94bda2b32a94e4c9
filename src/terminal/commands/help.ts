/** `/help`: every command, from the same declarations that run them. */
import { defineCommand, done } from "./spec.ts";

export const help = defineCommand({
  name: "help",
  usage: [
    { form: "/help", brief: "List the commands" },
    {
      form: "!COMMAND",
      brief: "Run a command of yours, unasked; its output joins the conversation",
    },
  ],
  runsDuringTurn: true,
  run(_args, host) {
    const rows = host.commands().flatMap((command) => command.usage);
    const width = Math.max(...rows.map((row) => row.form.length));
    const lines = rows.map((row) => `  ${row.form.padEnd(width)}  ${row.brief}`);
    return Promise.resolve(done(lines.join("\n")));
  },
});
