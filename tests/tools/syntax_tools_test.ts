import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { bind } from "@/agent/bind.ts";
import { getCodeSkeleton } from "@/tools/get_code_skeleton.ts";
import { queryAstNode } from "@/tools/query_ast_node.ts";
import { Syntax } from "@/workers/syntax.ts";
import { fingerprint } from "@/workspace/hashline.ts";
import { Readings } from "@/workspace/readings.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";
import { plant } from "../workspace/search_tree.ts";

type At = {
  dir: string;
  readings: Readings;
  skeleton(input: Record<string, unknown>): Promise<ToolResult>;
  query(input: Record<string, unknown>): Promise<ToolResult>;
};

function withTools(body: (at: At) => Promise<void>): Promise<void> {
  return withWorkspace(async (dir) => {
    const [syntax, readings] = [new Syntax(), new Readings()];
    const by = (tool: ToolSpec) => async (input: Record<string, unknown>) =>
      await callTool(tool, input, testHost(dir));
    try {
      await body({
        ...{ dir, readings },
        skeleton: by(getCodeSkeleton(syntax)),
        query: by(queryAstNode({ syntax, readings })),
      });
    } finally {
      syntax.close();
    }
  });
}

Deno.test("get_code_skeleton is JSON with file, language and skeleton", async () => {
  await withTools(async ({ dir, skeleton }) => {
    await plant(dir, { "a.py": "class A(B):\r\n    def f(self, a=1) -> int:\r\n        pass\r\n" });
    const { status, text, meta } = await skeleton({ file_path: "a.py" });
    equal([status, meta], ["ok", { declarations: 2 }]);
    const f = { type: "function", name: "f", line: 2, end_line: 3 };
    const parameters = [{ name: "self" }, { name: "a", default: "1" }];
    equal(JSON.parse(text), {
      ...{ file: "a.py", language: "python" },
      skeleton: [{
        ...{ type: "class", name: "A", line: 1, end_line: 3, bases: ["B"] },
        methods: [{ ...f, parameters, return_type: "int" }],
      }],
    });
    await plant(dir, { "empty.py": "" });
    equal(JSON.parse((await skeleton({ file_path: "empty.py" })).text).skeleton, []);
  });
});

Deno.test("get_code_skeleton stays valid and small for a file of any length, and says what is left out", async () => {
  await withTools(async ({ dir, skeleton }) => {
    const long = (count: number) =>
      Array.from(
        { length: count },
        (_, n) =>
          `class Klass${n}:\n    def method${n}(self, first: int = ${n}, second: str = "x"):\n` +
          `        pass\n`,
      ).join("");
    const omitted: string[] = [];
    for (const count of [20, 120, 180, 250, 4_000]) {
      await plant(dir, { "a.py": long(count) });
      const { text } = await skeleton({ file_path: "a.py" });
      ok(text.length <= 16_000, `${text.length}`);
      const read = JSON.parse(text);
      equal(read.declarations ?? 2 * count, 2 * count);
      omitted.push(read.omitted ?? "");
    }
    equal(omitted[0], "");
    equal(new Set(omitted).size >= 4, true, omitted.join(" | "));
    match(omitted.at(-1) ?? "", /and \d+ of 4000 declarations, from line \d+ on/);
  });
});

Deno.test("what has no tree is told with its reason", async () => {
  await withTools(async ({ dir, skeleton, query }) => {
    await plant(dir, {
      "a.xyz": "hello",
      "big.py": "x = 1\n".repeat(200_000),
      "nul.py": "x = 1\n\0\0",
      "d/a.py": "",
    });
    const cases: [string, RegExp][] = [
      ["a.xyz", /no grammar goes with the name "a\.xyz".*There are grammars for python, /],
      ["big.py", /it has 1\.2 MB, and syntax trees are made of at most 1/],
      ["nul.py", /it is a binary file \(data with NUL bytes/],
      ["d", /it is a directory/],
      ["b.py", /no such file/],
    ];
    for (const [file_path, sentence] of cases) {
      for (const [ask, word] of [[skeleton, "outline"], [query, "query"]] as const) {
        const { status, text } = await ask({ file_path, pattern: "(module)" });
        equal([status, text.startsWith(`Cannot ${word} "${file_path}"`)], ["failed", true], text);
        match(text, sentence);
      }
    }
    const { text } = await query({ file_path: "a.xyz", pattern: "(x)", language: "cobol" });
    match(text, /^Cannot query "a\.xyz" as "cobol": there are grammars for python/);
  });
});

Deno.test("query_ast_node shows anchored rows, which count as shown", async () => {
  await withTools(async ({ dir, query, readings }) => {
    const lines = ["import os", "def f(a):", "    return a", "", "x = f(1)"];
    await plant(dir, { "a.py": `${lines.join("\n")}\n` });
    const pattern = "(function_definition name: (identifier) @name) @whole";
    const { status, text, meta } = await query({ file_path: "a.py", pattern });
    equal(status, "ok");
    const rows = lines.slice(0, 4).map((line, n) => `  ${n + 1}:${fingerprint(line)}|${line}`);
    equal(text.split("\n"), [
      "1 match in a.py (python)",
      '@whole function_definition 2:1-3, @name identifier 2:5 "f"',
      ...rows,
    ]);
    equal(meta?.["matches"], 1);
    const path = join(dir, "a.py");
    equal(readings.stale(path, [2, 5], ["", "other", "", "", "other"]), [2]);
    const resumed = new Readings();
    resumed.replay([{ text, ...(meta === undefined ? {} : { meta }) }]);
    equal(resumed.stale(path, [2, 5], ["", "other", "", "", "other"]), [2]);
  });
});

Deno.test("query_ast_node keeps to 50 matches of 11 lines, and counts the rest", async () => {
  await withTools(async ({ dir, query }) => {
    const body = "    pass\n".repeat(20);
    const text = Array.from({ length: 60 }, (_, n) => `def f${n}():\n${body}`).join("");
    await plant(dir, { "a.txt": text });
    const all = { file_path: "a.txt", language: "py" };
    const whole = (await query({ ...all, pattern: "function_definition" })).text;
    match(whole, /^60 matches in a\.txt \(python\); the first \d+ are shown\n/);
    ok(whole.length < 14_000, `${whole.length}`);
    const [, first = ""] = whole.split("@match");
    equal(first.split("\n").filter((line) => /^ {2}\d+:/.test(line)).length, 11);
    match(first, /\n {2}\(10 more lines, to line 21\)\n/);
    const none = await query({ ...all, pattern: "(class_definition)" });
    equal([none.status, none.text], ["ok", "No match in a.txt (python)"]);
    const bad = await query({ ...all, pattern: "(functions)" });
    equal(bad.status, "failed");
    match(bad.text, /has no node named "functions".*One that can: \(function_definition/);
  });
});

Deno.test("the names that models use for the parameters are understood", () => {
  const syntax = new Syntax();
  const readings = new Readings();
  const skeleton = bind(getCodeSkeleton(syntax), { path: "a.py" });
  equal(skeleton.ok && skeleton.input, { file_path: "a.py" });
  const query = bind(queryAstNode({ syntax, readings }), { filepath: "a.py", query: "(x)" });
  equal(query.ok && query.input, { file_path: "a.py", pattern: "(x)" });
});
