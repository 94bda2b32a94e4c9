/** Goes through a tree in the order of the text, without calling itself: code may be nested as deep as somebody likes. */
import type { Tree, TreeCursor } from "web-tree-sitter";

/** What a walk tells: each named node when it comes to it, and when it has left what `enter` answered true for. */
export type Visitor = {
  enter(cursor: TreeCursor): boolean;
  leave(): void;
};

/** Visit every named node. */
export function walkTree(tree: Tree, { enter, leave }: Visitor): void {
  const cursor = tree.walk();
  /** For each node on the way down: whether leaving it is told. */
  const open: boolean[] = [];
  try {
    for (;;) {
      open.push(cursor.nodeIsNamed && enter(cursor));
      if (cursor.gotoFirstChild()) continue;
      for (;;) {
        if (open.pop()) leave();
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return;
      }
    }
  } finally {
    cursor.delete();
  }
}
