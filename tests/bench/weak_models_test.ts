/** The corpora of the bench of weak models: no call of them runs wrongly, and what they hold is what they say. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { caseOf, FORMATS, SLIPS } from "../../bench/weak_models/ask_edit.ts";
import { callTexts } from "../../bench/weak_models/call_texts.ts";
import { verdictOf } from "../../bench/weak_models/calls.ts";
import { outcomeOf } from "../../bench/weak_models/edits.ts";
import { seeded } from "../../bench/weak_models/random.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("every tool call of the corpus is read right, and none runs wrongly", () => {
  const texts = callTexts();
  ok(texts.length >= 300);
  equal(new Set(texts.map(({ id }) => id)).size, texts.length);
  equal(texts.filter((text) => verdictOf(text) !== "right").map(({ id }) => id), []);
});

Deno.test("verdictOf() sees a call that runs although it should not, one that is lost, and a word too many", () => {
  const call = '<tool_call>{"name": "list_dir", "arguments": {"dirpath": "a"}}</tool_call>';
  const text = { id: "x", reply: call, stop: "end", calls: [], isReported: false } as const;
  equal(verdictOf(text), "wrongly run");
  equal(verdictOf({ ...text, calls: [["list_dir", { dirpath: "b" }]] }), "wrongly run");
  equal(verdictOf({ ...text, reply: "No.", calls: [["list_dir", { dirpath: "a" }]] }), "lost");
  equal(verdictOf({ ...text, reply: call.slice(0, 50) }), "told wrong");
});

Deno.test("an edit with a slip lands right or is refused, by anchors and by text alike", () =>
  withWorkspace(async (dir) => {
    const body = ["  if (a) {", "    b()", "  }", ""];
    const texts = [
      "// head",
      "function one() {",
      ...body,
      "}",
      "function two() {",
      ...body,
      "}",
      "",
    ];
    const edits = [
      { file: "f.js", texts, from: 4, to: 4, lines: ["    c()", "    d()"] },
      { file: "f.js", texts, from: 5, to: 5, lines: ["  } // end"] },
      { file: "f.js", texts, from: 9, to: 11, lines: [] },
    ];
    const random = seeded(1);
    const seen: Record<string, number> = {};
    for (const edit of edits) {
      for (const format of FORMATS) {
        for (const slip of SLIPS) {
          const made = caseOf(edit, { format, slip, random });
          if (made === undefined) continue;
          const outcome = await outcomeOf(made, join(dir, "f.js"));
          if (format !== "diff") ok(outcome !== "wrong", `${format} ${slip} ${edit.from}`);
          if (slip === "none") equal(outcome, "right", `${format} ${edit.from}`);
          seen[outcome] = (seen[outcome] ?? 0) + 1;
        }
      }
    }
    ok((seen["right"] ?? 0) > 8 && (seen["helped"] ?? 0) > 8, JSON.stringify(seen));
  }));
