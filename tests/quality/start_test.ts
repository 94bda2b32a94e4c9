/** What stands between a start and its first prompt: own files, and no library but these. */
import { deepStrictEqual as assertEquals, ok } from "node:assert";
import { projectText } from "./project.ts";

/** Where a start passes through by static imports; each loads the next one by import(). */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  "main.ts": [],
  "src/cli.ts": ["@stricli/core"],
  "src/entry/enter.ts": [],
  "src/talk/full_open.ts": [],
  "src/talk/plain_open.ts": [],
  "src/talk/converse.ts": ["@noble/hashes/"],
  "src/entry/once.ts": ["@noble/hashes/"],
};

for (const [way, libraries] of Object.entries(WAYS)) {
  Deno.test(`${way} loads no library but ${libraries.join(", ") || "none"}`, () => {
    const { files, packages } = staticallyLoaded(way);
    ok(files.has(way));
    const others = [...packages].filter(([name]) =>
      !libraries.some((library) => name === library || name.startsWith(library))
    );
    assertEquals(others, [], "loaded where it is not needed, and by whom");
  });
}

/** Every project file that a file loads before it runs, and every package with the file that loads it. */
function staticallyLoaded(entry: string): { files: Set<string>; packages: Map<string, string> } {
  const files = new Set<string>();
  const packages = new Map<string, string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    for (const source of staticImports(projectText(path) ?? "")) {
      const target = resolved(source, path);
      if (target === undefined) packages.set(source, path);
      else if (target.endsWith(".ts")) visit(target);
    }
  };
  visit(entry);
  return { files, packages };
}

/** The sources of imports and re-exports that bring more than types. */
function staticImports(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)([^;"]*?)\bfrom\s+"([^"]+)"/gm);
  return [...statements].flatMap(([, names = "", source = ""]) => {
    const list = /^\{([^]*)\}\s*$/.exec(names.trim())?.[1];
    const isTypes = list !== undefined &&
      list.split(",").map((name) => name.trim()).filter((name) => name !== "")
        .every((name) => name.startsWith("type "));
    return isTypes ? [] : [source];
  });
}

/** A path in the project; undefined for a package. */
function resolved(source: string, from: string): string | undefined {
  if (source.startsWith("@/")) return `src/${source.slice(2)}`;
  if (!source.startsWith(".")) return undefined;
  return new URL(source, `file:///${from}`).pathname.slice(1);
}
