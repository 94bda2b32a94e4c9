/** `/history`: the whole transcript with every card open. */
import { defineCommand, done, refused } from "./spec.ts";

export const history = defineCommand({
  name: "history",
  usage: [{ form: "/history", brief: "Open the whole transcript in the viewer, every card open" }],
  needsScreen: true,
  runsDuringTurn: true,
  run(_args, { transcript }) {
    if (transcript.open === undefined) {
      const instead = "/export shows the session, and /export FILE writes it to a file";
      return Promise.resolve(refused(`The plain screen has no viewer; ${instead}`));
    }
    transcript.open();
    return Promise.resolve(done(""));
  },
});
