import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { fingerprint, listing, row } from "@/workspace/hashline.ts";
import { printShifts, Readings, type Shift } from "@/workspace/readings.ts";

const PATH = "/ws/f.txt";

function noted(texts: readonly string[]): Readings {
  const readings = new Readings();
  readings.note(PATH, texts.map((text, index) => ({ line: index + 1, text })));
  return readings;
}

/** Two texts with one fingerprint: twelve bits collide. */
function collision(): [string, string] {
  const seen = new Map<string, string>();
  for (let number = 0;; number += 1) {
    const text = `rate = ${number}`;
    const other = seen.get(fingerprint(text));
    if (other !== undefined) return [other, text];
    seen.set(fingerprint(text), text);
  }
}

Deno.test("stale() names the lines that are not as last shown, and none that were never shown", () => {
  const readings = noted(["a", "b", "c"]);
  equal(readings.stale(PATH, [1, 2, 3, 4], ["a", "B", "c", "d"]), [2]);
  equal(readings.stale("/ws/other.txt", [1], ["x"]), []);
  readings.note(PATH, [{ line: 2, text: "B" }]);
  equal(readings.stale(PATH, [2], ["a", "B"]), []);
});

Deno.test("stale() sees a change that the fingerprint does not", () => {
  const [one, other] = collision();
  equal(noted(["x", one]).stale(PATH, [2], ["x", other]), [2]);
});

Deno.test("shift() moves what was shown along with our own edit", () => {
  const readings = noted(["a", "b", "c", "d"]);
  readings.shift(PATH, [{ from: 2, to: 2, count: 3 }]);
  equal(readings.stale(PATH, [1, 5, 6], ["a", "x", "y", "z", "c", "d"]), []);
  equal(readings.stale(PATH, [5, 6], ["a", "x", "y", "z", "C", "d"]), [5]);
});

Deno.test("shift() doubts an old number whose new line has the old one's fingerprint", () => {
  const [one, other] = collision();
  // Line 3 held `one`; two lines deleted above bring `other` there.
  const readings = noted(["a", "b", one, "d", other]);
  readings.shift(PATH, [{ from: 1, to: 2, count: 0 }]);
  const texts = [one, "d", other];
  equal(readings.stale(PATH, [3], texts), [3]);
  readings.note(PATH, [{ line: 3, text: other }]);
  equal(readings.stale(PATH, [3], texts), []);
});

Deno.test("forget() leaves the hash to decide again", () => {
  const readings = noted(["a"]);
  readings.forget(PATH);
  equal(readings.stale(PATH, [1], ["b"]), []);
  const others = noted(["a", "b"]);
  others.unnote(PATH, [1]);
  equal(others.stale(PATH, [1, 2], ["x", "y"]), [2]);
});

Deno.test("replay() takes up listings, echoes and refusals, with edits and whole writes in between", () => {
  const readings = new Readings();
  const meta = { path: PATH };
  readings.replay([
    { text: `${listing(["a", "b", "c"])}\n(lines 1-3 of 9)`, meta },
    { text: `File edited:\n  ${row({ line: 2, text: "B" })}`, meta: { ...meta, shift: "2-2>1" } },
    { text: listing(["other"]), meta: { path: "/ws/g.txt" } },
    { text: listing(["not noted: no path"]) },
    { text: `Nothing was written:\n  ${row({ line: 7, text: "x" })}`, meta },
    { text: "8:fff|not what its fingerprint says", meta },
  ]);
  const texts = ["a", "B", "c", "", "", "", "x", "new"];
  equal(readings.stale(PATH, [1, 2, 3, 7, 8], texts), []);
  equal(readings.stale(PATH, [1, 2, 3, 7, 8], ["", "", "", "", "", "", "", ""]), [1, 2, 3, 7]);
  equal(readings.stale("/ws/g.txt", [1], ["changed"]), [1]);
  readings.replay([{ text: "File written", meta: { ...meta, written: true } }]);
  equal(readings.stale(PATH, [1, 2, 3], texts), []);
});

Deno.test("replay() reaches the state that the conversation had", () => {
  const step = fc.record({
    from: fc.integer({ min: 1, max: 6 }),
    span: fc.integer({ min: 0, max: 2 }),
    count: fc.integer({ min: 0, max: 3 }),
    shown: fc.array(
      fc.record({ line: fc.integer({ min: 1, max: 8 }), text: fc.constantFrom("a", "b", "  c") }),
    ),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
    const live = noted(["a", "b", "c", "d"]);
    const texts = [{ text: listing(["a", "b", "c", "d"]), meta: { path: PATH } }];
    const results = steps.map(({ from, span, count, shown }) => {
      const shifts: Shift[] = [{ from, to: from + span, count }];
      live.shift(PATH, shifts);
      live.note(PATH, shown);
      const text = shown.map((each) => `  ${row(each)}`).join("\n");
      return { text, meta: { path: PATH, shift: printShifts(shifts) } };
    });
    const replayed = new Readings();
    replayed.replay([...texts, ...results]);
    const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (const file of [["a"], ["a", "b", "c", "d"], ["b", "a", "  c", "a", "b"]]) {
      equal(replayed.stale(PATH, lines, file), live.stale(PATH, lines, file));
    }
  }));
});
