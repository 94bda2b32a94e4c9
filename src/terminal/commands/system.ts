/** `/system`: who the model is to be in this session, besides what it is told about its work. */
import { defineCommand, done } from "./spec.ts";

export const system = defineCommand({
  name: "system",
  usage: [
    { form: "/system", brief: "Show the persona that the model was given in this session" },
    { form: "/system TEXT", brief: "Give it one: it is told so in the system prompt from now on" },
    { form: "/system reset", brief: "Take it away again" },
  ],
  needsScreen: true,
  run(args, { persona }) {
    if (args === "") {
      const text = persona.text();
      const said = text === "" ? "The model has no persona; /system TEXT gives it one" : text;
      return Promise.resolve(done(said));
    }
    persona.set(args === "reset" ? "" : args);
    return Promise.resolve(
      done(
        args === "reset"
          ? "The persona is gone; the next request is made without it"
          : "The model has this persona from the next request on",
      ),
    );
  },
});
