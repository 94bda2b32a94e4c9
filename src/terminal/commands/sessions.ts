/** `/sessions`: the saved conversations. */
import { defineCommand, done } from "./spec.ts";

export const sessions = defineCommand({
  name: "sessions",
  usage: [{ form: "/sessions", brief: "List saved sessions, newest first; -r ID reopens one" }],
  run: async (_args, host) => done(await host.sessions.list()),
});
