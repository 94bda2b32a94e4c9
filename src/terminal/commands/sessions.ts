/** `/sessions`: the saved conversations. */
import { defineCommand, done } from "./spec.ts";

export const sessions = defineCommand({
  name: "sessions",
  usage: [
    { form: "/sessions", brief: "List saved sessions, newest first; -r ID reopens one" },
    { form: "/sessions TEXT", brief: "List those in which the text stands, with the places" },
  ],
  run: async (args, host) =>
    done(args === "" ? await host.sessions.list() : await host.sessions.search(args)),
});
