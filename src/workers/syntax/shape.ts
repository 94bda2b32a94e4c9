/** How declarations look in the tree of a language. */
import type { Node } from "web-tree-sitter";

/** One kind of node that declares something. */
export type Rule = {
  /** How the outline calls it; "value" is in no outline, only a definition outside of functions. */
  type: "function" | "class" | "value" | string;
  /** What the language calls it, where `type` does not say it. */
  kind?: string | ((node: Node) => string);
  /**
   * The node that names it; by default the field "name". When it finds none, the node declares nothing. "none": what is
   * named here is defined elsewhere, and `spoken` tells it.
   */
  name?: ((node: Node) => Node | undefined) | "none";
  /** What is told as its name, where that is more than the naming node. */
  spoken?: (node: Node) => string;
  /** Field of the parameters, from the node or from what `callable` says. */
  callable?: (node: Node) => Node | undefined;
  /** Field of the result's type. */
  returns?: string;
  /** Types of child nodes that hold what it is derived from. */
  bases?: readonly string[];
  /** How deep in entries it is still told; for data, which nests without end. */
  depthMax?: number;
};

/** The declarations of a language by type of node, and which leaves besides `…identifier` are names. */
export type Shape = {
  rules: Readonly<Record<string, Rule>>;
  names?: readonly string[];
  /** The node around a declaration that carries its decorators. */
  decorated?: string;
};

/** The child in a field. */
export function field(node: Node | null | undefined, name: string): Node | undefined {
  return node?.childForFieldName(name) ?? undefined;
}

/** The first named child of one of these types. */
export function childOf(node: Node, ...types: readonly string[]): Node | undefined {
  return node.namedChildren.find((child) => types.includes(child.type));
}

/** A function by the field "name". */
export function fn(returns = "return_type", more: Partial<Rule> = {}): Rule {
  return { type: "function", returns, ...more };
}

/** A class by the field "name". */
export function type(kind?: string, bases: readonly string[] = [], more: Partial<Rule> = {}): Rule {
  return { type: "class", bases, ...(kind === undefined ? {} : { kind }), ...more };
}

/** Something with a name that is neither. */
export function value(kind: string, more: Partial<Rule> = {}): Rule {
  return { type: "value", kind, ...more };
}
