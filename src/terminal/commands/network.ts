/** `/network`: what commands may reach, and the person's word about a host. */
import type { NetworkScope } from "./lent/network.ts";
import { defineCommand, done, misused } from "./spec.ts";

const SCOPES: Readonly<Record<string, NetworkScope>> = {
  run: "run",
  project: "project",
  always: "always",
};

export const network = defineCommand({
  name: "network",
  usage: [
    { form: "/network", brief: "Say which hosts commands may reach, and what holds the rest back" },
    {
      form: "/network allow HOST [run|project|always]",
      brief: "Allow a host, *.DOMAIN or HOST:PORT; for this project unless said otherwise",
    },
    {
      form: "/network deny HOST [run|project|always]",
      brief: "Deny one, to commands and to tools, whatever allows it",
    },
  ],
  async run(args, host) {
    const [word = "", name, said = "project", ...more] = args.split(/\s+/);
    if (word === "") return done(await host.network.describe());
    if (word !== "allow" && word !== "deny") {
      return misused(`/network does not know "${word}"; it takes nothing, allow or deny`);
    }
    const scope = SCOPES[said];
    if (name === undefined || scope === undefined || more.length > 0) {
      return misused(
        `/network ${word} takes a host, and run, project or always: /network ${word} example.com run`,
      );
    }
    return await host.network[word](name, scope);
  },
});
