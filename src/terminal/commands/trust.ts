/** `/trust`: what of this project waits for trust, and giving it. */
import { defineCommand, done, misused } from "./spec.ts";

export const trust = defineCommand({
  name: "trust",
  usage: [
    { form: "/trust", brief: "Show what of this project does nothing until you trust it" },
    { form: "/trust yes", brief: "Trust exactly these contents; a change asks again" },
  ],
  async run(args, host) {
    // Not asked for anew: what is trusted is what was shown.
    if (args === "yes") return await host.trust.grant();
    const pending = await host.trust.pending();
    if (pending === undefined) return done("Nothing of this project waits for trust");
    if (args !== "") return misused(`/trust does not know "${args}"; it takes nothing or yes`);
    return done(`${pending}\n/trust yes accepts exactly these contents`);
  },
});
