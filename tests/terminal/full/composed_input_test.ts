/** What an input method commits: whole syllables and words of wide characters, with the caret behind them, at the edge too. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { testScreen } from "../../support/full_screen.ts";
import type { TestTerminal } from "../../support/test_terminal.ts";

/** As they are committed, one after the other. */
const COMMITTED = [
  ..."추 측 : 웹검색 랭 킹 日 本語 、 テ スト 。 e\u0301 한글 x 가 나 다 라 마".split(" "),
];

/** Wait until the input holds the text, however it is broken into rows. */
async function shows(terminal: TestTerminal, text: string): Promise<void> {
  const end = performance.now() + 5_000;
  for (;;) {
    await terminal.settle(5);
    const rows = terminal.screen().split("\n");
    const input = rows.slice(rows.findIndex((row) => row.startsWith("❯")));
    const shown = input.map((row) => row.slice(2)).join("").normalize();
    if (shown === text.normalize()) return;
    ok(performance.now() < end, `${JSON.stringify(shown)} is not ${JSON.stringify(text)}`);
  }
}

for (const columns of [11, 12, 30]) {
  Deno.test(`the caret stands behind what was committed, in a window of ${columns} columns`, async () => {
    await using test = testScreen({ columns, rows: 16 });
    await test.terminal.until(/❯/);
    let typed = "";
    for (const text of COMMITTED) {
      test.terminal.send(text);
      typed += text;
      await shows(test.terminal, typed);
      const { column, before } = test.terminal.beforeCursor();
      ok(column < columns, `the caret is in column ${column}`);
      ok(
        before === "  " || before.normalize().endsWith([...text.normalize()].at(-1) ?? ""),
        before,
      );
    }
    // Back over all of it: a key takes what a reader takes for one character.
    for (let at = 0; at < [...typed.normalize()].length; at++) test.terminal.send("\x7f");
    await shows(test.terminal, "");
    equal(test.terminal.cursor().column, 2);
  });
}
