import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { ToolResult } from "@/protocol/tool.ts";
import { findSymbol } from "@/tools/find_symbol.ts";
import { Syntax } from "@/workers/syntax.ts";
import { fingerprint } from "@/workspace/hashline.ts";
import { Readings } from "@/workspace/readings.ts";
import { Search, type SearchParts } from "@/workspace/search.ts";
import { NamesCache } from "@/workspace/syntax/names_cache.ts";
import { Symbols } from "@/workspace/syntax/symbols.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";
import { plant } from "../workspace/search_tree.ts";

type At = {
  dir: string;
  cacheDir: string;
  readings: Readings;
  find(input: Record<string, unknown>): Promise<ToolResult>;
};

function withSymbols(
  body: (at: At) => Promise<void>,
  more: Partial<SearchParts> = {},
): Promise<void> {
  return withWorkspace((root) =>
    withProcesses(async (processes) => {
      const [dir, cacheDir] = [join(root, "ws"), join(root, "cache")];
      await Deno.mkdir(dir);
      const [syntax, readings] = [new Syntax(), new Readings()];
      const search = new Search({ processes, workspace: dir, ...more });
      const cache = new NamesCache(cacheDir);
      const symbols = new Symbols({ search, syntax, cache, workspace: dir });
      const tool = findSymbol({ symbols, readings });
      try {
        await body({
          ...{ dir, cacheDir, readings },
          find: (input) => callTool(tool, input, testHost(dir)),
        });
      } finally {
        syntax.close();
      }
    })
  );
}

const row = (line: number, text: string) => `  ${line}:${fingerprint(text)}|${text}`;

Deno.test("find_symbol tells definitions and uses of several languages as anchored rows", async () => {
  await withSymbols(async ({ dir, find, readings }) => {
    await plant(dir, {
      "lib/a.py": "# total here\ndef total(x):\n    return x\n",
      "b.ts": 'import { total } from "./c";\nconst s = "total"; // total\ntotal(total(1));\n',
      "c.ts": "export class Sum {\n  total() { return 1; }\n}\n",
      "notes.md": "total\n",
      "d.ts": "const totals = 1;\n",
    });
    const { status, text, meta } = await find({ name: "total" });
    equal(status, "ok");
    equal(text.split("\n"), [
      '"total" is defined in 2 places and used in 2 lines, in 3 files',
      "Defined:",
      "c.ts (function in Sum)",
      row(2, "  total() { return 1; }"),
      "lib/a.py (function)",
      row(2, "def total(x):"),
      "Used:",
      "b.ts",
      row(1, 'import { total } from "./c";'),
      row(3, "total(total(1));"),
      "1 more file contains the text and no syntax tree can be made of it; search_in_file shows where",
    ]);
    equal(meta, { definitions: 2, uses: 2 });
    equal(readings.stale(join(dir, "c.ts"), [2], ["", "other"]), [2]);
    match((await find({ name: "Sum.total()" })).text, /^"total" is defined in 1 place /);
    match((await find({ name: "total", path: "lib" })).text, /used in 0 lines, in 1 file\n/);
    match((await find({ name: "total", path: "b.ts" })).text, /defined in 0 places/);
  });
});

Deno.test("find_symbol says where a name that is none stands as text", async () => {
  await withSymbols(async ({ dir, find }) => {
    await plant(dir, { "a.py": "# gone\n", "b.txt": "gone\n" });
    const { status, text } = await find({ name: "gone" });
    equal(status, "ok");
    equal(
      text,
      '"gone" is no name in any source file here. 2 files contain it as text, 1 of them without a ' +
        "syntax tree: search_in_file shows where",
    );
    match((await find({ name: "nothing" })).text, /No file that is searched contains it/);
    match((await find({ name: "constructor" })).text, /No file that is searched contains it/);
    const missing = await find({ name: "gone", path: "nowhere" });
    equal([missing.status, missing.text.includes("nowhere")], ["failed", true]);
  });
});

Deno.test("find_symbol leaves out what is ignored, hidden or denied, and clips with counts", async () => {
  const mayRead = (path: string) => !path.endsWith("secret.py");
  await withSymbols(async ({ dir, find }) => {
    await plant(dir, {
      ".gitignore": "out/\n",
      ".git/HEAD": "",
      "out/a.py": "def many(): pass\n",
      ".hidden/a.py": "def many(): pass\n",
      "secret.py": "def many(): pass\n",
      "a.py": "def many(): pass\n",
      ...Object.fromEntries(
        Array.from(
          { length: 60 },
          (_, n) => [`u${n}.py`, `many(${n}, "${"x".repeat(80)}")\n`.repeat(9)],
        ),
      ),
    });
    const { text } = await find({ name: "many" });
    match(text, /^"many" is defined in 1 place and used in 540 lines, in 61 files\n/);
    ok(!/secret|hidden|out\//.test(text));
    match(text, /\n {2}\(1 more line\)\n/);
    match(text, /\nAlso in: u\d+\.py \(9\), .* and \d+ more files\. With a path/);
    ok(text.length < 8_000, `${text.length}`);
  }, { mayRead });
});

Deno.test("find_symbol goes by the content of files: what is kept is used, and damage is no harm", async () => {
  await withSymbols(async ({ dir, find, cacheDir }) => {
    await plant(dir, { "a.py": "def one(): pass\n", "b.py": "def one(): pass\n" });
    const first = await find({ name: "one" });
    const kept = [...Deno.readDirSync(cacheDir)].map(({ name }) => join(cacheDir, name));
    equal(kept.length, 1);
    const [file = ""] = kept;
    equal((Deno.statSync(file).mode ?? 0) & 0o077, 0);
    const planted = Deno.readTextFileSync(file).replaceAll('"one"', '"two"');
    Deno.writeTextFileSync(file, planted);
    match((await find({ name: "one" })).text, /is no name/);
    for (const damage of ["", "{", "[]", '{"definitions":[{}],"uses":{},"clipped":false}']) {
      Deno.writeTextFileSync(file, damage);
      equal(await find({ name: "one" }), first);
    }
    await plant(dir, { "a.py": "def one(): pass\n\none()\n" });
    match((await find({ name: "one" })).text, /defined in 2 places and used in 1 line, in 2 files/);
  });
});

Deno.test("NamesCache keeps to its bound, and does without a directory", async () => {
  await withWorkspace(async (dir) => {
    const names = { definitions: [], uses: {}, clipped: false };
    const keep = async (cache: NamesCache, text: string) =>
      await cache.get({ language: "python", text }, () => Promise.resolve(names));
    const inside = join(dir, "cache");
    const limits = { filesMax: 8, bytesMax: 1_000_000 };
    const cache = new NamesCache(inside, limits);
    for (let n = 0; n < 40; n++) {
      await keep(cache, `${n}`);
      ok([...Deno.readDirSync(inside)].length <= 10);
    }
    await keep(new NamesCache(inside, { filesMax: 4, bytesMax: 1_000_000 }), "another");
    equal([...Deno.readDirSync(inside)].length, 4);
    Deno.writeTextFileSync(join(dir, "file"), "");
    equal(await keep(new NamesCache(join(dir, "file")), "x"), names);
  });
});
