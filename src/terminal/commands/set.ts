/** `/set`: every setting, or a new value for one. */
import { PersonError } from "@/protocol/error.ts";
import { type CommandHost, defineCommand, done } from "./spec.ts";

export const set = defineCommand({
  name: "set",
  usage: [
    { form: "/set", brief: "Choose a setting and its value; without a picker, list them" },
    { form: "/set list", brief: "List the settings; changed ones are marked" },
    { form: "/set NAME VALUE", brief: "Change one, now and for later runs" },
    { form: "/set NAME default", brief: "Put it back to its default" },
  ],
  runsDuringTurn: true,
  async run(args, host) {
    const { choose } = host.settings;
    if (args === "" && choose !== undefined) return await choose();
    if (args === "" || args === "list") return done(table(host));
    const match = /^(\S+)\s+([\s\S]+)$/.exec(args);
    if (match === null) return one(args, host);
    return await host.settings.set(match[1] ?? "", match[2] ?? "");
  },
});

function one(name: string, host: CommandHost) {
  const row = host.settings.rows().find((row) => row.name === name.toUpperCase());
  if (row === undefined) {
    throw new PersonError("usage", `No setting is named "${name}"; /set lists them`);
  }
  return done(`${row.name} = ${row.value} (${row.origin})\n${row.brief}`);
}

function table(host: CommandHost): string {
  const rows = host.settings.rows();
  const width = Math.max(...rows.map((row) => row.name.length));
  return rows.map(({ name, value, origin, brief }) => {
    const mark = origin === "default" ? " " : "*";
    return `${mark} ${name.padEnd(width)}  ${value}  ${brief}`;
  }).join("\n");
}
