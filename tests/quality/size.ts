/** How long a file and a function may be. */
import { placeOf } from "./place.ts";

/** Lines a file may have, in the program, its tests and its tasks alike. */
export const FILE_LINES_MAX = 400;

/** Lines a function may have, from its first word to its closing brace. */
export const FUNCTION_LINES_MAX = 70;

type AnyFunction =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

export const fileLength: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).area === "other") return {};
    return {
      Program(node) {
        const lines = lineCount(context.sourceCode.text.trimEnd());
        if (lines <= FILE_LINES_MAX) return;
        const message = `${lines} lines, at most ${FILE_LINES_MAX}: split the file by subject`;
        context.report({ node, message });
      },
    };
  },
};

export const functionLength: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).area === "other") return {};
    const check = (node: AnyFunction) => {
      const lines = lineCount(context.sourceCode.getText(node));
      if (lines <= FUNCTION_LINES_MAX) return;
      const message = `${lines} lines, at most ${FUNCTION_LINES_MAX}: give a part of it a name`;
      context.report({ node, message });
    };
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    };
  },
};

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
