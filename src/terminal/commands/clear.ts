/** `/clear`: a new conversation on an empty screen. */
import { defineCommand, done } from "./spec.ts";

export const clear = defineCommand({
  name: "clear",
  usage: [{
    form: "/clear",
    brief: "Begin a new session on an empty screen; the one before stays saved",
  }],
  needsScreen: true,
  run: () => Promise.resolve(done("", { next: { kind: "new" } })),
});
