/** `/load`: go on with a saved session. */
import { defineCommand } from "./spec.ts";

export const load = defineCommand({
  name: "load",
  usage: [
    { form: "/load", brief: "Choose a saved session to go on with" },
    { form: "/load ID", brief: "Go on with the session of this id or title, or a part of one" },
  ],
  needsScreen: true,
  run: async (args, host) =>
    args === "" ? await host.sessions.choose() : await host.sessions.load(args),
});
