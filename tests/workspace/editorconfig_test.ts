import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { newFileStyle, propertiesFor } from "@/workspace/editorconfig.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("propertiesFor() takes the sections whose glob fits the name", () => {
  const matching = (glob: string, name: string) =>
    propertiesFor(name, `[${glob}]\nend_of_line = CRLF`).length === 1;
  const fits: [string, string][] = [
    ["*", "a/b.txt"],
    ["*.bat", "a/b.bat"],
    ["*.{bat,cmd}", "b.cmd"],
    ["{a,b}.txt", "x/b.txt"],
    ["Makefile", "x/Makefile"],
    ["src/**.ts", "src/a/b.ts"],
    ["src/*.ts", "src/b.ts"],
    ["/b.ts", "b.ts"],
    ["**/b.ts", "x/y/b.ts"],
    ["?.ts", "b.ts"],
    ["[ab].ts", "b.ts"],
    ["[!ab].ts", "c.ts"],
    ["a+b.ts", "a+b.ts"],
    ["{a,b{c,d}}/{e,f}.ts", "bd/f.ts"],
    ["\\*.ts", "*.ts"],
  ];
  const misses: [string, string][] = [
    ["*.bat", "b.bat.txt"],
    ["src/*.ts", "src/a/b.ts"],
    ["/b.ts", "x/b.ts"],
    ["*.{bat,cmd}", "b.exe"],
    ["[!ab].ts", "a.ts"],
    ["a.ts", "abts"],
  ];
  for (const [glob, name] of fits) equal(matching(glob, name), true, `${glob} ${name}`);
  for (const [glob, name] of misses) equal(matching(glob, name), false, `${glob} ${name}`);
});

Deno.test("propertiesFor() is quick with globs that would keep a regular expression busy for ever", () => {
  const name = "a".repeat(200);
  const globs = ["**a".repeat(60) + "x", "{a,aa}".repeat(50), "{".repeat(140) + "}".repeat(140)];
  equal(globs.map((glob) => propertiesFor(name, `[${glob}]\na = b`)), [[], [], []]);
});

Deno.test("propertiesFor() skips comments, and a glob that cannot be read", () => {
  const config =
    "# c\n; c\nroot = true\n[*]\ncharset = utf-8 \n# charset = latin1\n[z-a]\ncharset=latin1\n[[x]\nb=1";
  equal(propertiesFor("f", config), [["charset", "utf-8"]]);
});

Deno.test("newFileStyle() lets the nearest configuration win, up to root", async () => {
  await withWorkspace(async (dir) => {
    await Deno.mkdir(join(dir, "a/b"), { recursive: true });
    const put = (path: string, text: string) => Deno.writeTextFile(join(dir, path), text);
    await put(".editorconfig", "[*]\nend_of_line = crlf\ncharset = latin1\n");
    await put("a/.editorconfig", "[*.txt]\nend_of_line = lf\n");
    equal(await newFileStyle(join(dir, "a/b/f.txt"), dir), { endOfLine: "\n", charset: "latin1" });
    equal(await newFileStyle(join(dir, "a/b/f.bat"), dir), {
      endOfLine: "\r\n",
      charset: "latin1",
    });
    await put("a/.editorconfig", "root = true\n[*]\ncharset = utf-8-bom\n");
    equal(await newFileStyle(join(dir, "a/b/f.txt"), dir), { charset: "utf-8-bom" });
    equal(await newFileStyle(join(dir, "a/f.txt"), join(dir, "a")), { charset: "utf-8-bom" });
    await put("a/.editorconfig", "\0\xff nonsense [[[");
    equal(await newFileStyle(join(dir, "a/no/such/f.txt"), dir), {
      endOfLine: "\r\n",
      charset: "latin1",
    });
  });
});
