/** Regular expressions that a long run of one character keeps busy for minutes: V8 tries again from each of its characters. */
import { placeOf } from "./place.ts";

/** A run of one class, and then something that may be missing: all of the run is looked at from each place in it. */
const RUN_FIRST = /^(?:\\[a-zA-Z]|\\.|\[(?:\\.|[^\]\\])+\]|[^\\()[\]|^$*+?])[*+](?![?|]|$)/su;

/** With the flag m, "^\s*" goes over line ends: from each empty line on, all the empty lines after it. */
const LINES_FIRST = /(?:^|[|(:])\^\(?(?:\?:)?(?:\\s|\[[^\]]*\\s[^\]]*\])[*+]/u;

export const linearRegex: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).area !== "src") return {};
    return {
      Literal(node) {
        if (!("regex" in node) || node.regex === undefined) return;
        const { pattern, flags } = node.regex;
        const message = flags.includes("m") && LINES_FIRST.test(pattern)
          ? String.raw`With the flag m, "^\s*" goes over line ends; write "^[ \t]*"`
          : !flags.includes("y") && RUN_FIRST.test(pattern)
          ? 'A run at the beginning is looked at from each place in it; put "(?<!…)" with its class before it'
          : undefined;
        if (message !== undefined) context.report({ node, message });
      },
    };
  },
};
