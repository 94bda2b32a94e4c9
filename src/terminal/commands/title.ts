/** `/title`: the session's title and id, or a new title. */
import { defineCommand, done } from "./spec.ts";

export const title = defineCommand({
  name: "title",
  usage: [
    { form: "/title", brief: "Show this session's title and id" },
    { form: "/title NAME", brief: "Give it a title and rename its file to match" },
  ],
  run: async (args, host) =>
    args === "" ? done(host.sessions.title()) : await host.sessions.retitle(args),
});
