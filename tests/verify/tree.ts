/** Projects for tests: files in a new directory. */
import { dirname, join } from "node:path";
import { withWorkspace } from "../support/workspace.ts";

/** Path → text; a path that ends with a slash is a directory. */
export type Tree = Readonly<Record<string, string>>;

/** Writes the files. */
export async function plant(dir: string, tree: Tree): Promise<void> {
  for (const [path, text] of Object.entries(tree)) {
    const at = join(dir, path);
    await Deno.mkdir(path.endsWith("/") ? at : dirname(at), { recursive: true });
    if (!path.endsWith("/")) await Deno.writeTextFile(at, text);
  }
}

/** A project that stands while `body` runs. */
export function withTree(tree: Tree, body: (dir: string) => Promise<void>): Promise<void> {
  return withWorkspace(async (dir) => {
    await plant(dir, tree);
    await body(dir);
  });
}
