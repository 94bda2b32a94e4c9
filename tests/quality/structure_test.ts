/** What holds between files: lists are complete, one fact has one place, nothing leans on where it was written. */
import { deepStrictEqual as assertEquals, ok } from "node:assert";
import config from "../../deno.json" with { type: "json" };
import { projectFiles, projectText } from "./project.ts";

const code = projectFiles().filter((path) =>
  /\.tsx?$/.test(path) && !path.startsWith("tests/testdata/")
);

/** Folders whose files of one kind all stand in a list: where, how such a file is known, and the list. */
const LISTS: readonly { folder: string; is: RegExp; list: string }[] = [
  {
    folder: "src/features/",
    is: /^export function \w+\([^]*?\): Feature\b/m,
    list: "src/features/mod.ts",
  },
  {
    folder: "src/terminal/commands/lent/",
    is: /^export type \w+Part\b/m,
    list: "src/terminal/commands/lent/mod.ts",
  },
  { folder: "src/tools/", is: /\bdefineTool\(\{/, list: "src/tools/mod.ts" },
  {
    folder: "src/terminal/commands/",
    is: /\bdefineCommand\(\{/,
    list: "src/terminal/commands/mod.ts",
  },
  { folder: "tests/vectors/", is: /^export const adapters\b/m, list: "tests/vectors/adapter.ts" },
];

for (const { folder, is, list } of LISTS) {
  Deno.test(`${list} names every file of its kind in ${folder}`, () => {
    const text = projectText(list) ?? "";
    const members = code.filter((path) =>
      path.startsWith(folder) && path !== list && is.test(projectText(path) ?? "")
    );
    ok(members.length > 0, `No file in ${folder} matches ${is}`);
    const missing = members.filter((path) => {
      const name = path.slice(folder.length, -".ts".length);
      return !new RegExp(`"(\\./)?${name}(\\.ts)?"`).test(text);
    });
    assertEquals(missing, []);
  });
}

Deno.test("each dependency is imported somewhere", () => {
  const text = code.map((path) => projectText(path)).join("\n");
  const unused = Object.keys(config.imports).filter((name) =>
    name !== "@/" && !text.includes(`"${name}`)
  );
  assertEquals(unused, []);
});

Deno.test("every property test has the seed of tests/support/property.ts", () => {
  const direct = code.filter((path) =>
    /^import .* from "fast-check"/m.test(projectText(path) ?? "")
  );
  assertEquals(direct, ["tests/support/property.ts"]);
});

Deno.test("Deno's version is the same wherever it is named", () => {
  const versions = projectFiles().filter((path) => !path.startsWith("tests/testdata/"))
    .flatMap((path) => [...(projectText(path) ?? "").matchAll(/\bdeno@(\d[\w.-]*)/g)])
    .map(([, version]) => version);
  const pinned = /^readonly DENO=(.+)$/m.exec(projectText(".ci/run") ?? "")?.[1];
  assertEquals([...new Set(versions)], [pinned]);
});

Deno.test("no file leans on a folder beside the project", () => {
  const self = "tests/quality/structure_test.ts";
  const outside = /\.\.\/shared\b|\/work\/(main|shared)\b/;
  const leaning = projectFiles().filter((path) =>
    path !== self && outside.test(projectText(path) ?? "")
  );
  assertEquals(leaning, []);
});

Deno.test("README's second command is the one that CI runs", () => {
  const blocks = [...(projectText("README.md") ?? "").matchAll(/^```\w*\n([^]*?)^```/gm)];
  const commands = blocks.flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/^\s*[$>]\s+/, "").replace(/\s+#\s.*$/, "").trim())
    .filter((line) => line !== "" && !/^(#|git clone\b|cd\b)/.test(line));
  const script = projectText(".ci/run") ?? "";
  const version = /^readonly DENO=(.+)$/m.exec(script)?.[1] ?? "";
  const test = /^readonly TEST=\((.+)\)$/m.exec(script)?.[1] ?? "";
  assertEquals(commands[1], test.replaceAll('"', "").replace("$DENO", version));
});
