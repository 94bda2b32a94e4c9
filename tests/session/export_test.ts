import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { toJson, toMarkdown } from "@/session/export.ts";
import { toTranscript } from "@/session/transcript.ts";
import { durableEvent } from "../support/arbitrary_event.ts";

function records(events: readonly DurableEvent[]) {
  return events.map((event, index) => ({
    v: 1 as const,
    at: `2026-01-01T00:00:0${index % 10}.000Z`,
    event,
  }));
}

function person(text: string): DurableEvent {
  const content = [{ type: "text" as const, text }];
  return { type: "message", message: { role: "user", content, origin: "person" } };
}

function model(
  text: string,
  ...calls: { id: string; name: string; input: unknown }[]
): DurableEvent {
  const blocks = calls.map((call) => ({ type: "tool_call" as const, ...call }));
  const content = [
    { type: "thinking" as const, text: "secret thoughts" },
    { type: "text" as const, text },
    ...blocks,
  ];
  return { type: "message", message: { role: "assistant", content, stop: "end" } };
}

function result(callId: string, text: string): DurableEvent {
  return {
    type: "message",
    message: { role: "tool", callId, name: "read_file", result: { status: "ok", text } },
  };
}

const TALK = records([
  { type: "session", uid: "0199-u", cwd: "/p", profile: "" },
  { type: "model", provider: "ollama", model: "gemma4:e4b" },
  { type: "title", title: "Fix parser" },
  { type: "turn_start", turn: 1 },
  {
    type: "message",
    message: {
      role: "user",
      origin: "person",
      content: [
        { type: "text", text: "what is in a.md?" },
        { type: "image", mime: "image/png", data: new Uint8Array(1_234) },
      ],
    },
  },
  model("I look.", { id: "c1", name: "read_file", input: { filepath: "a.md" } }),
  result("c1", "````\nfour\n````"),
  { type: "tool_end", callId: "c1", summary: "read a.md", ms: 3 },
  model("", { id: "c2", name: "read_file", input: { filepath: "b.md" } }),
  { type: "turn_end", turn: 1, stop: "abort" },
]);

Deno.test("toMarkdown() shows what was said and done, with fences that nothing inside can end", () => {
  equal(
    toMarkdown(TALK, "fix-parser"),
    `# Fix parser

- Session: fix-parser (0199-u)
- Directory: /p
- Model: ollama/gemma4:e4b
- From 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:09.000Z, 1 turn

## Turn 1

### You

what is in a.md?
(image, image/png, 1234 bytes)

### Model

I look.

**read_file**: read a.md

\`\`\`json
{
  "filepath": "a.md"
}
\`\`\`

Result (ok):

\`\`\`\`\`text
\`\`\`\`
four
\`\`\`\`
\`\`\`\`\`

**read_file**

\`\`\`json
{
  "filepath": "b.md"
}
\`\`\`

*No result*

*The turn ended: abort*
`,
  );
});

Deno.test("toMarkdown() closes a code block that a reply left open", () => {
  const cases: readonly [text: string, closed: string][] = [
    ["```ts\nlet a", "```ts\nlet a\n```"],
    ["```ts\nlet a\n```", "```ts\nlet a\n```"],
    ["~~~~\n```\n~~~", "~~~~\n```\n~~~\n~~~~"],
    ["````\n```", "````\n```\n````"],
    ["a ``` b", "a ``` b"],
    ["```inline``` text", "```inline``` text"],
    ["```ts\n```js", "```ts\n```js\n```"],
  ];
  for (const [text, closed] of cases) {
    const markdown = toMarkdown(records([model(text), person("next")]), "x");
    ok(markdown.includes(`### Model\n\n${closed}\n\n### You\n\nnext`), markdown);
  }
});

Deno.test("toMarkdown() clips long results from the middle and says how much is left out", () => {
  const long = Array.from({ length: 1_000 }, (_, n) => `line ${n}`).join("\n");
  const markdown = toMarkdown(
    records([model("", { id: "c", name: "read_file", input: {} }), result("c", long)]),
    "x",
  );
  ok(markdown.length < 4_000);
  ok(markdown.includes("line 0\n") && markdown.includes("line 999\n"));
  ok(/… \d+ characters in \d+ lines left out …/.test(markdown));
});

Deno.test("toTranscript() leaves out turns that were taken back", () => {
  const transcript = toTranscript(records([
    { type: "turn_start", turn: 1 },
    person("keep"),
    { type: "turn_start", turn: 2 },
    person("drop"),
    { type: "rewind", toTurn: 1 },
    { type: "turn_start", turn: 2 },
    person("again"),
  ]));
  equal(transcript.map((entry) => entry.kind === "said" && entry.text), ["keep", "again"]);
});

Deno.test("toJson() is one document with whole texts and without thinking or bytes", () => {
  const document = JSON.parse(toJson(TALK, "fix-parser"));
  equal(document, {
    version: 1,
    session: "0199-u",
    id: "fix-parser",
    title: "Fix parser",
    cwd: "/p",
    model: "ollama/gemma4:e4b",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:09.000Z",
    turns: 1,
    entries: [
      {
        kind: "said",
        by: "person",
        text: "what is in a.md?\n(image, image/png, 1234 bytes)",
        at: "2026-01-01T00:00:04.000Z",
        turn: 1,
      },
      { kind: "said", by: "model", text: "I look.", at: "2026-01-01T00:00:05.000Z", turn: 1 },
      {
        kind: "call",
        id: "c1",
        name: "read_file",
        input: { filepath: "a.md" },
        at: "2026-01-01T00:00:05.000Z",
        turn: 1,
        result: { status: "ok", text: "````\nfour\n````" },
        summary: "read a.md",
      },
      {
        kind: "call",
        id: "c2",
        name: "read_file",
        input: { filepath: "b.md" },
        at: "2026-01-01T00:00:08.000Z",
        turn: 1,
      },
      {
        kind: "note",
        text: "The turn ended: abort",
        at: "2026-01-01T00:00:09.000Z",
        turn: 1,
      },
    ],
  });
});

Deno.test("toMarkdown() and toJson() take any session", () => {
  fc.assert(fc.property(fc.array(durableEvent, { maxLength: 20 }), (events) => {
    const all = records(events);
    ok(toMarkdown(all, "x").startsWith("# "));
    equal(JSON.parse(toJson(all, "x")).version, 1);
  }));
});
