/** Declarations in Go, Rust, Java, C, C++ and C#. */
import type { Node } from "web-tree-sitter";
import { childOf, field, fn, type Rule, type Shape, type, value } from "./shape.ts";

const kindOfGoType = (node: Node) => field(node, "type")?.type ?? "";

export const go: Shape = {
  rules: {
    function_declaration: fn("result"),
    method_declaration: fn("result", {
      spoken: (node) => {
        const receiver = field(node, "receiver")?.descendantsOfType("type_identifier")[0]?.text;
        const name = field(node, "name")?.text ?? "";
        return receiver === undefined ? name : `${receiver}.${name}`;
      },
    }),
    method_elem: fn("result"),
    type_spec: {
      type: "class",
      name: (node) =>
        /^(struct|interface)_type$/.test(kindOfGoType(node)) ? field(node, "name") : undefined,
      kind: (node) => kindOfGoType(node).replace("_type", ""),
    },
    type_alias: value("type"),
    const_spec: value("constant"),
    var_spec: value("variable"),
    field_declaration: value("field"),
  },
};

export const rust: Shape = {
  rules: {
    function_item: fn(),
    function_signature_item: fn(),
    struct_item: type("struct"),
    enum_item: type("enum"),
    union_item: type("union"),
    trait_item: type("trait", ["trait_bounds"]),
    impl_item: {
      type: "class",
      kind: "impl",
      name: "none",
      spoken: (node) => {
        const of = field(node, "trait")?.text;
        const name = field(node, "type")?.text ?? "";
        return of === undefined ? name : `${of} for ${name}`;
      },
    },
    mod_item: type("module"),
    macro_definition: { type: "function", kind: "macro" },
    const_item: value("constant"),
    static_item: value("static"),
    type_item: value("type"),
    field_declaration: value("field"),
    enum_variant: value("variant"),
  },
};

const JAVA_BASES = ["superclass", "super_interfaces", "extends_interfaces"];

export const java: Shape = {
  rules: {
    class_declaration: type(undefined, JAVA_BASES),
    interface_declaration: type("interface", JAVA_BASES),
    enum_declaration: type("enum", JAVA_BASES),
    record_declaration: type("record", JAVA_BASES),
    annotation_type_declaration: type("annotation"),
    method_declaration: fn("type"),
    constructor_declaration: fn(""),
    compact_constructor_declaration: fn(""),
    field_declaration: value("field", { name: (node) => field(field(node, "declarator"), "name") }),
    enum_constant: value("constant"),
  },
};

/** More around a name than a person would read. */
const DECLARATORS_MAX = 16;

/** `*(*f)(int)`: what is declared stands inside. */
function functionDeclarator(node: Node): Node | undefined {
  let at = field(node, "declarator");
  for (let depth = 0; at !== undefined && depth < DECLARATORS_MAX; depth += 1) {
    if (at.type === "function_declarator") return at;
    at = field(at, "declarator") ?? childOf(at, "function_declarator");
  }
  return undefined;
}

function declared(node: Node): Node | undefined {
  let at = field(node, "declarator");
  for (let depth = 0; at !== undefined && depth < DECLARATORS_MAX; depth += 1) {
    const inner: Node | undefined = field(at, "declarator") ??
      (at.type.endsWith("declarator") ? at.namedChildren[0] : undefined);
    if (inner === undefined) break;
    at = inner;
  }
  // `A::f` is named by `f`.
  for (let depth = 0; at?.type === "qualified_identifier" && depth < DECLARATORS_MAX; depth += 1) {
    at = field(at, "name");
  }
  return at;
}

const cFunction: Rule = fn("type", {
  name: (node) => functionDeclarator(node) === undefined ? undefined : declared(node),
  spoken: (node) => field(functionDeclarator(node), "declarator")?.text ?? "",
  callable: functionDeclarator,
});

/** A type with a body; without one it is only mentioned. */
const bodied = (kind?: string, bases: readonly string[] = []): Rule =>
  type(kind, bases, {
    name: (node) => field(node, "body") === undefined ? undefined : field(node, "name"),
  });

const cRules: Readonly<Record<string, Rule>> = {
  function_definition: cFunction,
  declaration: cFunction,
  struct_specifier: bodied("struct", ["base_class_clause"]),
  union_specifier: bodied("union"),
  enum_specifier: bodied("enum"),
  type_definition: value("type", { name: declared }),
  preproc_function_def: { type: "function", kind: "macro" },
  preproc_def: value("macro"),
  enumerator: value("constant"),
};

export const c: Shape = {
  rules: { ...cRules, field_declaration: value("field", { name: declared }) },
};

export const cpp: Shape = {
  rules: {
    ...cRules,
    field_declaration: cFunction,
    class_specifier: bodied(undefined, ["base_class_clause"]),
    namespace_definition: type("namespace"),
    alias_declaration: value("type"),
  },
};

export const csharp: Shape = {
  rules: {
    class_declaration: type(undefined, ["base_list"]),
    interface_declaration: type("interface", ["base_list"]),
    struct_declaration: type("struct", ["base_list"]),
    record_declaration: type("record", ["base_list"]),
    enum_declaration: type("enum", ["base_list"]),
    namespace_declaration: type("namespace"),
    method_declaration: fn("returns"),
    constructor_declaration: fn(""),
    local_function_statement: fn("type"),
    delegate_declaration: { type: "function", kind: "delegate", returns: "type" },
    property_declaration: value("property"),
    enum_member_declaration: value("constant"),
    field_declaration: value("field", {
      name: (node) =>
        field(
          childOf(childOf(node, "variable_declaration") ?? node, "variable_declarator"),
          "name",
        ),
    }),
  },
};
