/** Habits of the code: what is caught is handled, what is exported is named and documented, nothing is joined for a shell. */
import { placeOf } from "./place.ts";

export const emptyCatch: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).area === "other") return {};
    const message = "An empty catch loses the error; name what is expected and rethrow the rest";
    return {
      CatchClause(node) {
        if (node.body.body.length === 0) context.report({ node, message });
      },
      CallExpression(node) {
        const { callee, arguments: [handler] } = node;
        if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (callee.property.name === "catch" && isEmptyFunction(handler)) {
          context.report({ node, message });
        }
      },
    };
  },
};

function isEmptyFunction(node: Deno.lint.Node | undefined): boolean {
  if (node?.type !== "ArrowFunctionExpression" && node?.type !== "FunctionExpression") return false;
  return node.body?.type === "BlockStatement" && node.body.body.length === 0;
}

export const namedExports: Deno.lint.Rule = {
  create(context) {
    const { area } = placeOf(context.filename);
    if (area === "other") return {};
    const report = (node: Deno.lint.Node) =>
      context.report({ node, message: "Export by name, so that one thing has one name" });
    return {
      ExportDefaultDeclaration: report,
      ExportSpecifier(node) {
        if (node.exported.type === "Identifier" && node.exported.name === "default") report(node);
      },
    };
  },
};

/** Every export of the contract and of a folder's face says what it promises. */
export const documentedExports: Deno.lint.Rule = {
  create(context) {
    const { area, path } = placeOf(context.filename);
    const isFace = path.startsWith("src/protocol/") || path.endsWith("/mod.ts");
    if (area !== "src" || !isFace) return {};
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node;
        if (!declaration || isLaterOverload(node)) return;
        const before = context.sourceCode.text.slice(0, node.range[0]).trimEnd();
        const comment = before.endsWith("*/") ? before.slice(before.lastIndexOf("/*")) : "";
        if (!/^\/\*\*[\s*]*[^\s*/]/.test(comment)) {
          context.report({ node, message: "An export of the contract needs a /** … */ before it" });
        }
      },
    };
  },
};

/** The signatures of an overloaded function share the comment of the first. */
function isLaterOverload(node: Deno.lint.ExportNamedDeclaration): boolean {
  const name = functionName(node);
  if (name === undefined || node.parent.type !== "Program") return false;
  const at = node.parent.body.findIndex((other) => other.range[0] === node.range[0]);
  const previous = node.parent.body[at - 1];
  return previous?.type === "ExportNamedDeclaration" && functionName(previous) === name;
}

function functionName({ declaration }: Deno.lint.ExportNamedDeclaration): string | undefined {
  if (declaration?.type !== "FunctionDeclaration" && declaration?.type !== "TSDeclareFunction") {
    return undefined;
  }
  return declaration.id?.name;
}

const NAMES_WITHOUT_SUBJECT: readonly string[] = ["utils", "helpers", "types", "manager", "common"];

export const fileNames: Deno.lint.Rule = {
  create(context) {
    const { area, path } = placeOf(context.filename);
    if (area === "other") return {};
    return {
      Program(node) {
        const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, "");
        if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
          context.report({ node, message: `Name the file in snake_case, not "${name}"` });
        }
        if (NAMES_WITHOUT_SUBJECT.includes(name)) {
          context.report({ node, message: `"${name}" is no subject; name what the file is about` });
        }
      },
    };
  },
};

/** A shell line that our code puts together is an injection waiting; only a line somebody wrote goes to `sh -c` whole. */
export const joinedCommand: Deno.lint.Rule = {
  create(context) {
    const { area } = placeOf(context.filename);
    if (area !== "src" && area !== "main") return {};
    return {
      ArrayExpression(node) {
        node.elements.forEach((element, index) => {
          if (element?.type !== "Literal" || !isShellFlag(element.value)) return;
          const line = node.elements[index + 1];
          if (line && isJoined(line) && namesShell(around(node, context.sourceCode))) {
            const message = "Pass an argument list instead of a joined shell line";
            context.report({ node: line, message });
          }
        });
      },
    };
  },
};

function isShellFlag(value: unknown): boolean {
  return typeof value === "string" && /^(-[a-z]*c|\/c|-Command)$/i.test(value);
}

/** `git -c name=value` has the same flag; only a shell makes a command of what follows. */
function namesShell(text: string): boolean {
  return /["'`]([^"'`]*[\\/])?((ba|da|z|k)?sh|cmd|powershell|pwsh)(\.exe)?["'`]/i.test(text);
}

/** The text of the statement or declaration around a node. */
function around(node: Deno.lint.Node, code: Deno.lint.SourceCode): string {
  const isWhole = ({ type }: Deno.lint.Node) => /Statement$|^VariableDeclarator$/.test(type);
  return code.getText(code.getAncestors(node).findLast(isWhole));
}

function isJoined(node: Deno.lint.Node): boolean {
  if (node.type === "TemplateLiteral") return node.expressions.length > 0;
  if (node.type === "BinaryExpression") return node.operator === "+";
  return node.type === "CallExpression" && node.callee.type === "MemberExpression" &&
    node.callee.property.type === "Identifier" &&
    ["join", "concat", "replace", "replaceAll"].includes(node.callee.property.name);
}
