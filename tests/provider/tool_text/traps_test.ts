/** Traps that the formats invite, with either line end and a byte order mark: what is no call, and what is this one. */
import assert from "node:assert/strict";
import { printCall } from "@/provider/tool_text/print_call.ts";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { TOOLS } from "./tools.ts";

/** Replies in which nothing may run. */
const NOTHING: readonly string[] = [
  '```md\n```tool_call\n{"name": "git_status", "arguments": {}}\n```\n```\nThat is how.',
  '````md\n```tool_call\n{"name": "git_status", "arguments": {}}\n```\n````',
  '> <tool_call>\r\n> {"name": "git_status", "arguments": {}}\r\n> </tool_call>',
  'Use `<tool_call>{"name":"git_status","arguments":{}}</tool_call>` to see.',
  '```ts\r\nawait run_cmd(command="rm -rf /")\r\n```\r\n',
  'Look: run_cmd(command="rm -rf /") would delete.',
  '{"name": "run_cmd", "arguments": {"command": "ls"}}\nThis is what I would send.',
  'Here: {"name": "run_cmd", "arguments": {"command": "ls"}}',
  '<think>\n<tool_call>{"name":"git_status","arguments":{}}</tool_call>\n',
  '<think>x <tool_call>{"name":"git_status","arguments":{}}</tool_call></think>Done.',
  '<tool_call>{"name":"write_file","arguments":{"filepath":"a","content":"half',
  "<tool_call>\n<function=write_file>\n<parameter=filepath>\na\n</parameter>\n<parameter=content>\nhalf",
  '<tool_call>{"name":"bash","arguments":{"command":"ls"}}</tool_call>',
  '<tool_response>ok</tool_response>\n<tool_call>{"name":"git_status","arguments":{}}</tool_call>',
  '```tool_output\nok\n```\n```tool_call\n{"name":"git_status","arguments":{}}\n```',
  '```json\n{"name": "git_status", "description": "x", "parameters": {"type": "object"}}\n```',
  '{"name":"git_status","arguments":{},"result":"clean"}',
  '[run_cmd(command=f"rm {x}")]',
  "[run_cmd(command=open('x').read())]",
  "<|python_tag|>import os; os.system('ls')",
  "1. <tool_call> opens a call\n2. </tool_call> closes it",
  "[TOOL_CALLS] is the token of Mistral.",
  "functools.reduce(lambda a, b: a, [])",
  '```diff\n+<tool_call>{"name":"git_status","arguments":{}}</tool_call>\n```',
  '```\n<invoke name="run_cmd"><parameter name="command">ls</parameter></invoke>\n```\nwould list.',
  '<|channel|>analysis<|message|><tool_call>{"name":"git_status","arguments":{}}</tool_call><|end|>',
];

/** Replies that are this call and no other. */
const WANTED = { name: "read_file", input: { filepath: "a.ts" } };
const J = '{"name": "read_file", "arguments": {"filepath": "a.ts"}}';
const F = "<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n</function>";
const ONE: readonly string[] = [
  `\uFEFF<tool_call>\r\n${J}\r\n</tool_call>\r\n`,
  `\uFEFF${J}`,
  `\r\n\r\n${J}\r\n<|im_end|>`,
  `<tool_call>\r\n${F.replaceAll("\n", "\r\n")}\r\n</tool_call>`,
  `Text with \`\`\` in it.\n\n\`\`\`tool_call\r\n${J}\r\n\`\`\`\r\n`,
  `<tool_call>\n\`\`\`json\n${J}\n\`\`\`\n</tool_call>`,
  `<tool_call>${F}</tool_call>`,
  `<tool_call><tool_call>${J}</tool_call></tool_call>`,
  `<function_calls>\n<invoke name="read_file">\n<parameter name="filepath">a.ts</parameter>\n</invoke>\n</function_calls>`,
  `[TOOL_CALLS]read_file[ARGS]{"filepath": "a.ts"}`,
  `<|tool_call_start|>[read_file(filepath="a.ts")]<|tool_call_end|>`,
  `<think>hm</think>\n\n<tool_call>\n${J}\n</tool_call>`,
  `hm</think>\n<tool_call>\n${J}\n</tool_call>`,
  `<TOOL_CALL>${J}</TOOL_CALL >`,
  `<tool_call>{\u201cname\u201d: \u201cread_file\u201d, \u201carguments\u201d: {\u201cfilepath\u201d: \u201ca.ts\u201d}}</tool_call>`,
];

/** A reply as servers and editors hand it on. */
function spellings(text: string): string[] {
  return [text, text.replace(/\r?\n/g, "\r\n"), `\uFEFF${text}`];
}

function callsIn(text: string, stop: "end" | "length") {
  return readCalls(text, { tools: TOOLS, stop }).calls.map(({ name, input }) => ({ name, input }));
}

Deno.test("readCalls() runs nothing of a sample, a sentence, a cut call or what comes after an invented result", () => {
  for (const text of NOTHING.flatMap(spellings)) {
    for (const stop of ["end", "length"] as const) {
      assert.deepEqual(callsIn(text, stop), [], JSON.stringify(text));
    }
  }
});

Deno.test("readCalls() reads the one call, and cut at any place that call or none", () => {
  for (const text of ONE) {
    assert.deepEqual(callsIn(text, "end"), [WANTED], JSON.stringify(text));
    for (let cut = 1; cut < text.length; cut += 1) {
      const calls = callsIn(text.slice(0, cut), "length");
      if (calls.length > 0) assert.deepEqual(calls, [WANTED], JSON.stringify(text.slice(0, cut)));
    }
  }
});

/** The ways to write a file; each body is the file, whatever stands in it. */
const WRITINGS: readonly ((content: string) => string)[] = [
  (content) => `<tool_call>${json("arguments", content)}</tool_call>`,
  (content) => `[TOOL_CALLS]write_file[ARGS]${JSON.stringify({ filepath: "n.md", content })}`,
  (content) => `\`\`\`tool_call\n${json("parameters", content)}\n\`\`\``,
  (content) => printCall({ name: "write_file", input: { filepath: "n.md", content } }, ["content"]),
];

function json(key: string, content: string): string {
  return JSON.stringify({ name: "write_file", [key]: { filepath: "n.md", content } });
}

Deno.test("readCalls() takes a file about calls for a file, in every way of writing one", () => {
  const bodies = [...NOTHING, ...ONE, "```\n</content>\n```", "a\r\nb\r\n", "</tool_call>"];
  for (const content of bodies) {
    for (const [at, write] of WRITINGS.entries()) {
      const calls = callsIn(write(content), "end");
      const wanted = [{ name: "write_file", input: { filepath: "n.md", content } }];
      assert.deepEqual(calls, wanted, `way ${at}: ${JSON.stringify(content)}`);
    }
  }
});
