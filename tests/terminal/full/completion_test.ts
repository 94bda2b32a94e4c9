import { deepStrictEqual as equal } from "node:assert/strict";
import { type Choice, Completion } from "@/terminal/full/completion.ts";

const TREE: Readonly<Record<string, readonly string[]>> = {
  "": ["notes/", "src/", "srcset.txt"],
  "src/": ["src/lib/", "src/rank.ts"],
};

function choice(insert: string): Choice {
  return { label: insert, detail: "", insert, ...(insert.endsWith("/") ? { goesOn: true } : {}) };
}

/** The menu as it stands after this text, which ends at the caret. */
async function after(text: string): Promise<Completion> {
  const completion = new Completion({
    commands: () => [],
    paths: (prefix) => {
      const under = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      const names = TREE[under] ?? [];
      return Promise.resolve(names.filter((name) => name.startsWith(prefix)).map(choice));
    },
  }, () => {});
  completion.update(text, text.length);
  await Promise.resolve(); // The directory has been read.
  return completion;
}

const CASES: readonly (readonly [text: string, moves: number, put: string | undefined])[] = [
  ["@no", 0, "@notes/"],
  ["see @", 1, "@src/"],
  ["@src", 0, undefined], // Typed as it is, it names the directory.
  ["@srcs", 0, undefined], // A file has nothing below it.
  ["@src/", 0, "there"],
  ["@src/", 2, "@src/lib/"], // Moved around the menu, back to its first item.
  ["me@no", 0, undefined],
  ["@none", 0, undefined],
];

for (const [text, moves, put] of CASES) {
  Deno.test(`a / behind "${text}", moved ${moves} times, puts in ${put ?? "itself"}`, async () => {
    const completion = await after(text);
    for (let n = 0; n < moves; n++) completion.move(1);
    const edit = completion.descend(text, text.length);
    equal(typeof edit === "object" ? edit.text : edit, put);
  });
}
