/** What one node declares, in words. */
import type { Node } from "web-tree-sitter";
import type { Entry, Parameter } from "./answer.ts";
import { field, type Rule } from "./shape.ts";

/** What is told of a name, a type or a value, in characters, and of how many of them. */
const WORDS_CHARS_MAX = 200;
const WORDS_MAX = 100;

/** Nodes around what a class is derived from. */
const WRAPPERS = ["type_list", "extends_clause", "implements_clause", "interface_type_list"];

/** The node that names a declaration, where the language has one. */
export function nameNode(rule: Rule, node: Node): Node | undefined {
  if (rule.name === "none") return undefined;
  return rule.name === undefined ? field(node, "name") : rule.name(node);
}

/** The entry of a node in the outline; undefined when it declares nothing. `around` carries its decorators. */
export function entryOf(rule: Rule, node: Node, around?: Node): Entry | undefined {
  const named = nameNode(rule, node);
  const isNamed = named !== undefined || rule.name === "none";
  const name = isNamed ? words(rule.spoken?.(node) ?? named?.text ?? "") : "";
  if (name === "") return undefined;
  const { type } = rule;
  const kind = kindOf(rule, node);
  const entry: Entry = {
    type,
    ...(kind === undefined ? {} : { kind }),
    name,
    line: node.startPosition.row + 1,
    end_line: lastLine(node),
  };
  if (type === "function") describeFunction(entry, rule, node);
  if (type === "class" && rule.bases !== undefined) {
    const bases = basesOf(node, rule.bases);
    if (bases.length > 0) entry.bases = bases;
  }
  if (around !== undefined) {
    entry.decorators = around.namedChildren.filter((child) => child.type === "decorator")
      .slice(0, WORDS_MAX).map((child) => words(child.text));
    entry.line = around.startPosition.row + 1;
  }
  return entry;
}

/** What the language calls it. */
export function kindOf({ kind }: Rule, node: Node): string | undefined {
  return typeof kind === "function" ? kind(node) : kind;
}

function describeFunction(entry: Entry, rule: Rule, node: Node): void {
  const callable = rule.callable?.(node) ?? node;
  const parameters = field(callable, "parameters");
  // `x => x` has one parameter and no brackets.
  const single = parameters === undefined ? field(callable, "parameter") : undefined;
  entry.parameters = single !== undefined
    ? [{ name: words(single.text) }]
    : parameters === undefined
    ? []
    : listed(parameters).slice(0, WORDS_MAX);
  const returned = rule.returns === undefined || rule.returns === ""
    ? undefined
    : field(callable, rule.returns) ?? field(node, rule.returns);
  if (returned !== undefined) entry.return_type = typeWords(returned);
}

/** C# has its `params int[] rest` in the list itself, without a node around it. */
function listed(parameters: Node): Parameter[] {
  const name = field(parameters, "name");
  const type = field(parameters, "type");
  if (name === undefined || type === undefined) {
    return parameters.namedChildren.flatMap(parametersOf);
  }
  const rest = { name: words(name.text), type: typeWords(type) };
  const others = parameters.namedChildren.filter(({ id }) => id !== name.id && id !== type.id);
  return [...others.flatMap(parametersOf), rest];
}

/** Go names several in one: `a, b int`. */
function parametersOf(node: Node): Parameter[] {
  if (node.isExtra || node.type === "attribute_item") return [];
  const names = node.childrenForFieldName("name");
  const type = field(node, "type");
  const value = ["value", "right", "default_value"].map((name) => field(node, name))
    .find((found) => found !== undefined);
  const more = {
    ...(type === undefined ? {} : { type: typeWords(type) }),
    ...(value === undefined ? {} : { default: words(value.text) }),
  };
  if (names.length > 0) return names.map((name) => ({ name: words(name.text), ...more }));
  const named = ["pattern", "left", "declarator"].map((name) => field(node, name))
    .find((found) => found !== undefined);
  // Python's `a: int` has no field for the name.
  const first = named ?? (type === undefined ? node : node.namedChildren[0] ?? node);
  // C's `(void)` is none.
  if (first.id === type?.id) return more.type === "void" ? [] : [{ name: "", ...more }];
  return [{ name: words(first.text), ...more }];
}

function basesOf(node: Node, types: readonly string[]): string[] {
  const inside = (child: Node): string[] =>
    WRAPPERS.includes(child.type)
      ? child.namedChildren.flatMap(inside)
      : child.isExtra || child.type === "access_specifier"
      ? []
      : [words(child.text)];
  return node.namedChildren.filter((child) => types.includes(child.type))
    .flatMap((child) => child.namedChildren.flatMap(inside)).slice(0, WORDS_MAX);
}

/** `: string` and `-> str` without what stands in front. */
function typeWords(node: Node): string {
  return words(node.text.replace(/^\s*(:|->)\s*/, ""));
}

/** One line of it, and not more than a person would read. */
export function words(text: string): string {
  const clipped = text.length > 4 * WORDS_CHARS_MAX ? text.slice(0, 4 * WORDS_CHARS_MAX) : text;
  const line = clipped.replaceAll(/\s+/g, " ").trim();
  return line.length > WORDS_CHARS_MAX ? `${line.slice(0, WORDS_CHARS_MAX)}…` : line;
}

/** A node that ends in its newline ends in the line before. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return Math.max(node.startPosition.row, column === 0 ? row - 1 : row) + 1;
}
