/** On which line of a TOML file its keys stand. Only for sentences about a file that was parsed: it knows no values. */

/** The line of a key of one table, counted from 1; of the table itself where it has no such key, or none is named. */
export type TablePlace = { line(key: string | undefined): number };

/** Lines of the keys at the top, and of those of each `[[name]]`. */
export function entryPlaces(
  text: string,
  name: string,
): TablePlace & { entry(index: number): TablePlace } {
  const lines = withoutLongTexts(text).split("\n");
  const isHeader = (line: string) => /^\s*\[/.test(line);
  const heads = lines.flatMap((line, index) =>
    new RegExp(`^\\s*\\[\\[\\s*["']?${name}["']?\\s*\\]\\]`).test(line) ? [index] : []
  );
  const find = (from: number, key: string | undefined, isEnd: (line: string) => boolean) => {
    if (key === undefined) return from;
    for (let at = from; at < lines.length; at += 1) {
      const line = lines[at] ?? "";
      if (at > from && isEnd(line)) break;
      if (begins(line, key)) return at;
    }
    return from;
  };
  // A key may open with a header of its own: [defaults], [rules.when].
  const isNext = (line: string) => new RegExp(`^\\s*\\[\\[\\s*["']?${name}`).test(line);
  return {
    line: (key) => {
      const headed = lines.findIndex((line) =>
        isHeader(line) && begins(line.replace(/^\s*\[+/, ""), key ?? "")
      );
      const found = find(0, key, isHeader);
      return (begins(lines[found] ?? "", key ?? "") || headed < 0 ? found : headed) + 1;
    },
    entry: (index) => {
      const from = heads[index];
      return {
        line: (key) =>
          (from === undefined ? find(0, name, () => false) : find(from, key, isNext)) + 1,
      };
    },
  };
}

function begins(line: string, key: string): boolean {
  const trimmed = line.trim().replace(/^\[[^\]]*\.(?=[^\].]+\])/, "");
  return [key, `"${key}"`, `'${key}'`].some((form) =>
    trimmed.startsWith(form) && /^\s*[=.\]]/.test(trimmed.slice(form.length))
  );
}

/** The text with what stands in texts of several lines blanked out, line for line. */
function withoutLongTexts(text: string): string {
  return text.replace(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, (long) => long.replace(/[^\n]/g, " "));
}
