/** `/exit` and `/quit`. */
import { defineCommand, done } from "./spec.ts";

export const exit = defineCommand({
  name: "exit",
  aliases: ["quit"],
  usage: [{ form: "/exit, /quit", brief: "Leave; the session is saved and -c reopens it" }],
  run: () => Promise.resolve(done("", { leave: true })),
});
