import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { bind } from "@/agent/bind.ts";
import { searchInFile } from "@/tools/search_in_file.ts";
import { definition } from "@/tools/spec.ts";
import { Search, type SearchParts } from "@/workspace/search.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";
import { plant } from "../workspace/search_tree.ts";

type At = {
  dir: string;
  processes: Processes;
  /** The result, by both engines, which must agree. */
  search(input: Record<string, unknown>, more?: Partial<SearchParts>): Promise<ToolResult>;
};

function withSearch(body: (at: At) => Promise<void>): Promise<void> {
  return withWorkspace((dir) =>
    withProcesses((processes) => {
      const by = (parts: Partial<SearchParts>) =>
        searchInFile(new Search({ processes, workspace: dir, ...parts }));
      const search: At["search"] = async (input, more = {}) => {
        const first = await callTool(by(more), input, testHost(dir));
        equal(await callTool(by({ ...more, engine: "own" }), input, testHost(dir)), first);
        return first;
      };
      return body({ dir, processes, search });
    })
  );
}

const anyTool = (processes: Processes): ToolSpec =>
  searchInFile(new Search({ processes, workspace: "/" }));

Deno.test("search_in_file gives rows with line and column, and counts", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, {
      "b.ts": "const x = 1;\n  foo(x); // foo\n",
      "a/한글.txt": "가격 foo\r\nbar\n",
      "c.txt": "bar",
    });
    equal(await search({ query: "foo" }), {
      status: "ok",
      text: "2 lines match in 2 files (3 files searched)\na/한글.txt:1:4: 가격 foo\n" +
        "b.ts:2:3:   foo(x); // foo [1 more in this line]",
      meta: { lines: 2, files: 2 },
    });
  });
});

Deno.test("search_in_file reads a regular expression, and names the place of an error", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, { "a.ts": "let abc = 12;\n" });
    match(
      (await search({ query: "\\w+ = \\d+", is_regex: true })).text,
      /a\.ts:1:5: let abc = 12;/,
    );
    const broken = await search({ query: "foo(bar", is_regex: true });
    equal(broken.status, "failed");
    match(broken.text, /"foo\(bar": this group is not closed \(character 4\)/);
    const several = await search({ query: "a\nb" });
    match(several.text, /a match lies within one line/);
    equal((await search({ query: "let abc = 12;\n" })).meta?.lines, 1);
  });
});

Deno.test("search_in_file keeps a result below 8 KB and says what is not shown", async () => {
  await withSearch(async ({ dir, search }) => {
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [
      `src/some/long/path/한글${String(n).padStart(3, "0")}.txt`,
      `a line with foo that is not short ${"한".repeat(40)}\n`.repeat(n % 3 + 1),
    ]));
    await plant(dir, files);
    const { text } = await search({ query: "foo" });
    const bytes = new TextEncoder().encode(text).length;
    ok(bytes < 8_192, `${bytes} bytes`);
    match(text, /^300 lines match in 150 files \(150 files searched\)\n/);
    match(text, /한글001\.txt: 1 more line matches\n/);
    match(
      text,
      /\nAlso in: .*한글\d\d\d\.txt \(\d\).* and \d+ more files\. Search for something rarer/,
    );
  });
});

Deno.test("search_in_file shows the rows after a file whose name no tool can say, and quotes names with line ends", async () => {
  if (Deno.build.os !== "linux") return;
  await withSearch(async ({ dir, processes, search }) => {
    await Deno.writeTextFile(join(dir, "b\nz.ts:1:1: forged.txt"), "needle\n");
    await Deno.writeTextFile(join(dir, "c.txt"), "needle\n");
    match(
      (await search({ query: "needle" })).text,
      /\n"b\\nz\.ts:1:1: forged\.txt":1:1: needle\nc\.txt:1:1: needle$/,
    );
    const args = ["-c", `printf 'needle\\n' > "$(printf 'a\\377.txt')"`];
    ok((await new Deno.Command("sh", { args, cwd: dir }).output()).success);
    const tool = searchInFile(new Search({ processes, workspace: dir }));
    const { text } = await callTool(tool, { query: "needle" }, testHost(dir));
    match(text, /^c\.txt:1:1: needle$/m);
  });
});

Deno.test("search_in_file shows the first lines of a file with very many", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, { "a.log": "foo\n".repeat(1_234) });
    const { text } = await search({ query: "foo" });
    const lines = text.split("\n");
    equal([lines[1], lines[20], lines[21]], [
      "a.log:1:1: foo",
      "a.log:20:1: foo",
      "a.log: 1,214 more lines match",
    ]);
  });
});

Deno.test("search_in_file clips a line of 1.4 MB around its match", async () => {
  await withSearch(async ({ dir, search }) => {
    const line = `${"x".repeat(700_000)}needle(${"y".repeat(700_000)} needle`;
    await plant(dir, { "dist.js": `first\n${line}\n` });
    for (const input of [{ query: "needle" }, { query: "needle|none", is_regex: true }]) {
      const { text } = await search(input);
      ok(text.length < 400, `${text.length}`);
      match(text, /dist\.js:2:700001: …x{60,}needle\(y{100,}… \[1 more in this line\]$/);
    }
  });
});

Deno.test("search_in_file says what would have been found when nothing is", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, {
      ".git/HEAD": "",
      ".gitignore": "dist/\n",
      "a.txt": "Some Text\n",
      "dist/b.txt": "some text\n",
      "c.txt": "abc123\n",
    });
    equal(
      (await search({ query: "nowhere" })).text,
      [
        'No line matches "nowhere" (2 files, 17 bytes searched; hidden, ignored and binary files are left out)',
      ].join(""),
    );
    const { text } = await search({ query: "some text" });
    match(text, /\nWithout regard to case 1 line matches in a\.txt \(is_regex with \(\?i\)/);
    match(text, /\nIn hidden and ignored files 1 line matches in dist\/b\.txt/);
    match((await search({ query: "abc\\d+" })).text, /\nRead as a regular expression 1 line/);
  });
});

Deno.test("search_in_file searches below a path, or in one file, hidden or not", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, { "src/a.ts": "foo", "src/.env": "foo", "b.ts": "foo" });
    match((await search({ query: "foo", path: "src" })).text, /^1 line .*\nsrc\/a\.ts:1:1: foo$/s);
    match((await search({ query: "foo", path: "src/.env" })).text, /\nsrc\/\.env:1:1: foo$/);
    match((await search({ query: "foo", path: "." })).text, /^2 lines match/);
    const gone = await search({ query: "foo", path: "gone" });
    equal([gone.status, gone.text], [
      "failed",
      'Cannot search in "gone": no such file or directory',
    ]);
  });
});

Deno.test("search_in_file shows context once, in order", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, { "a.txt": "1\r\n2\r\nfoo 3\r\n4\r\nfoo 5\r\n6\r\n7\r\n8" });
    const { text } = await search({ query: "foo", context: 2 });
    equal(text.split("\n").slice(1), [
      ...["a.txt-1- 1", "a.txt-2- 2", "a.txt:3:1: foo 3", "a.txt-4- 4", "a.txt:5:1: foo 5"],
      ...["a.txt-6- 6", "a.txt-7- 7"],
    ]);
  });
});

Deno.test("search_in_file shows text in a legacy encoding as text", async () => {
  await withSearch(async ({ dir, search }) => {
    // 가격 = 1200 / 수량 = 3 / 이름 = foo, in EUC-KR.
    const bytes = "b0a1b0dd203d20313230300abcf6b7ae203d20330ac0ccb8a7203d20666f6f0a";
    await plant(dir, {
      "ko.txt": Uint8Array.from(bytes.match(/../g) ?? [], (hex) => parseInt(hex, 16)),
    });
    match((await search({ query: "foo" })).text, /ko\.txt:3:6: 이름 = foo$/);
  });
});

Deno.test("search_in_file leaves out what may not be read", async () => {
  await withSearch(async ({ dir, search }) => {
    await plant(dir, { "a.txt": "token", "secret/b.txt": "token" });
    const mayRead = (path: string) => !path.includes("secret");
    const { text } = await search({ query: "token" }, { mayRead });
    match(text, /^1 line matches in 1 file /);
    ok(!text.includes("secret"));
    ok(!(await search({ query: "TOKEN" }, { mayRead })).text.includes("secret"));
  });
});

Deno.test("search_in_file does not obey the person's ripgrep configuration", async () => {
  await withWorkspace(async (dir) => {
    await plant(dir, { "ws/a.txt": "foo", "rc": "--files-with-matches\n--pre=false\n" });
    const workspace = join(dir, "ws");
    await withProcesses(async (processes) => {
      const tool = searchInFile(new Search({ processes, workspace }));
      match((await callTool(tool, { query: "foo" }, testHost(workspace))).text, /a\.txt:1:1: foo/);
    }, { RIPGREP_CONFIG_PATH: join(dir, "rc") });
  });
});

Deno.test("search_in_file does not run a ripgrep of the workspace, nor fail with a broken one", async () => {
  await withWorkspace(async (dir) => {
    await plant(dir, {
      "ws/a.txt": "foo",
      "ws/bin/rg": `#!/bin/sh\ntouch ${dir}/ran\n`,
      "bin/rg": "#!/bin/sh\nexit 2\n",
    });
    for (const rg of ["ws/bin/rg", "bin/rg"]) await Deno.chmod(join(dir, rg), 0o755);
    const workspace = join(dir, "ws");
    const PATH = [join(workspace, "bin"), join(dir, "bin"), "/usr/bin", "/bin"].join(":");
    await withProcesses(async (processes) => {
      const tool = searchInFile(new Search({ processes, workspace }));
      match((await callTool(tool, { query: "foo" }, testHost(workspace))).text, /a\.txt:1:1: foo/);
    }, { PATH });
    equal([...Deno.readDirSync(dir)].map(({ name }) => name).sort(), ["bin", "ws"]);
  });
});

Deno.test("search_in_file takes what models call its parameters", async () => {
  await withProcesses((processes) => {
    const tool = anyTool(processes);
    equal(bind(tool, { pattern: "x", path: "." }), { ok: true, input: { query: "x", path: "." } });
    equal(Object.keys(definition(tool).schema.properties ?? {}), ["query", "is_regex"]);
    equal(tool.subject({ query: "x", path: "./" }), { kind: "text", text: "x" });
    equal(tool.subject({ query: "x", path: "src" }), { kind: "path", paths: ["src"] });
    return Promise.resolve();
  });
});

Deno.test("search_in_file says in a sentence what it did", async () => {
  await withProcesses((processes) => {
    const { summary } = anyTool(processes);
    const done = (lines: number, files: number) =>
      ({ status: "ok", text: "", meta: { lines, files } }) as const;
    equal(summary({ query: "foo" }), 'search for "foo"');
    equal(
      summary({ query: "foo", path: "src" }, done(3, 1)),
      'found "foo" in src in 3 lines of 1 file',
    );
    equal(summary({ query: "foo" }, done(0, 0)), 'found nothing for "foo"');
    equal(summary({ query: "foo" }, { status: "failed", text: "" }), 'did not search for "foo"');
    return Promise.resolve();
  });
});
