import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import {
  applyPlan,
  type EditRequest,
  isNoChange,
  planEdit,
  type Planned,
} from "@/workspace/edit.ts";
import type { Refusal } from "@/workspace/edit_refusal.ts";
import { fingerprint, row } from "@/workspace/hashline.ts";

type Asked = Partial<Omit<EditRequest, "path">>;

function plan(texts: readonly string[], asked: Asked): Planned {
  const planned = planEdit(texts, { path: "f.py", old: "", new: "", ...asked });
  if (planned.kind === "refused") throw new Error(planned.sentence);
  return planned;
}

function refusal(texts: readonly string[], asked: Asked): Refusal {
  const planned = planEdit(texts, { path: "f.py", old: "", new: "", ...asked });
  if (planned.kind === "planned") throw new Error("The edit was not refused");
  return planned;
}

function edited(texts: readonly string[], asked: Asked): string[] {
  return applyPlan(texts, plan(texts, asked));
}

const at = (texts: readonly string[], line: number) =>
  `${line}:${fingerprint(texts[line - 1] ?? "")}`;

const ABC = ["a", "b", "c", ""];

Deno.test("planEdit() replaces the anchored rows of new_content, in any order", () => {
  const rows = `${at(ABC, 3)}|C\n${at(ABC, 1)}|A\n`;
  equal(edited(ABC, { new: rows }), ["A", "b", "C", ""]);
  equal(plan(ABC, { new: rows }).trusted, [3, 1]);
  equal(edited(ABC, { old: `${at(ABC, 1)}\n${at(ABC, 3)}`, new: rows }), ["A", "b", "C", ""]);
});

Deno.test("planEdit() hands back every row whose anchor does not fit, and writes none", () => {
  const refused = refusal(ABC, { new: `1:fff|A\n${at(ABC, 2)}|B\n3:fff|C` });
  equal([refused.code, refused.lines], ["anchor-mismatch", [1, 3]]);
  match(refused.sentence, /\n {2}1:0cc\|a\n {2}3:4a8\|c\n/);
  equal(refused.shown, [{ line: 1, text: "a" }, { line: 3, text: "c" }]);
});

Deno.test("planEdit() replaces, lengthens, shortens and deletes what old_content names", () => {
  equal(edited(ABC, { old: at(ABC, 2), new: "B" }), ["a", "B", "c", ""]);
  equal(edited(ABC, { old: at(ABC, 2), new: "B\n\nB2" }), ["a", "B", "", "B2", "c", ""]);
  equal(edited(ABC, { old: `${at(ABC, 1)}-${at(ABC, 3)}`, new: "x" }), ["x", ""]);
  equal(edited(ABC, { old: `${at(ABC, 1)}\n${at(ABC, 2)}`, new: "" }), ["c", ""]);
  equal(edited(ABC, { old: at(ABC, 2), new: "B\r\nB2" }), ["a", "B", "B2", "c", ""]);
});

Deno.test("planEdit() trusts the lines in the middle of a span, but not those that were quoted", () => {
  equal(plan(ABC, { old: `${at(ABC, 1)}-${at(ABC, 3)}`, new: "x" }).trusted, [1, 2, 3]);
  equal(plan(ABC, { old: `1:fff|a\n${at(ABC, 2)}`, new: "x" }).trusted, [2]);
});

Deno.test("planEdit() keeps the final newline, except when its row is deleted by itself", () => {
  equal(edited(ABC, { new: `${at(ABC, 4)}|d` }), ["a", "b", "c", "d", ""]);
  equal(edited(ABC, { old: at(ABC, 4), new: "d\ne" }), ["a", "b", "c", "d", "e", ""]);
  equal(edited(ABC, { old: `${at(ABC, 3)}-${at(ABC, 4)}`, new: "" }), ["a", "b", ""]);
  equal(edited(ABC, { old: `${at(ABC, 3)}-${at(ABC, 4)}`, new: "C" }), ["a", "b", "C", ""]);
  equal(edited(ABC, { old: `${at(ABC, 1)}-${at(ABC, 4)}`, new: "" }), [""]);
  equal(edited(ABC, { old: "c\n", new: "C" }), ["a", "b", "C", ""]);
  equal(edited(ABC, { old: at(ABC, 4), new: "" }), ["a", "b", "c"]);
  equal(edited(["a", "b"], { old: at(["a", "b"], 2), new: "B" }), ["a", "B"]);
  equal(edited([""], { old: at([""], 1), new: "x" }), ["x"]);
});

Deno.test("planEdit() replaces quoted text inside, across and at the ends of lines", () => {
  const texts = ["one two", "three four", "five"];
  equal(edited(texts, { old: "two\nthree", new: "2\n2b\n3" }), ["one 2", "2b", "3 four", "five"]);
  equal(edited(texts, { old: "four", new: "" }), ["one two", "three ", "five"]);
  equal(edited(texts, { old: "one two\r\nthree", new: "x" }), ["x four", "five"]);
  equal(edited(texts, { old: "three four\n", new: "" }), ["one two", "five"]);
  equal(plan(texts, { old: "four", new: "4" }).form, "text");
});

Deno.test("planEdit() refuses a text that occurs several times, with each place, unless replace_all is set", () => {
  const texts = ["x = 1", "y = x + x", "z = 2"];
  const refused = refusal(texts, { old: "x", new: "X" });
  equal([refused.code, refused.occurrences, refused.lines], ["text-ambiguous", 3, [1, 2, 2]]);
  match(refused.sentence, /occurs 3 times in f\.py/);
  match(refused.sentence, /replace_all/);
  equal(edited(texts, { old: "x", new: "X", replaceAll: true }), ["X = 1", "y = X + X", "z = 2"]);
  equal(edited(["aaaa"], { old: "aa", new: "b", replaceAll: true }), ["bb"]);
  equal(edited(["a", "b", "a", "b", "a"], { old: "a\nb", new: "x\ny\nz", replaceAll: true }), [
    "x",
    "y",
    "z",
    "x",
    "y",
    "z",
    "a",
  ]);
});

Deno.test("planEdit() reads no rows into content that only looks like them", () => {
  const hours = ["8:00|open", "9:00|coffee"];
  equal(edited(hours, { old: "9:00|coffee", new: "9:30|coffee" }), ["8:00|open", "9:30|coffee"]);
  equal(edited(hours, { old: "8:00|open\n9:00|coffee", new: "7:00|open" }), ["7:00|open"]);
  equal(edited(ABC, { old: at(ABC, 1), new: "8:00|x\n9:30|y" }), [
    "8:00|x",
    "9:30|y",
    "b",
    "c",
    "",
  ]);
});

Deno.test("planEdit() does not let a quoted row of another line pass as text", () => {
  const texts = ["one", "two", "three"];
  // "two" stands in the file once, but not in line 3.
  const refused = refusal(texts, { old: `3:${fingerprint("two")}|two`, new: "x" });
  equal(refused.code, "mismatch");
});

Deno.test("planEdit() takes listing prefixes out of new_content and says so", () => {
  const copied = [2, 3, 4, 5].map((line) => row({ line, text: `new ${line}` }));
  const planned = plan(ABC, { old: at(ABC, 2), new: [...copied, "plain"].join("\n") });
  equal(planned.stripped, true);
  equal(applyPlan(ABC, planned), ["a", "new 2", "new 3", "new 4", "new 5", "plain", "c", ""]);
});

Deno.test("planEdit() refuses an edit that names nothing, and offers rows without a hash with theirs", () => {
  for (
    const asked of [{}, { new: "x" }, { old: " \n", new: "x" }, { new: `${at(ABC, 1)}|A\nplain` }]
  ) {
    equal(refusal(ABC, asked).code, "nothing-named");
  }
  const refused = refusal(ABC, { new: "2|B" });
  equal([refused.code, refused.lines], ["rows-without-hash", [2]]);
  match(refused.sentence, /\n {2}2:92e\|b\n.*2:92e\|<the new line>/);
});

Deno.test("planEdit() cuts long rows in a refusal, and does not count them as shown", () => {
  const texts = ["x".repeat(5_000), "b"];
  const refused = refusal(texts, { new: "1:fff|y" });
  ok(refused.sentence.length < 1_000);
  ok(!/1:[0-9a-f]{3}\|x/.test(refused.sentence), refused.sentence);
  equal(refused.shown, []);
});

Deno.test("isNoChange() is true when all replaced lines read as before", () => {
  ok(isNoChange(ABC, plan(ABC, { old: at(ABC, 2), new: "b" })));
  ok(isNoChange(ABC, plan(ABC, { old: "b", new: "b" })));
  ok(!isNoChange(ABC, plan(ABC, { old: at(ABC, 2), new: "b\nb" })));
});

Deno.test("planEdit() does to random files what an edit of their lines does", () => {
  const texts = fc.array(fc.constantFrom("", "a", "  b", "c|d", "1:abc|x", "é"), {
    minLength: 2,
    maxLength: 9,
  })
    .map((lines) => [...lines, "end"]);
  fc.assert(
    fc.property(
      texts,
      fc.nat(),
      fc.nat(),
      fc.array(fc.constantFrom("x", "", "y z")),
      (lines, a, b, body) => {
        const [from = 1, to = 1] = [a % lines.length + 1, b % lines.length + 1].toSorted((x, y) =>
          x - y
        );
        const expected = lines.toSpliced(from - 1, to - from + 1, ...body);
        const asked = { old: `${at(lines, from)}-${at(lines, to)}`, new: body.join("\n") };
        if (body.join("\n") === "" && body.length > 0) return;
        equal(edited(lines, asked), expected.length === 0 ? [""] : expected);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("planEdit() replaces text as a search in the whole text does", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "\n"), { minLength: 1, maxLength: 12 }).map((
    x,
  ) => x.join(""));
  fc.assert(
    fc.property(letters, letters, letters, (text, old, body) => {
      const whole = `${text}!`;
      if (old.trim() === "" || !whole.includes(old)) return;
      if (old.endsWith("\n") && !body.endsWith("\n")) return; // Refused, as a test of its own says.
      const result = edited(whole.split("\n"), { old, new: body, replaceAll: true });
      equal(result.join("\n"), whole.replaceAll(old, body));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("planEdit() refuses a quote without its indentation whose new text brings it along", () => {
  const texts = ["if a:", "    x()", "    y()", ""];
  for (
    const asked of [
      { old: "x()", new: "    z()" },
      { old: "x()\n    y()", new: "    z()\n" },
      { old: "x()", new: "\n        z()" },
      { old: "x()\n", new: "" },
    ]
  ) {
    const refused = refusal(texts, asked);
    equal([refused.code, refused.lines[0]], ["indentation-doubled", 2], JSON.stringify(asked));
    ok(refused.shown.some(({ text }) => text === "    x()"));
  }
  equal(edited(texts, { old: "x()", new: "z()" })[1], "    z()");
  equal(edited(texts, { old: "    x()", new: "        x()" })[1], "        x()");
  equal(edited(texts, { old: "    x()\n", new: "" }), ["if a:", "    y()", ""]);
  equal(edited(texts, { old: "x()", new: "" })[1], "    ");
  equal(edited(["a", "x()", ""], { old: "x()", new: "  x()" })[1], "  x()");
});

Deno.test("planEdit() refuses to join the next line to the new text because of a line end", () => {
  const texts = ["a", "b", "", "c"];
  const refused = refusal(texts, { old: "a\n", new: "A" });
  equal([refused.code, refused.lines], ["joins-next-line", [2]]);
  match(refused.sentence, /line 2 of f\.py would be joined to the new text/);
  equal(edited(texts, { old: "a\n", new: "A\n" }), ["A", "b", "", "c"]);
  equal(edited(texts, { old: "a\nb", new: "AB" }), ["AB", "", "c"]);
  equal(edited(texts, { old: "b\n", new: "B" }), ["a", "B", "c"]);
  equal(edited(texts, { old: "a\n", new: "" }), ["b", "", "c"]);
});
