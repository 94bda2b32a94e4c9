import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import type { EditAction } from "@/settings/key_binding.ts";
import { Editor } from "@/terminal/full/editor.ts";

function edited(text: string, ...actions: readonly EditAction[]): Editor {
  const editor = new Editor();
  editor.insert(text);
  for (const action of actions) editor.do(action);
  return editor;
}

/** The text with a bar where the caret is. */
function shown({ buffer }: Editor): string {
  return `${buffer.marked.slice(0, buffer.caret)}|${buffer.marked.slice(buffer.caret)}`;
}

Deno.test("Editor moves and deletes by what a reader takes for one character", () => {
  const family = "👨‍👩‍👧‍👦";
  equal(shown(edited(`a${family}`, "left")), `a|${family}`);
  equal(shown(edited(`e\u0301x`, "left", "deleteBack")), "|x");
  equal(shown(edited("한글", "deleteBack")), "한|");
  equal(shown(edited("one\ntwo", "lineStart", "left", "left")), "on|e\ntwo");
  equal(shown(edited("one\ntwo", "lineStart", "deleteBack")), "one|two");
  equal(shown(edited("one\ntwo", "left", "left", "left", "left", "deleteForward")), "one|two");
});

Deno.test("Editor moves by words, in Korean and Japanese too", () => {
  equal(shown(edited("fix the parser", "wordLeft", "wordLeft")), "fix |the parser");
  equal(shown(edited("동점 처리를 고친다", "wordLeft")), "동점 처리를 |고친다");
  equal(shown(edited("fix the parser", "lineStart", "wordRight")), "fix| the parser");
});

Deno.test("Editor puts kills in a row together and yanks older ones after the newest", () => {
  const editor = edited("one two three", "killBlankWord", "killBlankWord");
  equal(shown(editor), "one |");
  editor.do("yank");
  equal(shown(editor), "one two three|");
  editor.do("lineStart");
  editor.do("killToLineEnd");
  editor.do("yank");
  equal(shown(editor), "one two three|");
  editor.do("yankOlder");
  equal(shown(editor), "two three|");
  editor.do("yankOlder");
  equal(shown(editor), "one two three|");
});

Deno.test("Editor kills to the ends of the line, and words", () => {
  equal(shown(edited("one two\nthree", "killToLineStart")), "one two\n|");
  equal(shown(edited("one two", "wordLeft", "killToLineEnd")), "one |");
  equal(shown(edited("src/rank.ts", "killWordBack")), "src/rank.|");
  equal(shown(edited("run --all", "killBlankWord")), "run |");
  equal(shown(edited("one two", "lineStart", "killWordForward")), "| two");
});

Deno.test("Editor undoes a run of typing as one step, and deletions one by one", () => {
  const editor = new Editor();
  for (const letter of "fix it") editor.insert(letter);
  editor.do("killBlankWord");
  equal(shown(editor), "fix |");
  editor.do("undo");
  equal(shown(editor), "fix it|");
  editor.do("undo");
  equal(shown(editor), "fix|");
  editor.do("undo");
  equal(shown(editor), "|");
  editor.do("undo");
  equal(shown(editor), "|");
});

Deno.test("Editor brings every text back by undo, whatever was done", () => {
  const actions = fc.constantFrom<EditAction>(
    "left",
    "right",
    "wordLeft",
    "deleteBack",
    "deleteForward",
    "killBlankWord",
    "killToLineEnd",
    "yank",
    "newline",
  );
  fc.assert(fc.property(
    fc.array(fc.oneof(actions, fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 })), {
      maxLength: 30,
    }),
    (steps) => {
      const editor = new Editor();
      const known = new Set<string>(["left", "right", "wordLeft", "deleteBack", "deleteForward"]
        .concat(["killBlankWord", "killToLineEnd", "yank", "newline"]));
      for (const step of steps) {
        if (known.has(step)) editor.do(step as EditAction);
        else editor.insert(step);
        const { buffer } = editor;
        ok(buffer.caret >= 0 && buffer.caret <= buffer.marked.length);
        const { rows, caret } = editor.draw(10, 5);
        ok(caret.row < rows.length && caret.column <= 10);
      }
      for (let n = 0; n < 100; n++) editor.do("undo");
      equal(editor.text, "");
    },
  ));
});

Deno.test("Editor folds a long paste to one mark and gives it back exactly", () => {
  const editor = new Editor();
  editor.insert("look: ");
  const pasted = Array.from({ length: 2_600 }, (_, n) => `\tline ${n} 한글 "x"`).join("\n");
  editor.paste(pasted);
  equal(editor.draw(78, 10).rows, ["look: [paste #1 +2600 lines]"]);
  equal(editor.text, `look: ${pasted}`);
  editor.insert(" and ");
  editor.paste("y".repeat(1_200));
  equal(editor.draw(78, 10).rows, ["look: [paste #1 +2600 lines] and [paste #2 1200 chars]"]);
  editor.do("deleteBack");
  equal(editor.text, `look: ${pasted} and `);
  editor.do("undo");
  equal(editor.text, `look: ${pasted} and ${"y".repeat(1_200)}`);
});

Deno.test("Editor takes a paste of 100 KB whole", () => {
  const pasted = "The quick brown fox jumps over it.\n".repeat(3_000);
  const editor = new Editor();
  editor.paste(pasted);
  editor.draw(78, 10);
  equal(editor.text, pasted);
});

Deno.test("Editor keeps short pastes as text, tabs and all, and drops what a terminal would act on", () => {
  const editor = new Editor();
  editor.paste("all:\r\n\tcc -o x \x1b[31mx.c\x1b[0m\r\x1b]52;c;aGk=\x07done\x00\x9b2J");
  equal(editor.text, "all:\n\tcc -o x x.c\ndone2J");
});

Deno.test("Editor draws hidden characters of the text visibly", () => {
  const editor = new Editor();
  editor.paste("safe\u202eevil\u200b");
  equal(editor.draw(40, 5).rows, ["safe\\u{202e}evil\\u{200b}"]);
  equal(editor.text, "safe\u202eevil\u200b");
});

Deno.test("draw() wraps Korean between words and puts the caret where the next character goes", () => {
  const editor = edited("추측: 웹 검색 랭킹 개선 👨‍👩‍👧‍👦 é x");
  equal(editor.draw(78, 10).caret, { row: 0, column: 30 });
  equal(editor.draw(20, 10).rows, ["추측: 웹 검색 랭킹 ", "개선 👨‍👩‍👧‍👦 é x"]);
  equal(editor.draw(20, 10).caret, { row: 1, column: 11 });
});

Deno.test("do() moves up and down by the rows that are drawn and keeps the column", () => {
  const editor = edited("a long first line here\nx\nsecond long line");
  editor.draw(40, 10);
  editor.do("up");
  equal(shown(editor), "a long first line here\nx|\nsecond long line");
  editor.do("up");
  equal(shown(editor), "a long first lin|e here\nx\nsecond long line");
  equal(editor.do("up"), false);
  editor.do("down");
  editor.do("down");
  equal(editor.do("down"), false);
  equal(shown(editor), "a long first line here\nx\nsecond long line|");
  const wrapped = edited("one two three four");
  wrapped.draw(9, 10);
  wrapped.do("up");
  equal(shown(wrapped), "one two thre|e four");
});

Deno.test("draw() shows the rows around the caret when there are more than fit", () => {
  const editor = edited(Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\n"));
  const drawn = editor.draw(40, 10);
  equal([drawn.rows.length, drawn.rows.at(-1), drawn.above, drawn.below], [10, "line 29", 20, 0]);
  for (let n = 0; n < 29; n++) editor.do("up");
  const first = editor.draw(40, 10);
  equal([first.rows[0], first.above, first.below, first.caret.row], ["line 0", 0, 20, 0]);
});
