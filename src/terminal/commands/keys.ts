/** `/keys`: every key of the full screen, from the table that reads them. */
import { defineCommand, done } from "./spec.ts";

export const keys = defineCommand({
  name: "keys",
  usage: [{ form: "/keys", brief: "List the keys of the full screen" }],
  runsDuringTurn: true,
  async run(_args, { settings }) {
    // The plain screen and a headless run have none of them, and need not load the table.
    const { KeyMap } = await import("@/terminal/full/key_map.ts");
    const entries = settings.keys();
    return done(new KeyMap(() => entries).help());
  },
});
