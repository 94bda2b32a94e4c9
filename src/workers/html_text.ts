/** An element of a page as text that a model reads: headings, lists, tables, code and links stay what they are. */
import { type HtmlElement, type HtmlNode, isElement, isText } from "./html_node.ts";

/** What is no text of a page. */
const LEFT_OUT = new Set(
  "title script style noscript template svg canvas iframe object embed audio video head dialog select button input textarea"
    .split(" "),
);

const BLOCKS = new Set(
  "address article aside blockquote body dd details dl dt div fieldset figcaption figure footer form header hr html li main nav ol p pre section summary table tr ul h1 h2 h3 h4 h5 h6"
    .split(" "),
);

/** Blocks with no empty line between them. */
const ROWS = new Set(["li", "tr", "dt", "dd"]);

/** Nesting beyond which nothing is read: no page that people write comes near to it. */
const DEPTH_MAX = 400;

/** The text of an element. `base` is the address of its page: links are written whole. */
export function htmlText(element: HtmlElement, base: string): string {
  const writer = new TextWriter(base);
  writer.node(element, 0);
  return writer.text();
}

/** What is looked at again of a text that is written: every look costs as much as there is. */
const OPEN_CHARS = 1_024;

class TextWriter {
  readonly #base: string;
  /** What is finished, piece by piece. */
  #done: string[] = [];
  /** The end of the text. */
  #out = "";
  /** Links that are being written: of these no part is finished. */
  #openLinks = 0;
  #listDepth = 0;

  constructor(base: string) {
    this.#base = base;
  }

  text(): string {
    const lines = this.#all().split("\n").map(withoutBlanksAtEnd);
    return lines.join("\n").replace(/\n{3,}/g, "\n\n").trim();
  }

  #all(): string {
    return this.#done.join("") + this.#out;
  }

  #add(text: string): void {
    this.#out += text;
    if (this.#openLinks > 0 || this.#out.length < 2 * OPEN_CHARS) return;
    this.#done.push(this.#out.slice(0, -OPEN_CHARS));
    this.#out = this.#out.slice(-OPEN_CHARS);
  }

  node(node: HtmlNode, depth: number): void {
    if (isText(node)) return this.#inline(node.textContent ?? "");
    if (!isElement(node) || depth > DEPTH_MAX || isLeftOut(node)) return;
    const name = node.localName;
    if (name === "br") return this.#add("\n");
    if (name === "pre") return this.#code(node);
    if (name === "a") return this.#link(node, depth);
    if (name === "img") return this.#inline(node.getAttribute("alt")?.trim() ?? "");
    if (name === "td" || name === "th") return this.#cell(node, depth);
    if (name === "code") return this.#around("`", node, depth);
    if (!BLOCKS.has(name)) return this.#children(node, depth);
    this.#block(node, depth);
  }

  #children(node: HtmlNode, depth: number): void {
    for (const child of node.childNodes) this.node(child, depth + 1);
  }

  #block(node: HtmlElement, depth: number): void {
    const name = node.localName;
    const isList = name === "ul" || name === "ol";
    const isInList = this.#listDepth > 0 && (isList || name === "p" || name === "div");
    const gap = isInList || ROWS.has(name) ? 1 : 2;
    this.#lines(gap);
    if (/^h[1-6]$/.test(name)) this.#add(`${"#".repeat(Number(name[1]))} `);
    if (name === "li") this.#add(`${"  ".repeat(Math.max(0, this.#listDepth - 1))}- `);
    if (name === "hr") this.#add("---");
    if (isList) this.#listDepth += 1;
    this.#children(node, depth);
    if (isList) this.#listDepth -= 1;
    this.#lines(gap);
  }

  /** White space of a page is one blank, and none where a line begins. */
  #inline(text: string): void {
    const shown = text.replace(/\s+/g, " ");
    this.#add(/(^|[\s])$/.test(this.#out) ? shown.trimStart() : shown);
  }

  #code(node: HtmlElement): void {
    this.#lines(2);
    const code = (node.textContent ?? "").replace(/^\n/, "").trimEnd();
    this.#add(`\`\`\`\n${code}\n\`\`\``);
    this.#lines(2);
  }

  #around(mark: string, node: HtmlElement, depth: number): void {
    this.#add(mark);
    this.#children(node, depth);
    this.#add(mark);
  }

  #link(node: HtmlElement, depth: number): void {
    const before = this.#out.length;
    this.#openLinks += 1;
    this.#children(node, depth);
    this.#openLinks -= 1;
    const target = URL.parse(node.getAttribute("href") ?? "", this.#base);
    const said = this.#out.slice(before).trim();
    if (target === null || said === "" || !/^https?:$/.test(target.protocol)) return;
    // A place on the same page leads nowhere else, and a heading that is a link would end in an address.
    const isHere = target.hash !== "" && target.href.split("#")[0] === this.#base.split("#")[0];
    if (isHere || said === target.href || said.includes("\n")) return;
    const blanks = /^\s*/.exec(this.#out.slice(before))?.[0] ?? "";
    this.#out = `${this.#out.slice(0, before)}${blanks}[${said}](${target.href})`;
  }

  #cell(node: HtmlElement, depth: number): void {
    if (!/(^|\n)$/.test(this.#out)) this.#add(" | ");
    this.#add(this.#apart(node, depth).replace(/\s+/g, " ").trim());
  }

  /** What is in an element, as if it stood alone. A page may be one cell as a whole. */
  #apart(node: HtmlElement, depth: number): string {
    const [done, out, openLinks] = [this.#done, this.#out, this.#openLinks];
    [this.#done, this.#out, this.#openLinks] = [[], "", 0];
    this.#children(node, depth);
    const text = this.#all();
    [this.#done, this.#out, this.#openLinks] = [done, out, openLinks];
    return text;
  }

  /** So many line ends stand before what follows. */
  #lines(count: number): void {
    if (this.#out === "") return;
    this.#out = withoutBlanksAtEnd(this.#out);
    const there = /(?<!\n)\n*$/.exec(this.#out)?.[0].length ?? 0;
    // A list point's own text begins on its line.
    if (/(^|\n) *- ?$/.test(this.#out)) {
      return this.#add(this.#out.endsWith(" ") ? "" : " ");
    }
    this.#add("\n".repeat(Math.max(0, count - there)));
  }
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  return text.slice(0, end);
}

function isLeftOut(node: HtmlElement): boolean {
  return LEFT_OUT.has(node.localName) || node.getAttribute("hidden") !== null ||
    node.getAttribute("aria-hidden") === "true" ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute("style") ?? "");
}
