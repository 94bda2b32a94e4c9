/** What a file declares, as entries within entries. */
import type { Node, Tree } from "web-tree-sitter";
import type { Language } from "../grammars.ts";
import type { Entry, Outline } from "./answer.ts";
import { entryOf } from "./declaration.ts";
import { SHAPES } from "./shapes.ts";
import { walkTree } from "./walk.ts";

/** Entries are JSON of nested objects, which is read again by who knows what. */
const DEPTH_MAX = 20;
const ENTRIES_MAX = 20_000;
const ERROR_LINES_MAX = 5;

/** Make it. */
export function outlineOf(tree: Tree, language: Language): Outline {
  const shape = SHAPES[language];
  const entries: Entry[] = [];
  const open: Entry[] = [];
  const errorLines = new Set<number>();
  let total = 0;
  let decorated: Node | undefined;
  walkTree(tree, {
    enter(cursor) {
      if (
        (cursor.nodeType === "ERROR" || cursor.nodeIsMissing) && errorLines.size < ERROR_LINES_MAX
      ) {
        errorLines.add(cursor.startPosition.row + 1);
      }
      if (cursor.nodeType === shape.decorated) decorated = cursor.currentNode;
      const rule = shape.rules[cursor.nodeType];
      if (rule === undefined || rule.type === "value") return false;
      if (open.length >= (rule.depthMax ?? DEPTH_MAX) || total >= ENTRIES_MAX) return false;
      const entry = entryOf(rule, cursor.currentNode, decorated);
      decorated = undefined;
      if (entry === undefined) return false;
      addTo(open.at(-1), entry, entries);
      open.push(entry);
      total += 1;
      return true;
    },
    leave: () => open.pop(),
  });
  return { entries, total, errorLines: [...errorLines] };
}

function addTo(around: Entry | undefined, entry: Entry, entries: Entry[]): void {
  if (around === undefined) entries.push(entry);
  else if (around.type === "class") (around.methods ??= []).push(entry);
  else (around.children ??= []).push(entry);
}
