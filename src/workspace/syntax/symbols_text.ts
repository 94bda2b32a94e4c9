/** What the model reads of where a name stands: definitions, then uses, as anchored rows. */
import { counted } from "@/lib/counted.ts";
import type { Row } from "../hashline.ts";
import { rowsBetween } from "./found_rows.ts";
import type { SymbolFile, SymbolsFound } from "./symbols.ts";

/** Rows of one file, and of all. */
const ROWS_PER_FILE_MAX = 8;
const TEXT_CHARS_MAX = 7_000;
const NAMED_MAX = 20;

/** The text, and the rows that it shows whole, by real path. */
export type SymbolsText = {
  text: string;
  shown: { path: string; rows: Row[] }[];
  definitions: number;
  uses: number;
};

/** Write it. */
export function symbolsText(found: SymbolsFound): SymbolsText {
  const { name, files } = found;
  const definitions = files.reduce((sum, file) => sum + file.definitions.length, 0);
  const uses = files.reduce((sum, file) => sum + file.uses.length, 0);
  const quoted = JSON.stringify(name);
  if (definitions + uses === 0) {
    const text = `${quoted} is no name in any source file here. ${elsewhere(found)}`;
    return { text: [text, ...troubles(found)].join("\n"), shown: [], definitions, uses };
  }
  const head = `${quoted} is defined in ${counted(definitions, "place")} and used in ` +
    `${counted(uses, "line")}, in ${counted(files.length, "file")}`;
  const page = new Page(head);
  for (const file of files) page.add("Defined", file, file.definitions.map(({ line }) => line));
  for (const file of files) page.add("Used", file, file.uses);
  page.addLeft();
  const text = [page.text, ...troubles(found)].join("\n");
  return { text, shown: page.shown, definitions, uses };
}

class Page {
  text: string;
  readonly shown: { path: string; rows: Row[] }[] = [];
  readonly #left: string[] = [];
  #section = "";

  constructor(head: string) {
    this.text = head;
  }

  add(section: "Defined" | "Used", file: SymbolFile, lines: readonly number[]): void {
    if (lines.length === 0) return;
    const rows = lines.slice(0, ROWS_PER_FILE_MAX).map((line) =>
      rowsBetween(file.texts, line, line)
    );
    const head = section === "Defined" ? `${file.shown} (${kinds(file)})` : file.shown;
    const more = lines.length - rows.length;
    const block = [
      ...(section === this.#section ? [] : [`${section}:`]),
      head,
      ...rows.map(({ text }) => text),
      ...(more > 0 ? [`  (${counted(more, "more line")})`] : []),
    ].join("\n");
    if (this.text.length + block.length > TEXT_CHARS_MAX) {
      this.#left.push(`${file.shown} (${lines.length})`);
      return;
    }
    this.#section = section;
    this.text += `\n${block}`;
    this.shown.push({ path: file.path, rows: rows.flatMap(({ shown }) => shown) });
  }

  addLeft(): void {
    if (this.#left.length === 0) return;
    const named = this.#left.slice(0, NAMED_MAX).join(", ");
    const more = this.#left.length - NAMED_MAX;
    const rest = more > 0 ? ` and ${counted(more, "more file")}` : "";
    this.text += `\nAlso in: ${named}${rest}. With a path there is room for their lines`;
  }
}

/** "function in Parser, class" */
function kinds({ definitions }: SymbolFile): string {
  const all = definitions.map(({ kind, within }) =>
    within === undefined ? kind : `${kind} in ${within}`
  );
  const different = [...new Set(all)];
  const more = different.length - 3;
  return different.slice(0, 3).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function elsewhere({ containing, noTree }: SymbolsFound): string {
  if (containing === 0) return "No file that is searched contains it";
  const trees = noTree === 0 ? "" : `, ${noTree} of them without a syntax tree`;
  return `${counted(containing, "file contains", "files contain")} it as text${trees}: ` +
    `search_in_file shows where`;
}

function troubles({ incomplete, noTree, files }: SymbolsFound): string[] {
  return [
    ...(files.length > 0 && noTree > 0
      ? [
        `${
          counted(noTree, "more file contains", "more files contain")
        } the text and no syntax tree can be made of it; search_in_file shows where`,
      ]
      : []),
    ...(incomplete === undefined ? [] : [`This is not complete: ${incomplete}`]),
  ];
}
