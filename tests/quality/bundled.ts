/** What the bundler's minifier must not be given. */
import { placeOf } from "./place.ts";

/**
 * `using x = f(); return x.y();` comes out of it as `return f().y()` (esbuild in Deno 2.9.6): what is used once is put in that
 * place, and nothing is let go of any more. A lock was kept so until the program ended.
 */
export const usingKept: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).area !== "src") return {};
    return {
      VariableDeclaration(node) {
        // Its kind is not told as "using" here.
        const name = /^(?:await\s+)?using\s+([\w$]+)\s*=/.exec(context.sourceCode.getText(node))
          ?.[1];
        if (name === undefined || node.parent.type !== "BlockStatement") return;
        const rest = context.sourceCode.text.slice(node.range[1], node.parent.range[1]);
        if (uses(rest, name) !== 1) return;
        const message =
          `"${name}" is used once: the built program may never let go of it; use try and finally`;
        context.report({ node, message });
      },
    };
  },
};

/** How often a name stands in a text, but not as the name of a property. */
function uses(text: string, name: string): number {
  const escaped = name.replaceAll("$", "\\$");
  const code = text.replaceAll(/(?<!:)\/\/.*$/gm, "");
  return [...code.matchAll(new RegExp(`(?<![\\w$.])${escaped}(?![\\w$]|\\s*:)`, "g"))].length;
}
