import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { languageNamed, languageOf, LANGUAGES, wasmFiles } from "@/workers/grammars.ts";

Deno.test("languageOf() goes by the name, then by the first line", () => {
  const cases: [path: string, text: string, language: string | undefined][] = [
    ["/a/b.py", "", "python"],
    ["b.PYW", "", "python"],
    ["b.mjs", "", "javascript"],
    ["b.jsx", "", "javascript"],
    ["b.cts", "", "typescript"],
    ["b.d.ts", "", "typescript"],
    ["b.tsx", "", "tsx"],
    ["b.h", "int f(void);\n", "c"],
    ["b.h", "#pragma once\nnamespace a {\n", "cpp"],
    ["b.hxx", "", "cpp"],
    ["Gemfile", "", "ruby"],
    ["run", "#!/usr/bin/env -S python3.12 -u\n", "python"],
    ["run", "#!/bin/sh\n", "bash"],
    ["run", "#!/usr/bin/env FOO=1 deno run\n", "typescript"],
    ["run", "#! /usr/bin/lua5.4\n", "lua"],
    ["run", "#!/usr/bin/env\n", undefined],
    ["run", "#!\n", undefined],
    ["run", "#!/usr/bin/awk -f\n", undefined],
    ["run", "python\n", undefined],
    ["notes.txt", "", undefined],
    ["py", "", undefined],
    [".py", "", "python"],
    ["b.yml", "", "yaml"],
  ];
  equal(cases.map(([path, text]) => languageOf(path, text)), cases.map(([, , want]) => want));
});

Deno.test("languageNamed() knows languages as models spell them", () => {
  const said = ["Python", "py", "c++", "C#", "golang", "shell", ".rs", " TSX ", "cobol", ""];
  equal(said.map(languageNamed), [
    ...["python", "python", "cpp", "csharp", "go", "bash", "rust", "tsx"],
    ...[undefined, undefined],
  ]);
});

Deno.test("every grammar has its file, under a name of its own", () => {
  const files = wasmFiles();
  equal(files.length, LANGUAGES.length + 1);
  equal(new Set(files.map(({ name }) => name)).size, files.length);
  for (const { url } of files) ok(Deno.statSync(url).size > 1_000, url.href);
});
