/** The outline of a file as JSON, one declaration a line, in a size that a model wants to read. */
import type { Entry, Outline } from "@/workers/syntax/answer.ts";

/** What of it is shown, in characters. */
const OUTLINE_CHARS_MAX = 16_000;

/** What an outline says besides its entries. */
export type OutlineHead = { file: string; language: string };

/** What is left out when there is no room, one after the other. */
const REDUCTIONS: readonly { omitted: string; reduce: (entry: Entry) => Entry }[] = [
  { omitted: "", reduce: (entry) => entry },
  { omitted: "types and defaults of parameters", reduce: namesOnly },
  { omitted: "parameters", reduce: (entry) => bare(entry, Infinity) },
  {
    omitted: "parameters, and what stands more than one level deep",
    reduce: (entry) => bare(entry, 1),
  },
  {
    omitted: "parameters, and what stands in other declarations",
    reduce: (entry) => bare(entry, 0),
  },
];

/** The JSON; always whole, and with a word of what it leaves out. */
export function outlineText(head: OutlineHead, { entries, total, errorLines }: Outline): string {
  const errors = errorLines.length === 0 ? {} : { syntax_error_lines: errorLines };
  for (const { omitted, reduce } of REDUCTIONS) {
    const shown = entries.map(reduce);
    const more = omitted === "" ? {} : { omitted, declarations: total };
    const text = print({ ...head, ...errors, ...more }, shown);
    if (text.length <= OUTLINE_CHARS_MAX) return text;
  }
  const lines = entries.map((entry) => bare(entry, 0));
  let size = 500;
  const fits = lines.findIndex((entry) => (size += printed(entry).length + 2) > OUTLINE_CHARS_MAX);
  const next = lines[fits]?.line;
  const omitted = `parameters, what stands in other declarations, and ${lines.length - fits} of ` +
    `${lines.length} declarations, from line ${next} on; query_ast_node or read_file shows them`;
  return print({ ...head, ...errors, omitted, declarations: total }, lines.slice(0, fits));
}

function print(head: Record<string, unknown>, entries: readonly Entry[]): string {
  const start = JSON.stringify({ ...head, skeleton: [] }).slice(0, -2);
  return entries.length === 0 ? `${start}]}` : `${start}\n${entries.map(printed).join(",\n")}\n]}`;
}

function printed(entry: Entry): string {
  return JSON.stringify(entry);
}

function namesOnly(entry: Entry): Entry {
  return within(
    {
      ...entry,
      ...(entry.parameters ? { parameters: entry.parameters.map(({ name }) => ({ name })) } : {}),
    },
    namesOnly,
  );
}

/** Name and place, and so many levels of what stands in it; deeper ones are counted. */
function bare(entry: Entry, levels: number): Entry & { inside?: number } {
  const { type, kind, name, line, end_line, bases, methods, children } = entry;
  const own: Entry = {
    type,
    ...(kind === undefined ? {} : { kind }),
    name,
    line,
    end_line,
    ...(bases === undefined ? {} : { bases }),
  };
  const inside = [...methods ?? [], ...children ?? []];
  if (inside.length === 0) return own;
  if (levels === 0) return { ...own, inside: inside.length };
  const parts = {
    ...own,
    ...(methods === undefined ? {} : { methods }),
    ...(children === undefined ? {} : { children }),
  };
  return within(parts, (part) => bare(part, levels - 1));
}

function within(entry: Entry, change: (entry: Entry) => Entry): Entry {
  return {
    ...entry,
    ...(entry.methods === undefined ? {} : { methods: entry.methods.map(change) }),
    ...(entry.children === undefined ? {} : { children: entry.children.map(change) }),
  };
}
