/** `/status`: the status line in words, for a screen that has none. */
import { modeOf } from "@/terminal/mode_of.ts";
import { defineCommand, done, misused } from "./spec.ts";

export const status = defineCommand({
  name: "status",
  usage: [{ form: "/status", brief: "Say what the status line says: model, context, cost, mode" }],
  runsDuringTurn: true,
  async run(args, host) {
    if (args !== "") return misused(`/status takes nothing, not "${args}"`);
    const { model, protocol, contextTokens, windowTokens, cost, sandbox } = await host.status.now();
    const of = windowTokens === undefined ? "" : ` of ${windowTokens.toLocaleString("en-US")}`;
    return done([
      `model    ${model}${protocol === undefined ? "" : ` (${protocol} protocol)`}`,
      `context  about ${contextTokens.toLocaleString("en-US")}${of} tokens`,
      ...(cost === undefined ? [] : [`cost     $${cost.toFixed(2)}`]),
      `mode     ${modeOf(host)}`,
      ...(sandbox === undefined ? [] : [`sandbox  ${sandbox}`]),
    ].join("\n"));
  },
});
