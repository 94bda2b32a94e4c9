/** `/redo`: bring back what `/undo` took. */
import { defineCommand } from "./spec.ts";
import { told } from "./undo.ts";

export const redo = defineCommand({
  name: "redo",
  usage: [{ form: "/redo", brief: "Bring back what the last /undo took" }],
  run: async (_args, host) => told(await host.undo.redo()),
});
