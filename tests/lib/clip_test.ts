import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { clipAround, clipEnd, clipMiddle, endOf, startOf } from "@/lib/clip.ts";

Deno.test("clipAround() leaves a short line alone", () => {
  equal(clipAround("short", 2, 10), { text: "short", start: 0, isCut: false });
});

Deno.test("clipAround() shows the place with what stands around it", () => {
  const line = `${"a".repeat(50)}HERE${"b".repeat(50)}`;
  equal(clipAround(line, 50, 12), { text: "…aaaaHEREbbbb…", start: 46, isCut: true });
});

Deno.test("clipAround() gives the room of a missing side to the other one", () => {
  const line = `HERE${"b".repeat(50)}END`;
  equal(clipAround(line, 0, 8).text, "HEREbbbb…");
  equal(clipAround(line, line.length - 3, 8).text, "…bbbbbEND");
});

Deno.test("clipAround() never halves a surrogate pair and always shows the place", () => {
  const place = fc.tuple(fc.string({ unit: "binary", maxLength: 80 }), fc.nat(79), fc.nat(30));
  fc.assert(fc.property(place, ([line, at, room]) => {
    const start = Math.min(at, line.length);
    const clipped = clipAround(line, start, room + 3);
    ok(clipped.text.isWellFormed() || !line.isWellFormed());
    ok(clipped.start <= start && start <= clipped.start + room + 4);
  }));
});

Deno.test("startOf() and endOf() cut no character in half", () => {
  equal([startOf("ab🎉", 3), startOf("ab🎉", 9), startOf("", 0)], ["ab", "ab🎉", ""]);
  equal([endOf("🎉ab", 3), endOf("🎉ab", 2), endOf("ab", 9)], ["🎉ab", "ab", "ab"]);
});

Deno.test("clipEnd() marks what it leaves out", () => {
  equal(clipEnd("abcdef", 6), "abcdef");
  equal(clipEnd("abcdef", 3), "abc…");
  equal(clipEnd("a🎉b", 2), "a…");
});

Deno.test("clipMiddle() cuts at line ends and says what it left out", () => {
  const text = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join("");
  const clipped = clipMiddle(
    text,
    90,
    ({ lines, chars }) => `[${lines} lines, ${chars} characters]`,
  );
  equal(
    clipped,
    "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\n[19 lines, 150 characters]\n" +
      "line 27\nline 28\nline 29\n",
  );
});

Deno.test("clipMiddle() cuts inside a line that is longer than the room", () => {
  equal(
    clipMiddle("x".repeat(100), 30, ({ chars, lines }) => `[${chars} of ${lines}]`),
    `${"x".repeat(20)}\n[70 of 1]\n${"x".repeat(10)}`,
  );
});

Deno.test("clipMiddle() loses no more than it says", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "🎉") }), fc.nat(60), (text, max) => {
      let left = 0;
      const clipped = clipMiddle(text, max, ({ chars }) => {
        left = chars;
        return "GAP";
      });
      if (text.length <= max) return equal(clipped, text);
      const [head = "", tail = ""] = clipped.split(/\n?GAP\n/);
      ok(head.length + tail.length <= max + 1);
      equal(text.length - left >= head.length + tail.length - 1, true);
      ok(text.startsWith(head) && text.endsWith(tail) && clipped.isWellFormed());
    }),
  );
});
