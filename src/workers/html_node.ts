/** What of the DOM is read here. The library's own types speak of a browser, which this program is not. */

export type HtmlNode = {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<HtmlNode>;
};

export type HtmlElement = HtmlNode & {
  readonly localName: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
};

export type HtmlDocument = HtmlElement & {
  readonly body: HtmlElement | null;
  cloneNode(deep: true): HtmlDocument;
};

const ELEMENT = 1;
const TEXT = 3;

/** Whether a node is an element. */
export function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === ELEMENT;
}

/** Whether a node is text. */
export function isText(node: HtmlNode): boolean {
  return node.nodeType === TEXT;
}
