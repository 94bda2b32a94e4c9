/** `/registers`: one of everything that a transcript can say, as it looks here. */
import type { Event } from "@/protocol/event.ts";
import { META_DIFF } from "@/lib/tool_meta.ts";
import { defineCommand, done } from "./spec.ts";

export const registers = defineCommand({
  name: "registers",
  usage: [{ form: "/registers", brief: "Show one of everything that the transcript can say" }],
  needsScreen: true,
  run(_args, { transcript }) {
    if (transcript.open === undefined) return Promise.resolve(done(IN_WORDS));
    transcript.show(SAMPLES);
    return Promise.resolve(done(""));
  },
});

/** The plain screen says with a word in front what a line is. */
const IN_WORDS = [
  "What stands in front of a line says what it is:",
  "(nothing)  what the model says",
  "tool:      a call, in one sentence",
  "  |        what a command printed",
  "event:     what happened outside of the exchange",
  "warning:   likewise, but you should know it",
  "error:     what failed",
  "question:  what waits for your answer",
].join("\n");

const REPLY =
  `This is a *reply*: ordinary words as wide as they can be read, with **weight**, \`code\`, a [link](https://example.com), and

\`\`\`ts
const answer: number = 42; // in colour
\`\`\`

| a table | in lines |
|---|---:|
| of any | width |
`;

const DIFF = "--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n let a;\n-let b = 1;\n+let b = 2;\n let c;";

const SAMPLES: readonly Event[] = [
  user("This is you."),
  call("sample-1", "read_file", { filepath: "a.ts" }),
  answer("sample-1", "read_file", "1:abc|let a;"),
  {
    type: "tool_end",
    callId: "sample-1",
    summary: "this is a tool: a call in one sentence",
    ms: 4,
  },
  call("sample-2", "run_cmd", { command: "make" }),
  answer("sample-2", "run_cmd", "done"),
  {
    type: "tool_end",
    callId: "sample-2",
    summary: "this is one that printed a result",
    ms: 1_900,
    shown: "what it printed\nstands in a gutter\n",
  },
  call("sample-3", "edit_file", { filepath: "a.ts" }),
  answer("sample-3", "edit_file", "done", { [META_DIFF]: DIFF }),
  { type: "tool_end", callId: "sample-3", summary: "this is one that changed a file", ms: 6 },
  said(REPLY),
  { type: "notice", level: "info", text: "this is an event: it came from outside of the exchange" },
  { type: "notice", level: "info", text: "events that follow each other stand together" },
  { type: "notice", level: "warn", text: "this is one that you should know" },
  {
    type: "notice",
    level: "error",
    text: "This is an error: what failed, and what to do about it",
  },
];

function user(text: string): Event {
  const content = [{ type: "text", text }] as const;
  return { type: "message", message: { role: "user", content, origin: "person" } };
}

function said(text: string): Event {
  const content = [{ type: "text", text }] as const;
  return { type: "message", message: { role: "assistant", content, stop: "end" } };
}

function call(id: string, name: string, input: Readonly<Record<string, string>>): Event {
  const content = [{ type: "tool_call", id, name, input }] as const;
  return { type: "message", message: { role: "assistant", content, stop: "tool_calls" } };
}

function answer(
  id: string,
  name: string,
  text: string,
  meta: Readonly<Record<string, string>> = {},
): Event {
  const result = { status: "ok", text, meta } as const;
  return { type: "message", message: { role: "tool", callId: id, name, result } };
}
