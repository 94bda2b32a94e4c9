/** Ripgrep and our own search find the same; what they find is what it should be. */
import { setTimeout as delay } from "node:timers/promises";
import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { fc, runs } from "../support/property.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { type Counts, type SearchEngine, SearchError } from "@/workspace/search_engine.ts";
import { OwnSearch } from "@/workspace/search_own.ts";
import { parsePattern, PatternError } from "@/workspace/search_pattern.ts";
import { RipgrepSearch } from "@/workspace/search_ripgrep.ts";
import { withProcesses } from "../support/processes.ts";
import { withWorkspace } from "../support/workspace.ts";
import { plant, utf16 } from "./search_tree.ts";

type Asked = { query: string; isRegex?: boolean; everything?: boolean };

/** Both engines (one where ripgrep is missing) in a directory. */
function withEngines(
  body: (
    at: { dir: string; engines: Map<string, SearchEngine>; processes: Processes },
  ) => Promise<void>,
): Promise<void> {
  return withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const own = new OwnSearch();
      const engines = new Map<string, SearchEngine>([["own", own]]);
      const program = await processes.find("rg");
      if (program !== undefined) engines.set("rg", new RipgrepSearch(processes, { program, own }));
      await body({ dir, engines, processes });
    })
  );
}

async function countBy(engine: SearchEngine, root: string, asked: Asked): Promise<Counts> {
  const { query, isRegex = false, everything = false } = asked;
  const scope = { root, isFile: false, everything, signal: new AbortController().signal };
  const counts = await engine.count(parsePattern(query, isRegex), scope);
  counts.files.sort((a, b) => a.path < b.path ? -1 : 1);
  return counts;
}

/** `{path: lines}` by every engine, which must agree. */
async function found(
  { dir, engines }: { dir: string; engines: Map<string, SearchEngine> },
  asked: Asked,
): Promise<Record<string, number>> {
  const answers = [];
  for (const [name, engine] of engines) {
    const { files, incomplete } = await countBy(engine, dir, asked);
    equal(incomplete, undefined, name);
    answers.push(Object.fromEntries(files.map(({ path, lines }) => [path, lines])));
  }
  for (const answer of answers) equal(answer, answers[0]);
  return answers[0] ?? {};
}

Deno.test("a search counts the matching lines of each file", async () => {
  await withEngines(async (at) => {
    await plant(at.dir, {
      "a.txt": "foo\nbar\nfoo foo\n",
      "한글 이름.txt": "foo",
      "sub/b.ts": "xfoox\r\nfoo\r\n",
      "empty": "",
      "upper": "FOO",
      "odd\nname": "foo",
    });
    const expected = { "a.txt": 2, "odd\nname": 1, "sub/b.ts": 2, "한글 이름.txt": 1 };
    equal(await found(at, { query: "foo" }), expected);
    equal(await found(at, { query: "foo$", isRegex: true }), { ...expected, "sub/b.ts": 1 });
    equal(await found(at, { query: "(?i)^foo", isRegex: true }), {
      ...expected,
      "sub/b.ts": 1,
      upper: 1,
    });
    equal(await found(at, { query: "-e" }), {});
  });
});

Deno.test({
  name: "our own search counts what it skips because the name is not UTF-8",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withWorkspace(async (dir) => {
      await plant(dir, { "a.txt": "foo", "is\ufffd.txt": "foo" });
      const script = "printf foo > \"$(printf 'b\\377.txt')\"; mkdir \"$(printf 'd\\376')\"";
      equal((await new Deno.Command("sh", { args: ["-c", script], cwd: dir }).output()).code, 0);
      const { files, searchedFiles, unsayable } = await countBy(new OwnSearch(), dir, {
        query: "foo",
      });
      equal(files.map(({ path }) => path), ["a.txt", "is\ufffd.txt"]);
      equal([searchedFiles, unsayable], [2, 2]);
    });
  },
});

Deno.test("a search respects ignore files of every kind and depth", async () => {
  await withEngines(async (at) => {
    await plant(at.dir, {
      ".git/HEAD": "x",
      ".gitignore": "*.log\n/build/\n!keep.log\n",
      "a.log": "x",
      "keep.log": "x",
      "build/a": "x",
      "sub/build/a": "x",
      "sub/.gitignore": "!deep.log\nonly-here\n",
      "sub/deep.log": "x",
      "sub/only-here": "x",
      "only-here": "x",
      ".ignore": "secret.txt\n!wanted.log\n",
      "secret.txt": "x",
      "wanted.log": "x",
      ".hidden/a": "x",
      ".env": "x",
      ".github/": "",
      "node_modules/a/b.js": "x",
      "sub/__pycache__/c": "x",
      "venv/d": "x",
      "nested/.git/HEAD": "x",
      "nested/own.log": "x",
      "node_modules.txt": "x",
    });
    equal(Object.keys(await found(at, { query: "x" })), [
      ...["keep.log", "nested/own.log", "node_modules.txt", "only-here", "sub/build/a"],
      ...["sub/deep.log", "wanted.log"],
    ]);
    const everything = Object.keys(await found(at, { query: "x", everything: true }));
    ok(everything.includes(".hidden/a") && everything.includes("a.log"));
    ok(!everything.some((path) => path.includes(".git/") || path.includes("node_modules/")));
  });
});

Deno.test("a search below the top of a repository respects what stands above", async () => {
  await withEngines(async ({ dir, engines }) => {
    await plant(dir, {
      "outer/.gitignore": "c",
      "outer/repo/.git/HEAD": "",
      "outer/repo/.gitignore": "a\npkg/b\n",
      "outer/repo/pkg/a": "x",
      "outer/repo/pkg/b": "x",
      "outer/repo/pkg/c": "x",
    });
    const at = { dir: join(dir, "outer/repo/pkg"), engines };
    equal(await found(at, { query: "x" }), { c: 1 });
  });
});

Deno.test("a search in an ignored directory that was asked for finds what is there", async () => {
  await withEngines(async ({ dir, engines }) => {
    await plant(dir, {
      ".git/HEAD": "",
      ".gitignore": "dist/\n",
      "dist/a": "x",
      "dist/sub/b": "x",
    });
    equal(await found({ dir: join(dir, "dist"), engines }, { query: "x" }), { a: 1, "sub/b": 1 });
  });
});

Deno.test("a search outside a repository respects ignore files below it, not above", async () => {
  await withEngines(async ({ dir, engines }) => {
    await plant(dir, { ".gitignore": "a", "ws/a": "x", "ws/b": "x", "ws/.gitignore": "b" });
    equal(await found({ dir: join(dir, "ws"), engines }, { query: "x" }), { a: 1 });
  });
});

Deno.test("a search follows no link and waits for no pipe", async () => {
  await withEngines(async ({ dir, engines, processes }) => {
    await plant(dir, { "out/secret": "x", "ws/a": "x" });
    await Deno.symlink(join(dir, "out"), join(dir, "ws/dir"));
    await Deno.symlink(join(dir, "out/secret"), join(dir, "ws/file"));
    await Deno.symlink(join(dir, "ws"), join(dir, "ws/loop"));
    const mkfifo = { program: "mkfifo", args: [join(dir, "ws/pipe")], cwd: dir };
    equal((await processes.run(mkfifo)).code, 0);
    equal(await found({ dir: join(dir, "ws"), engines }, { query: "x" }), { a: 1 });
  });
});

Deno.test("a search skips binary files and reads UTF-16 and marks", async () => {
  await withEngines(async (at) => {
    const eucKr = Uint8Array.of(0xb0, 0xa1, 0xb0, 0xdd, 0x20, 0x66, 0x6f, 0x6f, 0x0a);
    await plant(at.dir, {
      "binary": "foo\0foo",
      "late": `${"foo\n".repeat(300_000)}\0`,
      "bom.txt": "\ufefffoo\n한글\n",
      "le.txt": utf16("abc\nfoo 한글\n"),
      "be.txt": utf16("abc\nfoo 한글\n", false),
      "euc-kr.txt": eucKr,
    });
    const expected = { "be.txt": 1, "bom.txt": 1, "euc-kr.txt": 1, "le.txt": 1 };
    equal(await found(at, { query: "foo" }), expected);
    equal(await found(at, { query: "^foo", isRegex: true }), {
      ...{ "be.txt": 1, "bom.txt": 1, "le.txt": 1 },
    });
    equal(await found(at, { query: "한글" }), { "be.txt": 1, "bom.txt": 1, "le.txt": 1 });
  });
});

Deno.test("hits name line and place, the first of each line", async () => {
  await withEngines(async ({ dir, engines }) => {
    const text = `\ufeffnone\r\nthe 한글 foo and foo\r\n${"y".repeat(1_000_000)}foo${
      "z".repeat(400_000)
    }\nfoo`;
    await plant(dir, { "a.txt": text, "wide.txt": utf16("none\nxx foo\n") });
    const paths = ["a.txt", "wide.txt", "gone.txt"].map((name) => join(dir, name));
    const limits = { hitsMax: 3, signal: new AbortController().signal };
    const expected = [
      [
        { line: 1, lineStart: 6, start: 17, more: 1 },
        { line: 2, lineStart: 30, start: 1_000_030, more: 0 },
        { line: 3, lineStart: 1_400_034, start: 1_400_034, more: 0 },
      ],
      [{ line: 1, lineStart: 5, start: 8, more: 0 }],
      [],
    ];
    for (const [name, engine] of engines) {
      for (const [query, isRegex] of [["foo", false], ["fo+", true], ["fo(?=o)o", true]] as const) {
        const pattern = parsePattern(query, isRegex);
        equal(await engine.hits(pattern, paths, limits), expected, `${name} ${query}`);
      }
    }
  });
});

Deno.test("hits show an empty match too", async () => {
  await withEngines(async ({ dir, engines }) => {
    await plant(dir, { "a.txt": "x\n\ny\n" });
    const limits = { hitsMax: 9, signal: new AbortController().signal };
    for (const [name, engine] of engines) {
      const hits = await engine.hits(parsePattern("^$", true), [join(dir, "a.txt")], limits);
      equal(hits, [[{ line: 1, lineStart: 2, start: 2, more: 0 }]], name);
    }
  });
});

Deno.test("a pattern that takes for ever is stopped", async () => {
  await withEngines(async ({ dir, engines }) => {
    await plant(dir, { "a.txt": `${"a".repeat(40)}!\n` });
    const own = new OwnSearch({ searchMs: 10_000, pieceMs: 300 });
    const slow = { query: "^(a+)+$", isRegex: true };
    await rejects(countBy(own, dir, slow), (error: unknown) => {
      ok(error instanceof SearchError);
      ok(error.message.includes("took more than 0.3 s"));
      return true;
    });
    const rg = engines.get("rg");
    if (rg !== undefined) equal((await countBy(rg, dir, slow)).files, []);
  });
});

Deno.test("a search that takes too long says so and gives what it has", async () => {
  await withWorkspace(async (dir) => {
    await plant(dir, Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`f${n}`, "x"])));
    const counts = await countBy(new OwnSearch({ searchMs: 1, pieceMs: 1_000 }), dir, {
      query: "x",
    });
    equal(counts.incomplete, "it was stopped after 0.001 s");
    ok(counts.files.length < 400);
  });
});

Deno.test("an interrupt ends a search", async () => {
  await withEngines(async ({ dir, engines }) => {
    await plant(dir, { "a.txt": "x" });
    for (const engine of engines.values()) {
      const scope = { root: dir, isFile: false, everything: false, signal: AbortSignal.abort() };
      await rejects(engine.count(parsePattern("x", false), scope), { name: "AbortError" });
    }
  });
});

Deno.test("an interrupt ends a search whose pattern takes for ever", async () => {
  await withWorkspace(async (dir) => {
    await plant(dir, { "a.txt": `${"a".repeat(40)}!\n` });
    const interrupt = new AbortController();
    const scope = { root: dir, isFile: false, everything: false, signal: interrupt.signal };
    const own = new OwnSearch({ searchMs: 600_000, pieceMs: 600_000 });
    const counts = own.count(parsePattern("^(a+)+$", true), scope);
    const ended = rejects(counts, { message: "enough" });
    await delay(200); // By now the worker is at it, or about to.
    interrupt.abort(new Error("enough"));
    await ended;
  });
});

const NAMES = ["a", "b.log", ".h", "build", "src", "venv"];
const RULES = [
  "a",
  "b.log",
  "*.log",
  "build/",
  "/src",
  "!a",
  "!b.log",
  "src/a",
  "**/build",
  "!.h",
  "*",
];

Deno.test("both engines search the same files of any tree", async () => {
  await withEngines(async (at) => {
    if (!at.engines.has("rg")) return;
    const name = fc.constantFrom(...NAMES);
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 3 }).map((lines) =>
      lines.join("\n")
    );
    const place = fc.constantFrom("", "src/", "build/", "src/build/");
    const ignoreFile = fc.tuple(place, fc.constantFrom(".gitignore", ".ignore"), rules);
    const tree = fc.record({
      paths: fc.array(path, { maxLength: 12 }),
      ignores: fc.array(ignoreFile, { maxLength: 3 }),
      hasGit: fc.boolean(),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({ paths, ignores, hasGit }) => {
        const dir = join(at.dir, String(run += 1));
        await Deno.mkdir(dir);
        if (hasGit) await plant(dir, { ".git/HEAD": "" });
        // A path may go through a name that another one made a file: the tree is what could be made.
        for (
          const file of [...paths.map((p) => [p, "x"]), ...ignores.map(([d, f, r]) => [d + f, r])]
        ) {
          await plant(dir, { [file[0] ?? ""]: file[1] ?? "" }).catch((error: unknown) => {
            ok(error instanceof Error);
          });
        }
        await found({ dir, engines: at.engines }, { query: "x" });
      }),
      runs(60),
    );
  });
});

Deno.test("both engines find the same lines by any pattern", async () => {
  await withEngines(async (at) => {
    if (!at.engines.has("rg")) return;
    const piece = fc.constantFrom(
      ...["a", "b", "B", "0", " ", "é", "한", ".", "\\d", "\\w", "\\W", "\\s", "\\S", "\\D", "\\b"],
      ...[
        "\\B",
        "^",
        "$",
        "[ab]",
        "[^a]",
        "[^\\d]",
        "[\\W_]",
        "[a-c-]",
        "(a|b)",
        "(?:b)",
        "(?i:b)",
      ],
      ...["\\.", "\\-", "{", "\\p{L}", "\\x61", "\\t", "|", "(", ")", "]", "[[:punct:]]"],
    );
    const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}", "*?");
    const source = fc.array(fc.tuple(piece, quantifier).map((both) => both.join("")), {
      ...{ minLength: 1, maxLength: 5 },
    }).map((parts) => parts.join(""));
    const letter = fc.constantFrom(..."aabbB0 .é한\t-_{|\n\n\r", "\r\n", "\u00a0");
    const text = fc.string({ unit: letter, maxLength: 60 });
    const ignoreCase = fc.constantFrom("", "(?i)");
    await fc.assert(
      fc.asyncProperty(ignoreCase, source, text, async (flag, query, content) => {
        try {
          parsePattern(flag + query, true);
        } catch (error) {
          ok(error instanceof PatternError);
          return;
        }
        await plant(at.dir, { "a.txt": content });
        await found(at, { query: flag + query, isRegex: true });
      }),
      runs(60),
    );
  });
});
