import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc, runs } from "../../support/property.ts";
import { textWidth, withoutStyles } from "@/lib/width.ts";
import { lineHighlighter } from "@/terminal/full/view/highlight.ts";
import { MarkdownStream } from "@/terminal/full/view/markdown_stream.ts";
import { registers } from "@/terminal/full/view/registers.ts";

const WIDTH = 60;
const look = registers({ colored: true });

function stream(): MarkdownStream {
  return new MarkdownStream({
    look,
    painter: (language) => lineHighlighter(language, look),
    canPaint: () => true,
  });
}

/** What comes out when a text arrives in pieces, and a frame is drawn after each of them. */
function streamed(text: string, cuts: readonly number[] = []): string[] {
  const one = stream();
  const lines: string[] = [];
  let at = 0;
  for (const cut of [...cuts, text.length]) {
    one.push(text.slice(at, cut));
    at = cut;
    lines.push(...one.take(WIDTH));
    for (const row of one.tail(WIDTH)) ok(textWidth(row) <= WIDTH, JSON.stringify(row));
  }
  one.end();
  lines.push(...one.take(WIDTH));
  ok(one.isDone);
  equal(one.tail(WIDTH), []);
  return lines;
}

function everywhere(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => at);
}

const piece = fc.constantFrom(
  ..."# H\n|text |**b** |- a\n|  - n\n|1. x\n|\n|\n\n|```ts\n|```\n|const a = `\n|> q\n|---\n|===\n|    code\n|\t"
    .split("|"),
  ..."<div>\n|</div>\n|[a]: http://x\n|[a] |![i](u)|`c`|~~~\n|* s\n|2) y\n|<!-- |-->\n|para\n|  |\\|&lt;"
    .split("|"),
  ..."[x](y)|#|-|``|   ```py\n|/* c\n|*/\n|- [x] t\n|추측: |日本語、".split("|"),
  "| a | b |\n",
  "|---|---|\n",
  "| 1 | 2 |\n",
);
const markdown = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(""));

Deno.test("MarkdownStream gives out the same lines however the text arrives", () => {
  fc.assert(
    fc.property(markdown, (text) => equal(streamed(text, everywhere(text)), streamed(text))),
    runs(2_000),
  );
});

Deno.test("MarkdownStream leaves out nothing that was said", () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const shape = fc.constantFrom<(words: string) => string>(
    (words) => `# ${words}\n\n`,
    (words) => `${words}\n`,
    (words) => `- ${words}\n`,
    (words) => `3. **${words}**\n`,
    (words) => `> _${words}_\n`,
    (words) => `\`\`\`ts\n${words}\n\`\`\`\n`,
    (words) => `| ${words} |\n|---|\n| ${words} |\n\n`,
    (words) => `[${words}](http://${words})\n`,
    (words) => `<p>${words}</p>\n\n`,
    (words) => `[${words}]: http://x\n\n`,
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(shape, word), { maxLength: 8 }), (parts) => {
      const text = parts.map(([of, words]) => of(words)).join("");
      const shown = withoutStyles(streamed(text, everywhere(text)).join("\n"));
      for (const [, words] of parts) ok(shown.includes(words), `${words} is not in\n${shown}`);
    }),
    { numRuns: 500 },
  );
});

Deno.test("MarkdownStream finishes blocks and lines of code, and keeps the rest for the tail", () => {
  const one = stream();
  const seen = (text: string) => {
    one.push(text);
    return [one.take(WIDTH).map(withoutStyles), one.tail(WIDTH).map(withoutStyles)];
  };
  equal(seen("First "), [[], ["First"]]);
  equal(seen("paragraph\n"), [[], ["First paragraph"]]);
  equal(seen("\nNext"), [["First paragraph"], ["", "Next"]]);
  equal(seen("\n\n```t"), [["", "Next"], []]);
  equal(seen("s\nconst"), [[], ["", "    const"]]);
  ok(one.isInside);
  equal(seen(" a = 1;\nl"), [["", "    const a = 1;"], ["    l"]]);
  equal(seen("et b;\n``"), [["    let b;"], []]);
  equal(seen("`\n"), [[], []]);
  ok(!one.isInside);
  equal(seen("- one\n- tw"), [[], ["", "- one", "- tw"]]);
  equal(seen("o\n"), [["", "- one"], ["- two"]]);
  ok(one.isInside);
  equal(seen("\nEnd\n"), [["- two"], ["", "End"]]);
  ok(!one.isInside);
});

Deno.test("MarkdownStream goes on counting in a list that is given out item by item", () => {
  equal(streamed("1. a\n1. b\n1. c\n", everywhere("1. a\n1. b\n1. c\n")), ["1. a", "2. b", "3. c"]);
  equal(streamed("7. a\n8. b\n\n   more\n", everywhere("7. a\n8. b\n\n   more\n")), [
    "7. a",
    "8. b",
    "",
    "   more",
  ]);
});

Deno.test("MarkdownStream waits with code until its painter is there, and shows it meanwhile", () => {
  let canPaint = false;
  const one = new MarkdownStream({ look, painter: () => undefined, canPaint: () => canPaint });
  one.push("```ts\nlet a;\n");
  equal([one.take(WIDTH), one.tail(WIDTH)], [[], ["    let a;"]]);
  canPaint = true;
  equal([one.take(WIDTH), one.tail(WIDTH)], [["    let a;"], []]);
});

Deno.test("MarkdownStream shows a character only when all of it has come", () => {
  const one = stream();
  one.push("a \ud83d");
  equal(one.tail(WIDTH), ["a"]);
  one.push("\ude00");
  equal(one.tail(WIDTH), ["a 😀"]);
  one.push("\r");
  equal(one.tail(WIDTH), ["a 😀"]);
  one.push("\n");
  one.end();
  equal(one.take(WIDTH), ["a 😀"]);
});

Deno.test("MarkdownStream keeps what it reads anew short, whatever arrives", () => {
  const shapes: Readonly<Record<string, string>> = {
    paragraph: "word ".repeat(40_000),
    "one word": "w".repeat(200_000),
    lines: "a line of a paragraph\n".repeat(10_000),
    items: "- an item of a list\n".repeat(10_000),
    code: `\`\`\`ts\n${"const a = 1;\n".repeat(10_000)}`,
    rows: `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(10_000)}`,
    quotes: "> a quote\n".repeat(10_000),
    stars: "**a*b ".repeat(30_000),
    deep: ">".repeat(50_000),
    brackets: "[".repeat(50_000),
  };
  for (const [name, text] of Object.entries(shapes)) {
    const one = stream();
    let given = 0;
    let open = 0;
    for (let at = 0; at < text.length; at += 10_000) {
      one.push(text.slice(at, at + 10_000));
      given += one.take(WIDTH).join("").length;
      open = Math.max(open, one.tail(WIDTH).join("").length);
    }
    ok(open <= 20_000, `${name}: ${open} characters are open`);
    ok(given > 0, `${name}: nothing was given out`);
  }
});

Deno.test("MarkdownStream draws a long table as a table to its end, under its head again after each cut", () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `| 제목 ${at} | ${at} |\n`);
  const one = stream();
  const lines: string[] = [];
  for (const row of ["| a | b |\n|---|--:|\n", ...rows, "\nafter"]) {
    one.push(row);
    lines.push(...one.take(WIDTH).map(withoutStyles));
  }
  one.end();
  lines.push(...one.take(WIDTH));
  equal(lines.filter((line) => line.includes("|")), []);
  equal(lines.filter((line) => line.includes("제목")).length, 2_000);
  const heads = lines.filter((line) => /│ a +│ +b │/.test(line)).length;
  ok(heads > 1 && heads < 10, `${heads} heads`);
  equal(lines.at(-1), "after");
});

Deno.test("MarkdownStream shows the end of a long open block, a table under its head", () => {
  const open = (text: string) => {
    const one = stream();
    one.push(text);
    one.take(WIDTH);
    return one.tail(WIDTH).map(withoutStyles);
  };
  const rows = Array.from({ length: 300 }, (_, at) => `| ${at} | x |\n`);
  const table = open(`| a | b |\n|---|---|\n${rows.join("")}`);
  ok(/│ a +│ b │/.test(table[1] ?? ""), table[1]);
  ok(table.at(-2)?.includes("│ 299 │ x │"), table.at(-2));
  ok(table.length < 300);
  const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`);
  const prose = open(words.join(" "));
  ok(prose.at(-1)?.endsWith("word1999"));
  ok(prose[0]?.startsWith("word") && prose.length < 40);
});

Deno.test("MarkdownStream moves a line in that would pass for another register", () => {
  for (const line of ["❯ yes", "▸ ✓ ran it", "✗ error: no", "◆ run_cmd", "── 14:03"]) {
    equal(streamed(line), [` ${line}`]);
  }
  equal(streamed("```\n· harness-2 says yes\n```"), ["     · harness-2 says yes"]);
});
