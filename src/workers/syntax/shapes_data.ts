/** What stands in for declarations in CSS, JSON, HTML, TOML and YAML. */
import type { Node } from "web-tree-sitter";
import { childOf, field, type Rule, type Shape, value } from "./shape.ts";

/** Keys further inside are data. */
const KEY_DEPTH_MAX = 2;
const ELEMENT_DEPTH_MAX = 4;

/** `"key"` without its quotes. */
const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/s, "$2");

const key = (find: (node: Node) => Node | undefined): Rule => ({
  type: "key",
  name: find,
  spoken: (node) => unquoted(find(node)?.text ?? ""),
  depthMax: KEY_DEPTH_MAX,
});

export const json: Shape = {
  names: ["string_content"],
  rules: {
    pair: key((node) => {
      const name = field(node, "key");
      return name === undefined ? undefined : childOf(name, "string_content") ?? name;
    }),
  },
};

export const yaml: Shape = {
  names: ["string_scalar"],
  rules: {
    block_mapping_pair: key((node) => scalarIn(field(node, "key"))),
    flow_pair: key((node) => scalarIn(field(node, "key"))),
  },
};

/** A key stands in a few nodes that only say what kind of text it is. */
function scalarIn(node: Node | undefined): Node | undefined {
  let at = node;
  for (
    let child = at?.namedChildren.at(-1);
    child !== undefined;
    child = at?.namedChildren.at(-1)
  ) {
    at = child;
  }
  return at;
}

const tomlKey = (node: Node) => childOf(node, "bare_key", "quoted_key", "dotted_key");
const lastKey = (node: Node) => {
  const name = tomlKey(node);
  return name?.type === "dotted_key" ? name.namedChildren.at(-1) : name;
};

const table = (kind: string): Rule => ({
  type: "table",
  kind,
  name: lastKey,
  spoken: (node) => unquoted(tomlKey(node)?.text ?? ""),
});

export const toml: Shape = {
  names: ["bare_key"],
  rules: {
    table: table("table"),
    table_array_element: table("array"),
    pair: { ...key(lastKey), spoken: (node) => unquoted(tomlKey(node)?.text ?? "") },
  },
};

export const css: Shape = {
  names: ["class_name", "id_name", "property_name", "keyframes_name", "plain_value"],
  rules: {
    rule_set: {
      type: "rule",
      name: "none",
      spoken: (node) => childOf(node, "selectors")?.text ?? "",
    },
    class_selector: value("class", { name: (node) => childOf(node, "class_name") }),
    id_selector: value("id", { name: (node) => childOf(node, "id_name") }),
    media_statement: atRule("@media"),
    supports_statement: atRule("@supports"),
    keyframes_statement: {
      type: "rule",
      kind: "@keyframes",
      name: (node) => childOf(node, "keyframes_name"),
    },
    declaration: value("property", {
      name: (node) => {
        const name = childOf(node, "property_name");
        return name?.text.startsWith("--") ? name : undefined;
      },
    }),
  },
};

function atRule(kind: string): Rule {
  return {
    type: "rule",
    kind,
    name: "none",
    spoken: (node) => node.text.slice(kind.length).split("{", 1)[0]?.trim() ?? "",
  };
}

const TAGS = ["start_tag", "self_closing_tag"];

export const html: Shape = {
  names: ["attribute_value", "tag_name"],
  rules: { element: element(), script_element: element(), style_element: element() },
};

/** An element is told as `main#top.wide`. */
function element(): Rule {
  return {
    type: "element",
    name: "none",
    spoken: (node) => {
      const tag = childOf(node, ...TAGS);
      const name = tag === undefined ? undefined : childOf(tag, "tag_name")?.text;
      if (tag === undefined || name === undefined) return "";
      const attributes = tag.namedChildren.filter((child) => child.type === "attribute");
      const valueOf = (of: string) =>
        attributes.filter((one) => childOf(one, "attribute_name")?.text === of)
          .map((one) => one.descendantsOfType("attribute_value")[0]?.text ?? "")[0];
      const id = valueOf("id");
      const classes = valueOf("class")?.trim().split(/\s+/).map((one) => `.${one}`).join("") ?? "";
      return `${name}${id === undefined ? "" : `#${id}`}${classes}`;
    },
    depthMax: ELEMENT_DEPTH_MAX,
  };
}
