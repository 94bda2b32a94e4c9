/** What a start loads: nothing of Node's layer by a static import, of zod only what is used, of features only themselves. */
import { placeOf } from "./place.ts";

export const lightImports: Deno.lint.Rule = {
  create(context) {
    const { area, path } = placeOf(context.filename);
    if (area !== "src" && area !== "main") return {};
    let zod: string | undefined;
    return {
      Identifier(node) {
        if (node.name !== zod || isPartNamed(node)) return;
        const message =
          `"${zod}" as a value brings all of zod into the bundle; hand on what is used`;
        context.report({ node, message });
      },
      ImportDeclaration(node) {
        if (node.importKind === "type") return;
        if (node.source.value === "zod") zod = node.specifiers[0]?.local.name;
        const message = problem(node);
        if (message !== undefined && !path.startsWith("src/release/")) {
          context.report({ node, message });
        }
      },
    };
  },
};

/** A feature's file stands in every start: what it works with comes by import(), also from a folder of its own. */
export const lightFeatures: Deno.lint.Rule = {
  create(context) {
    const { path } = placeOf(context.filename);
    if (!/^src\/features\/[^/]+$/.test(path)) return {};
    return {
      ImportDeclaration({ importKind, source, specifiers }) {
        if (importKind === "type" || specifiers.every(isType)) return;
        if (/^(@\/(lib|lend)\/|\.\/[^/]+$)/.test(source.value)) return;
        const message = `A start would load "${source.value}"; await import() it in work() or lend`;
        context.report({ node: source, message });
      },
    };
  },
};

function isType(specifier: Deno.lint.ImportDeclaration["specifiers"][number]): boolean {
  return specifier.type === "ImportSpecifier" && specifier.importKind === "type";
}

function problem({ source, specifiers }: Deno.lint.ImportDeclaration): string | undefined {
  if (source.value === "node:path") return 'Import paths from "@/lib/path.ts": see there';
  if (source.value.startsWith("node:")) {
    return `"${source.value}" slows every start by up to 40 ms; await import() it where it is needed`;
  }
  if (source.value === "zod" && !specifiers.every(isNamespace)) {
    return 'Write import * as z from "zod": the object z brings all of zod into the bundle';
  }
  return undefined;
}

/** Whether a name stands where a part of it is named, or where it is declared. Taken apart by a pattern it is a value. */
function isPartNamed({ parent }: Deno.lint.Identifier): boolean {
  return parent.type === "MemberExpression" || parent.type === "TSQualifiedName" ||
    parent.type === "ImportNamespaceSpecifier" || parent.type === "ImportSpecifier";
}

function isNamespace({ type }: { type: string }): boolean {
  return type === "ImportNamespaceSpecifier";
}
