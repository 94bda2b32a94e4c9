/** Whole frames, cell by cell, of each register, card and element of Markdown, at two widths and without colour. */
import type { Event } from "@/protocol/event.ts";
import { frameOf, matchFrame } from "../../support/cells.ts";
import { MOCK_SESSION } from "../../support/mock_session.ts";
import {
  called,
  finished,
  message,
  noticed,
  replied,
  said,
  testView,
} from "../../support/transcript_view.ts";

const LONG = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");

const REGISTERS: readonly Event[] = [
  ...said("Please fix the ranking of 웹 검색, and keep\n\tthe old name as an alias. ".repeat(2)),
  ...replied("An answer in words.\n"),
  noticed("harness-2 is editing src/fetch.ts"),
  noticed("a command in the background has ended"),
  noticed("the settings file could not be read; the defaults are used", "warn"),
  message("user", LONG, "shell"),
  noticed(
    "Cannot reach the server: connection refused. Start it, or choose another with /connect.",
    "error",
  ),
  { type: "retry", reason: "The server is busy", attempt: 2, waitMs: 2_000 },
  { type: "model", provider: "ollama", model: "a" },
  { type: "model", provider: "ollama", model: "b" },
  message("user", LONG, "hook"),
  { type: "turn_end", turn: 1, stop: "abort" },
  ...said("and now?", 2),
  { type: "turn_end", turn: 2, stop: "refusal" },
];

const CARDS: readonly Event[] = [
  ...said("go on"),
  ...called({ id: "1", name: "read_file", before: "", after: "read README.md (20 lines)" }),
  ...called({
    id: "2",
    name: "run_cmd",
    before: "",
    after: `ran deno test ${"--allow-read ".repeat(8)}`,
    ms: 61_000,
    output: [`${LONG}\n`],
  }),
  ...called({
    id: "3",
    name: "run_cmd",
    before: "",
    after: "make: exit code 2",
    ms: 1_234,
    output: [
      "\u001b[31mred\u001b[0m and 10%\r20%\r30% done\n",
      "a\tb\n",
      `${"long ".repeat(90)}\n`,
    ],
    result: { status: "failed", text: "Command failed (exit code 2)." },
  }),
  ...called({
    id: "4",
    name: "write_file",
    before: "",
    after: "created src/new.ts",
    result: {
      meta: {
        diff: `--- /dev/null\n+++ src/new.ts\n@@ -0,0 +1,20 @@\n${
          Array.from({ length: 20 }, (_, at) => `+const a${at} = "\u202e";`).join("\n")
        }`,
      },
    },
  }),
  ...called({
    id: "5",
    name: "edit_file",
    before: "",
    after: "edited src/a.ts: lines 3, 97 replaced",
    result: {
      meta: {
        diff: "--- src/a.ts\n+++ src/a.ts\n@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n" +
          "@@ -96,3 +96,4 @@\n x\n-\ty\n+\tY\n+\tZ\n z\n\\ No newline at end of file",
      },
    },
  }),
  ...called({
    id: "6",
    name: "run_cmd",
    before: "",
    after: "did not run rm -rf /",
    denied: 'rule "run_cmd(rm *)" denies this command',
    result: { status: "denied", text: 'Nothing was done: rule "run_cmd(rm *)" denies it' },
  }),
  ...called({
    id: "7",
    name: "nothing",
    before: "",
    after: "nothing",
    ms: 0,
    result: {
      status: "failed",
      text: 'Not run: no tool is named "nothing"; the tools are a, b and c\nmore',
    },
  }),
  ...called({
    id: "8",
    name: "run_cmd",
    before: "",
    after: "did not finish sleep 100",
    ms: 5_100,
    result: { status: "interrupted", text: "Interrupted: it was stopped" },
  }),
  ...called({
    id: "9",
    name: "x",
    before: "",
    after: "x: not run",
    ms: 0,
    result: { status: "not_run", text: "" },
  }),
];

const MARKDOWN = `# A title

## A heading with \`code\`

A paragraph with **bold**, *emphasis*, \`code\`, ~~gone~~, a [link](https://example.com/a?b=c), \
https://example.com, <b>html</b> &amp; \\*stars\\*, and enough words to be wrapped at either width of the window.
A line of its own.<br>And another.

- an item
- another one that is long enough to be wrapped at the narrow width, which is eighty cells wide
  - nested
    1. deeper
- [x] done
- [ ] open

3. third
4. fourth

   with a paragraph

   \`\`\`sh
   echo "in a list" # ok
   \`\`\`

> A quote
> with **two** lines
>
> - and a list

\`\`\`python
def greet(name: str) -> str:
    """Say hello
    in two lines."""
\treturn f"안녕, {name}"  # ${"long ".repeat(20)}
\`\`\`

\`\`\`nosuchlanguage
plain <code>
\`\`\`

| left | right | center |
|:-----|------:|:------:|
| a \`b\` | 1 | **x** |
| 한국어 日本語 | 1,000 | ✓ |

| a wide table | ${"with words ".repeat(6)}| ${"and more words ".repeat(5)}|
|---|---|---|
| 1 | ${"cell ".repeat(12)}| 추측: 동점 처리를 확인했습니다 |
| 2 | short | ![a picture](pic.png) |

---

<details>
html block
</details>

[ref]: https://example.com
`;

const FRAMES: Readonly<Record<string, readonly Event[]>> = {
  registers: REGISTERS,
  cards: CARDS,
  markdown: [...said("show me"), ...replied(MARKDOWN)],
  session: MOCK_SESSION,
};

for (const [name, events] of Object.entries(FRAMES)) {
  for (const columns of [80, 120]) {
    Deno.test(`the frame of ${name} stands at ${columns} columns as it was kept`, async () => {
      const { view } = await testView();
      await matchFrame(
        `${name}-${columns}`,
        await frameOf(finished(view, events, columns), columns),
      );
    });
  }
  Deno.test(`the frame of ${name} stands without colour as it was kept`, async () => {
    const { view } = await testView({ colored: false });
    await matchFrame(`${name}-plain`, await frameOf(finished(view, events, 80), 80));
  });
}

Deno.test("the frame of open cards stands as it was kept", async () => {
  const { view } = await testView();
  finished(view, MOCK_SESSION);
  const open = Array.from({ length: view.items() }, (_, at) => view.open(at) ?? []);
  await matchFrame("open-80", await frameOf(`${open.flat().join("\n")}\n`, 80));
});
