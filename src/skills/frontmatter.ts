/**
 * The head of a skill file, read leniently: whatever a line means to YAML, a description with a colon in it is still one.
 * Never throws; what cannot be read is left out.
 */

/** Fields by their name in lower case; a list where one was written. `body` is what follows the head. */
export type Frontmatter = {
  fields: ReadonlyMap<string, string | readonly string[]>;
  body: string;
};

const FIELD = /^([A-Za-z][\w.-]*)[ \t]*:(?:[ \t]+(.*)|)$/;
const ITEM = /^[ \t]*-[ \t]+(.*)$/;
const BLOCK = /^([>|])[+-]?\d?[+-]?$/;

/** Read a file. One without a head is all body. */
export function readFrontmatter(text: string): Frontmatter {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n");
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (!/^---[ \t]*$/.test(lines[0] ?? "") || end < 0) {
    return { fields: new Map(), body: lines.join("\n") };
  }
  const body = lines.slice(end + 1).join("\n").replace(/^\n+/, "");
  return { fields: fieldsOf(lines.slice(1, end)), body };
}

function fieldsOf(lines: readonly string[]): Map<string, string | readonly string[]> {
  const fields = new Map<string, string | readonly string[]>();
  for (let at = 0; at < lines.length;) {
    const [, key, value = ""] = FIELD.exec(lines[at] ?? "") ?? [];
    at += 1;
    if (key === undefined) continue; // A comment, or nothing that can be read.
    const start = at;
    while (at < lines.length && belongs(lines[at] ?? "")) at += 1;
    fields.set(key.toLowerCase(), valueOf(value.trim(), lines.slice(start, at)));
  }
  return fields;
}

/** Whether a line goes on with the field above it. */
function belongs(line: string): boolean {
  return /^\s/.test(line) || line === "" || ITEM.test(line);
}

function valueOf(first: string, more: readonly string[]): string | readonly string[] {
  const [, block] = BLOCK.exec(withoutComment(first)) ?? [];
  if (block !== undefined) return blockText(more, block === "|" ? "\n" : " ");
  const items = more.flatMap((line) => {
    const [, item] = ITEM.exec(line) ?? [];
    return item === undefined ? [] : [scalar(item)];
  });
  if (first === "" && items.length > 0) return items;
  const whole = [first, ...more.map((line) => line.trim())].filter((line) => line !== "").join(" ");
  const [, inside] = /^\[(.*)\](?:\s+#.*)?$/.exec(whole) ?? [];
  return inside === undefined ? scalar(whole) : splitList(inside);
}

/** Lines without what indents them all, joined. */
function blockText(lines: readonly string[], between: string): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) =>
    line.length - line.trimStart().length
  );
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(indent).trimEnd()).join(between).trim();
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((item) => scalar(item.trim())).filter((item) => item !== "");
}

function scalar(text: string): string {
  const [, double] = /^"((?:\\.|[^"\\])*)"/.exec(text) ?? [];
  if (double !== undefined) return double.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1");
  const [, single] = /^'((?:''|[^'])*)'/.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return withoutComment(text);
}

function withoutComment(text: string): string {
  return text.replace(/(?:^|\s)#.*$/, "").trim();
}
