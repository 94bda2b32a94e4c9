/** `/redo`: bring back what `/undo` took. */
import { defineCommand, misused } from "./spec.ts";
import { told } from "./undo.ts";

export const redo = defineCommand({
  name: "redo",
  usage: [{ form: "/redo", brief: "Bring back what the last /undo took" }],
  async run(args, host) {
    if (args !== "") {
      return misused(`/redo takes nothing, not "${args}": it brings back what the last /undo took`);
    }
    return told(await host.undo.redo());
  },
});
