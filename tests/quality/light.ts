/** What a start loads: nothing of Node's layer by a static import, and of zod only what is used. */
import { placeOf } from "./place.ts";

export const lightImports: Deno.lint.Rule = {
  create(context) {
    const { area, path } = placeOf(context.filename);
    if (area !== "src" && area !== "main") return {};
    return {
      ImportDeclaration(node) {
        if (node.importKind === "type") return;
        const message = problem(node);
        if (message !== undefined && !path.startsWith("src/release/")) {
          context.report({ node, message });
        }
      },
    };
  },
};

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

function isNamespace({ type }: { type: string }): boolean {
  return type === "ImportNamespaceSpecifier";
}
