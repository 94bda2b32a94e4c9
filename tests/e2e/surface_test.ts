/** The public surface, written down: nothing in tests/testdata/surface.json may ever be renamed or dropped. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { settingNames } from "@/settings/names.ts";
import { COMMANDS } from "@/terminal/commands/mod.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { statePaths } from "@/settings/paths.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import surface from "../testdata/surface.json" with { type: "json" };
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

/** What is there now, in the shape of the file. */
async function current(): Promise<typeof surface> {
  let help = "";
  await withWorkspace(async (dir) => {
    help = (await harness(["--help"], { cwd: dir, home: dir })).stdout;
  });
  const commands = /COMMANDS\n([\s\S]*)$/.exec(help)?.[1] ?? "";
  const home = "/home/person/.harness";
  const paths = Object.values(statePaths({ HARNESS_HOME: home }, "/"));
  return {
    options: [...new Set(help.match(/--[a-z][a-z-]*/g) ?? [])].sort(),
    subcommands: [...commands.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name ?? "").sort(),
    slashCommands: COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]).sort(),
    tools: allTools({} as ToolParts).map(({ name }) => name).sort(),
    settings: [...settingNames()].sort(),
    exitCodes: Object.values(EXIT).sort((a, b) => a - b),
    stateFiles: paths.map((path) => path.slice(home.length + 1)).filter((path) => path !== "")
      .sort(),
  };
}

Deno.test("nothing of the public surface was renamed or dropped", async () => {
  const now: Record<string, readonly (string | number)[]> = await current();
  for (const [kind, names] of Object.entries(surface)) {
    const gone = names.filter((name) => now[kind]?.includes(name) !== true);
    equal([kind, gone], [kind, []]);
  }
});
