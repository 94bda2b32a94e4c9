/** README's tables, made from the declarations that the program runs on. */
import { z } from "zod";
import { promisedRows } from "@/sandbox/boundary.ts";
import { SETTINGS } from "@/settings/settings.ts";
import { COMMANDS } from "@/terminal/commands/mod.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import { definition } from "@/tools/spec.ts";

/** Table name → Markdown. */
export type Tables = Readonly<Record<string, string>>;

/** All tables, as they have to be. */
export function readmeTables(): Tables {
  return {
    boundary: boundaryTable(),
    tools: toolTable(),
    commands: commandTable(),
    settings: settingTable(),
  };
}

/**
 * A text with its tables made new. A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`, each alone on
 * a line. Throws when a name has no table, when an end is missing, and when a table stands nowhere.
 */
export function withTables(text: string, tables: Tables): string {
  const seen = new Set<string>();
  const fresh = text.replaceAll(
    /^<!-- table: (\S+) -->\n(?:(?!<!-- table: )[^])*?^<!-- end of table -->$/gm,
    (_whole, name: string) => {
      const table = tables[name];
      if (table === undefined) throw new Error(`There is no table "${name}" to put in`);
      seen.add(name);
      return `<!-- table: ${name} -->\n${table}\n<!-- end of table -->`;
    },
  );
  const opened = text.match(/^<!-- table: \S+ -->$/gm)?.length ?? 0;
  if (opened !== fresh.match(/^<!-- end of table -->$/gm)?.length) {
    throw new Error('A "<!-- table: NAME -->" has no "<!-- end of table -->" after it');
  }
  const missing = Object.keys(tables).filter((name) => !seen.has(name));
  if (missing.length > 0) throw new Error(`No place for the table "${missing.join('", "')}"`);
  return fresh;
}

// What a tool works with is used when it runs; a table reads declarations only.
const NO_PARTS = {} as ToolParts;

function toolTable(): string {
  const rows = allTools(NO_PARTS).map((tool) => {
    const { properties = {}, required = [] } = parametersSchema.parse(definition(tool).schema);
    const names = Object.keys(properties).map((name) =>
      required.includes(name) ? name : `${name}?`
    );
    return [code(tool.name), names.map(code).join(" "), firstSentence(tool.description)];
  });
  return markdown(["tool", "parameters", "what it does"], rows);
}

const parametersSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0].replaceAll("\n", " ").slice(0, -1) ?? text;
}

function boundaryTable(): string {
  const rows = promisedRows().map(({ what, linux, macos }) => [what, linux, macos]);
  return markdown(["of a command", "on Linux (by)", "on macOS (by)"], rows);
}

function commandTable(): string {
  const rows = COMMANDS.flatMap(({ usage }) => usage);
  return markdown(["command", "what it does"], rows.map(({ form, brief }) => [code(form), brief]));
}

function settingTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { byDefault, about }]) => [
    code(name),
    code(JSON.stringify(byDefault)),
    about,
  ]);
  return markdown(["setting", "default", "what it does"], rows);
}

function code(text: string): string {
  return `\`${text}\``;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
