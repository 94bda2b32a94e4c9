import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { attachedHeader, attachedPath, findMentions, mentionName } from "@/workspace/mentions.ts";
import { fc } from "../support/property.ts";

const PATHS = new Set([
  ..."a.ts my file.txt lib/ (x).md #L1 café.md ~/b.txt /tmp/shot.png".split(" "),
  "my file.txt",
  "/tmp/two words.PNG",
  "a.ts:5",
]);

const find = (text: string, takesPasted = false) =>
  findMentions(text, { exists: (path) => Promise.resolve(PATHS.has(path)), takesPasted });

const CASES: readonly [text: string, found: readonly string[], missing: readonly string[]][] = [
  ["@a.ts", ["a.ts"], []],
  ["x@a.ts (@a.ts)", [], []],
  ["@lib/ and @~/b.txt", ["lib/", "~/b.txt"], []],
  ["see @a.ts, @a.ts; and @a.ts).", ["a.ts"], []],
  ["`x` @(x).md", ["(x).md"], []],
  ["@café.md?", ["café.md"], []],
  ["@a.ts#L10-L40 @a.ts#L7 @a.ts:3-4.", ["a.ts lines 10-40", "a.ts line 7", "a.ts lines 3-4"], []],
  // A file whose own name ends so is meant itself.
  ["@a.ts:5", ["a.ts:5"], []],
  ["@#L1", ["#L1"], []],
  ["@\"my file.txt\":2-3 @'my file.txt'#L9,", ["my file.txt lines 2-3", "my file.txt line 9"], []],
  ['@"no file.txt"', [], ["no file.txt"]],
  ["@ @. @@a.ts @nobody: @b.ts:1-2", [], [".", "@a.ts", "nobody", "b.ts:1-2"]],
];

for (const [text, found, missing] of CASES) {
  Deno.test(`findMentions() reads ${JSON.stringify(text)}`, async () => {
    const mentions = await find(text);
    equal([mentions.found.map(mentionName), mentions.missing], [found, missing]);
  });
}

Deno.test("findMentions() takes the path of an image that was dropped on a terminal, in each spelling", async () => {
  for (
    const text of [
      "what is this? /tmp/shot.png",
      "'/tmp/two words.PNG'",
      "/tmp/two\\ words.PNG please",
      "file:///tmp/two%20words.PNG",
    ]
  ) {
    equal((await find(text, true)).found.length, 1, text);
    equal((await find(text, false)).found, [], text);
  }
  for (
    const text of ["/tmp/none.png", "shot.png", "https://x.example/tmp/shot.png", "file:///%zz.png"]
  ) {
    equal((await find(text, true)).found, [], text);
  }
});

Deno.test("findMentions() finds nothing without an @, never throws, and never names a path that is not there", () =>
  fc.assert(fc.asyncProperty(
    fc.array(
      fc.constantFrom("@", '"', "'", " ", ":", "#L", "1", "-", "a.ts", "\\", "\n", ".", ")"),
      { maxLength: 24 },
    ),
    async (pieces) => {
      const text = pieces.join("");
      const { found } = await find(text, true);
      ok(found.every(({ path }) => PATHS.has(path)));
      if (!text.includes("@")) equal(found, []);
    },
  )));

Deno.test("attachedPath() reads the header that a mention is attached with, and no other text", () => {
  for (const path of ["a.ts", "my file.txt", "a.ts lines", "b:1"]) {
    equal(attachedPath(`${attachedHeader("file", path)}\n1:abc|x`), path);
    const name = mentionName({ path, lines: { start: 1, end: 3 } });
    equal(attachedPath(`${attachedHeader("file", name)}\n1:abc|x`), path);
  }
  equal(attachedPath(`${attachedHeader("directory listing", "lib")}\nx`), undefined);
  equal(attachedPath("about [Attached file: a.ts]\nx"), undefined);
});
