/** Declarations in Python, JavaScript, TypeScript, Ruby, PHP, Lua and Bash. */
import type { Node } from "web-tree-sitter";
import { childOf, field, fn, type Rule, type Shape, type, value } from "./shape.ts";

const isName = (node: Node | undefined) =>
  node?.type === "identifier" || node?.type === "constant" ? node : undefined;

export const python: Shape = {
  decorated: "decorated_definition",
  rules: {
    function_definition: fn(),
    class_definition: type(undefined, ["argument_list"]),
    assignment: value("variable", { name: (node) => isName(field(node, "left")) }),
    type_alias_statement: value("type", {
      name: (node) => childOf(field(node, "left") ?? node, "identifier"),
    }),
  },
};

const FUNCTIONS = ["arrow_function", "function_expression", "generator_function", "function"];

/** `const f = () => …` and `f = () => …` in a class declare functions; with another value they do not. */
function holder(nameField: string, isFunction: boolean): (node: Node) => Node | undefined {
  return (node) => {
    const holds = FUNCTIONS.includes(field(node, "value")?.type ?? "");
    const name = field(node, nameField);
    const isPlain = name !== undefined && name.namedChildCount === 0;
    return holds === isFunction && isPlain ? name : undefined;
  };
}

const heldFunction = (nameField: string): Rule =>
  fn("return_type", {
    name: holder(nameField, true),
    callable: (node) => field(node, "value"),
  });

const HERITAGE = ["class_heritage", "extends_type_clause", "extends_clause"];

const scriptRules: Readonly<Record<string, Rule>> = {
  function_declaration: fn(),
  generator_function_declaration: fn(),
  class_declaration: type(undefined, HERITAGE),
  class: type(undefined, HERITAGE),
  method_definition: fn(),
};

export const javascript: Shape = {
  rules: {
    ...scriptRules,
    variable_declarator: heldFunction("name"),
    field_definition: heldFunction("property"),
  },
};

export const typescript: Shape = {
  rules: {
    ...scriptRules,
    variable_declarator: heldFunction("name"),
    public_field_definition: heldFunction("name"),
    abstract_class_declaration: type(undefined, HERITAGE),
    interface_declaration: type("interface", HERITAGE),
    enum_declaration: type("enum"),
    internal_module: type("namespace"),
    module: type("namespace"),
    function_signature: fn(),
    method_signature: fn(),
    abstract_method_signature: fn(),
    type_alias_declaration: value("type"),
  },
};

export const ruby: Shape = {
  names: ["constant", "instance_variable", "class_variable", "global_variable"],
  rules: {
    class: type(undefined, ["superclass"]),
    module: type("module"),
    method: fn(),
    singleton_method: fn(),
    assignment: value("variable", { name: (node) => isName(field(node, "left")) }),
  },
};

export const php: Shape = {
  names: ["name"],
  rules: {
    class_declaration: type(undefined, ["base_clause", "class_interface_clause"]),
    interface_declaration: type("interface", ["base_clause"]),
    trait_declaration: type("trait"),
    enum_declaration: type("enum", ["class_interface_clause"]),
    function_definition: fn(),
    method_declaration: fn(),
    const_element: value("constant", { name: (node) => childOf(node, "name") }),
    property_element: value("property", {
      name: (node) => childOf(childOf(node, "variable_name") ?? node, "name"),
    }),
  },
};

/** `a.b.f` is named by `f`, and told as a whole. */
const luaName = (node: Node): Node | undefined => {
  const name = field(node, "name");
  return field(name, "field") ?? field(name, "method") ?? name;
};

export const lua: Shape = {
  rules: {
    function_declaration: fn("", {
      name: luaName,
      spoken: (node) => field(node, "name")?.text ?? "",
    }),
    assignment_statement: value("variable", {
      name: (node) => isName(childOf(node, "variable_list")?.namedChildren[0]),
    }),
  },
};

export const bash: Shape = {
  names: ["variable_name", "word"],
  rules: {
    function_definition: fn(""),
    variable_assignment: value("variable"),
  },
};
