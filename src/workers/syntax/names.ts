/** Where names stand in a file, and which of those places define them. */
import type { Tree } from "web-tree-sitter";
import type { Language } from "../grammars.ts";
import type { Names } from "./answer.ts";
import { entryOf, kindOf, nameNode } from "./declaration.ts";
import { SHAPES } from "./shapes.ts";
import { walkTree } from "./walk.ts";

/** Places that are kept of one file. */
const PLACES_MAX = 100_000;
const NAME_CHARS_MAX = 200;

/** Find them. */
export function namesIn(tree: Tree, language: Language): Names {
  const shape = SHAPES[language];
  const leaves = new Set(shape.names ?? []);
  const definitions: Names["definitions"] = [];
  const uses = new Map<string, number[]>();
  const open: { name: string; isFunction: boolean }[] = [];
  let places = 0;
  walkTree(tree, {
    enter(cursor) {
      const { nodeType } = cursor;
      const rule = shape.rules[nodeType];
      if (rule !== undefined && places < PLACES_MAX) {
        const node = cursor.currentNode;
        const name = nameNode(rule, node);
        const within = open.at(-1)?.name;
        const isLocal = rule.type === "value" && open.some(({ isFunction }) => isFunction);
        if (name !== undefined && !isLocal) {
          definitions.push({
            name: name.text.slice(0, NAME_CHARS_MAX).replace(/^(["'])(.*)\1$/s, "$2"),
            kind: kindOf(rule, node) ?? rule.type,
            line: name.startPosition.row + 1,
            column: name.startPosition.column + 1,
            ...(within === undefined ? {} : { within }),
          });
        }
        const entry = rule.type === "value" ? undefined : entryOf(rule, node);
        if (entry === undefined) return false;
        open.push({ name: entry.name, isFunction: entry.type === "function" });
        return true;
      }
      if ((nodeType.endsWith("identifier") || leaves.has(nodeType)) && places < PLACES_MAX) {
        const text = cursor.nodeText;
        if (text.length <= NAME_CHARS_MAX && isLeafName(text)) {
          const { row, column } = cursor.startPosition;
          const at = uses.get(text) ?? [];
          // A node and the only one in it have the same text.
          if (at.at(-2) === row + 1 && at.at(-1) === column + 1) return false;
          at.push(row + 1, column + 1);
          uses.set(text, at);
          places += 1;
        }
      }
      return false;
    },
    leave: () => open.pop(),
  });
  return { definitions, uses: Object.fromEntries(uses), clipped: places >= PLACES_MAX };
}

/** `a.b` and `A::B` are nodes too; the names in them come for themselves. */
function isLeafName(text: string): boolean {
  return !/[\s.:(<]/.test(text);
}
