import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { Viewer } from "@/terminal/full/viewer.ts";
import { findWords, marked } from "@/terminal/full/viewer_search.ts";
import { withoutStyles } from "@/lib/width.ts";
import { inks } from "../../support/ink.ts";

const ITEMS = [["alpha", "beta Alpha"], ["gamma"], ["al", "pha of two rows"], [
  "\x1b[1malp\x1b[0mha",
]];
const SEARCHED = {
  count: ITEMS.length,
  lines: (item: number) => item === 2 ? ["alpha of two rows"] : ITEMS[item] ?? [],
  rows: (item: number) => ITEMS[item] ?? [],
};

Deno.test("findWords() goes from match to match and around the end, whatever is broken or styled", () => {
  for (
    const [direction, rows] of [
      [1, ["0.1", "2.0", "3.0", "0.0 around", "0.1"]],
      [-1, ["3.0 around", "2.0", "0.1", "0.0", "3.0 around"]],
    ] as const
  ) {
    let from = { item: 0, row: 0 };
    const seen = rows.map(() => {
      const found = findWords("ALPHA", SEARCHED, { from, direction, isFirst: false });
      ok(found);
      from = found.spot;
      return `${from.item}.${from.row}${found.isAround ? " around" : ""}`;
    });
    equal(seen, rows);
  }
});

Deno.test("findWords() counts the row one looks at where it is the first to be looked for", () => {
  const from = { item: 0, row: 0 };
  const first = findWords("alpha", SEARCHED, { from, direction: 1, isFirst: true });
  equal(first, { spot: from, isAround: false });
  const only = findWords("gamma", SEARCHED, {
    from: { item: 1, row: 0 },
    direction: 1,
    isFirst: false,
  });
  equal(only, { spot: { item: 1, row: 0 }, isAround: true });
  equal(findWords("delta", SEARCHED, { from, direction: 1, isFirst: true }), undefined);
});

Deno.test("marked() marks every match, and leaves a row without one as it is", () => {
  const ink = (text: string) => `<${text}>`;
  equal(marked("an Alpha, alpha", "alpha", ink), "an <Alpha>, <alpha>");
  equal(marked("\x1b[1mbeta\x1b[0m", "alpha", ink), "\x1b[1mbeta\x1b[0m");
  equal(marked("İalpha", "alpha", ink), "İalpha"); // Two characters in lower case.
});

Deno.test("the viewer finds what stands above too, goes on at the next key, and says what is nowhere", () => {
  const source = {
    count: 50,
    open: (item: number) => [item % 20 === 3 ? `needle ${item}` : `hay ${item}`],
  };
  const viewer = new Viewer({ source, at: 49, ink: inks({ colored: true }), note: () => "" });
  const look = () => withoutStyles(viewer.draw({ columns: 40, rows: 10 }));
  const type = (words: string) => {
    viewer.press({ action: "find", name: "/", text: "/" });
    for (const text of words) viewer.press({ action: undefined, name: text, text });
    viewer.press({ action: "send", name: "enter", text: "" });
  };
  look();
  type("needle");
  match(look(), /needle 43[\s\S]*hay 49/); // On the last page, which cannot be scrolled any further.
  viewer.press({ action: "nextItem", name: "n", text: "n" });
  match(look(), /needle 3\b[\s\S]*on from the beginning/);
  viewer.press({ action: "nextItem", name: "n", text: "n" });
  match(look(), /needle 23\b/);
  viewer.press({ action: "previousItem", name: "N", text: "N" });
  match(look(), /needle 3\b/);
  type("nothing");
  match(look(), /"nothing" is nowhere here/);
});
