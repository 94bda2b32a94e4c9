/** What the lines of an ignore file say, held against git itself. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { IgnoreLines } from "@/workspace/ignore_lines.ts";
import { fc, runs } from "../support/property.ts";
import { withWorkspace } from "../support/workspace.ts";

/** What git says of paths, none of which need exist; those of directories end with a slash. */
async function byGit(dir: string, lines: string, paths: readonly string[]): Promise<string[]> {
  await Deno.writeTextFile(`${dir}/.gitignore`, lines);
  const child = new Deno.Command("git", {
    args: ["-c", "core.excludesFile=", "check-ignore", "-v", "-n", "-z", "--stdin", "--no-index"],
    cwd: dir,
    ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(paths.map((path) => `${path}\0`).join("")));
  await writer.close();
  const { stdout, stderr } = await child.output();
  const fields = new TextDecoder().decode(stdout).split("\0");
  equal(fields.length, paths.length * 4 + 1, new TextDecoder().decode(stderr));
  return paths.map((_, at) => {
    const pattern = fields[at * 4 + 2] ?? "";
    return pattern === "" ? "none" : pattern.startsWith("!") ? "kept" : "ignored";
  });
}

async function withRepository(body: (dir: string) => Promise<void>): Promise<void> {
  await withWorkspace(async (dir) => {
    await new Deno.Command("git", { args: ["init", "-q"], cwd: dir }).output();
    await body(dir);
  });
}

function ours(lines: string, paths: readonly string[]): string[] {
  const rules = new IgnoreLines(lines);
  return paths.map((path) => rules.answer(path));
}

const LINES = [
  ...["*.pyc", "!keep.pyc", "/build", "dist/", "a/*.txt", "**/deep", "a/**/z", "out/**", "/*.md"],
  ...["# comment", "\\#hash", "\\!bang", "trail ", "space\\ ", "[a-c].x", "[!a-c].y", "[]x].z"],
  ...["[[:digit:]]*", "a**b", "x?y", "sub/dir", "!sub/dir/in", "foo/", "!foo/bar", "\\*lit", "[ab"],
  ...["back\\\\slash", "**/p/**/q", "**", "!*.keep", "a/b/", "ends\\", "/", "!", "über*", "win\r"],
];
const NAMES = [
  ...["a.pyc", "keep.pyc", "build", "dist", "x.txt", "deep", "z", "out", "r.md", "#hash", "!bang"],
  ...[
    "trail",
    "trail ",
    "space ",
    "a.x",
    "d.x",
    "d.y",
    "].z",
    "7up",
    "aXb",
    "x-y",
    "sub",
    "dir",
    "in",
  ],
  ...["foo", "bar", "*lit", "[ab", "p", "q", "a", "b", "über.txt", "n.keep", "win", "back\\slash"],
];

Deno.test("IgnoreLines says of each line what git says", async () => {
  const paths = NAMES.flatMap((name) => [name, `a/${name}`, `sub/dir/${name}`, `q/p/m/${name}`]);
  await withRepository(async (dir) => {
    for (const line of LINES) {
      equal(ours(line, paths), await byGit(dir, line, paths), `line ${JSON.stringify(line)}`);
    }
  });
});

Deno.test("IgnoreLines says of random files and paths what git says", async () => {
  const pieces = "a b ab * /**/ ? [ab] [!a] [^b] / / \\a \\* . *a b*".split(" ");
  const line = fc.tuple(
    fc.constantFrom("", "", "", "!", "/", "**/"),
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }),
    fc.constantFrom("", "", "/", "/**", " "),
  ).map(([start, middle, end]) => start + middle.join("") + end)
    // git (2.39) compares what stands before the first wildcard by itself, so that "**" in "a**/b" is a whole name to it.
    .filter((text) => !/[^/!]\*\*|\*\*[^/ ]/.test(text));
  const path = fc.array(fc.constantFrom("a", "b", "ab", "ba", "abb", "a.b", "*", "aab"), {
    minLength: 1,
    maxLength: 5,
  }).map((names) => names.join("/"));
  await withRepository(async (dir) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.array(path, { minLength: 20, maxLength: 40 }),
        async (lines, paths) => {
          const text = lines.join("\n");
          equal(ours(text, paths), await byGit(dir, text, paths), JSON.stringify(text));
        },
      ),
      runs(400),
    );
  });
});

Deno.test("IgnoreLines is quick with lines that would keep a regular expression busy for ever", () => {
  const deep = "a/b/".repeat(300);
  const lines = ["a/**/b/**/".repeat(20) + "y", "*a".repeat(100) + "c", "**/a".repeat(40) + "/x"];
  equal(ours(lines.join("\n"), [`${deep}yz`, "a".repeat(250)]), ["none", "none"]);
});
