/** How the families write a call between tokens or without any, and how they break it. */
import assert from "node:assert/strict";
import { LIST, LIST_CALL, outcome, READ, READ_CALL } from "./tools.ts";

type Case = readonly [what: string, reply: string, calls: readonly unknown[], reports?: string[]];

const write = (content: string, filepath = "a.md") => ["write_file", { filepath, content }];
const READ_PYTHON = 'read_file(filepath="a.ts")';

const CASES: Readonly<Record<string, readonly Case[]>> = {
  "tokens around each call": [
    [
      "Kimi without its section",
      '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"filepath": "a.ts"}<|tool_call_end|>',
      [READ_CALL],
    ],
    [
      "Kimi's section in the singular",
      '<|tool_call_section_begin|><|tool_call_begin|>read_file:0<|tool_call_argument_begin|>{"filepath": "a.ts"}<|tool_call_end|><|tool_call_section_end|>',
      [READ_CALL],
    ],
    [
      "the closing token in a text",
      '<|tool_call_begin|>write_file:0<|tool_call_argument_begin|>{"filepath": "a.md", "content": "<|tool_call_end|>"}<|tool_call_end|>',
      [write("<|tool_call_end|>")],
    ],
    [
      "a brace missing",
      '<|tool_call_begin|>read_file:0<|tool_call_argument_begin|>{"filepath": "a.ts"<|tool_call_end|>',
      [READ_CALL],
    ],
    [
      "an unknown tool",
      "<|tool_call_begin|>fly:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
      [],
      ["unknown_tool"],
    ],
    ["cut in the name", "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_fi", [], [
      "cut",
    ]],
    [
      "DeepSeek without a fence",
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n{"filepath": "a.ts"}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
      [READ_CALL],
    ],
    ["Gemma's call without its opener", 'So: call:read_file{filepath:<|"|>a.ts<|"|>}<tool_call|>', [
      READ_CALL,
    ]],
    [
      "Gemma's braces and tokens in a text",
      '<|tool_call>call:write_file{filepath:<|"|>a.md<|"|>,content:<|"|>x } <tool_call|> y<|"|>}<tool_call|>',
      [write("x } <tool_call|> y")],
    ],
    ["Gemma's single quotes", "<|tool_call>call:read_file{filepath:'a.ts'}<tool_call|>", [
      READ_CALL,
    ]],
    ["Gemma's value without quotes", "<|tool_call>call:read_file{filepath:a.ts}<tool_call|>", [], [
      "unreadable",
    ]],
  ],
  "names in front": [
    ["Mistral's call id", '[TOOL_CALLS]read_file[CALL_ID]a1b2c3d4e[ARGS]{"filepath": "a.ts"}', [
      READ_CALL,
    ]],
    [
      "two calls behind one marker",
      '[TOOL_CALLS]read_file{"filepath": "a.ts"}list_dir{"dirpath": "src"}',
      [READ_CALL, LIST_CALL],
    ],
    ["an unknown tool", '[TOOL_CALLS]fly[ARGS]{"to": "x"}', [], ["unknown_tool"]],
    ["an empty list", "[TOOL_CALLS] []", []],
    [
      "Functionary's arrows",
      '>>>all\nI look.>>>read_file\n{"filepath": "a.ts"}>>>list_dir\n{"dirpath": "src"}',
      [READ_CALL, LIST_CALL],
    ],
    [
      "the first arrow in the prompt",
      'read_file\n{"filepath": "a.ts"}\n>>>list_dir\n{"dirpath": "src"}',
      [READ_CALL, LIST_CALL],
    ],
    [
      "Functionary's header",
      '<|from|>assistant\n<|recipient|>read_file\n<|content|>{"filepath": "a.ts"}',
      [READ_CALL],
    ],
    ["a Python prompt", '>>> read_file("a.ts")\nNone', []],
    ["a call as servers flatten it", '[Calling tool: read_file({"filepath": "a.ts"})]', [
      READ_CALL,
    ]],
    [
      "Hunyuan's tags",
      '<tool_call:opensource>read_file<tool_sep:opensource>{"filepath": "a.ts"}<end_of_tool_call:opensource>',
      [READ_CALL],
    ],
  ],
  "Python": [
    [
      "a bracket missing before the closing token",
      `<|tool_call_start|>[${READ_PYTHON}<|tool_call_end|>`,
      [READ_CALL],
    ],
    ["an expression", '<|tool_call_start|>[read_file(filepath="a" + ".ts")]<|tool_call_end|>', [], [
      "unreadable",
    ]],
    ["two lines as the whole reply", `${READ_PYTHON}\nlist_dir("src")`, [READ_CALL, LIST_CALL]],
    ["a heading above it", `# Read\n${READ_PYTHON}`, []],
    ["code in a code element", "<code>const x = 1</code>", []],
    ["an assignment in a call fence", `\`\`\`tool_code\nx = ${READ_PYTHON}\n\`\`\``, [], [
      "unreadable",
    ]],
    ["one unknown name in a list as the whole reply", `[${READ_PYTHON}, fly(to="x")]`, []],
    ["a list behind its token, unknown name", '<|python_start|>[fly(to="x")]<|python_end|>', [], [
      "unknown_tool",
    ]],
    ["Llama's built-in style", '<|python_tag|>get_url.call(url="http://x")', [["get_url", {
      url: "http://x",
    }]]],
  ],
  "harmony": [
    [
      "a preamble before the call",
      '<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"filepath": "a.ts"}<|call|>',
      [READ_CALL],
    ],
    [
      "two calls",
      '<|channel|>commentary to=functions.read_file<|message|>{"filepath": "a.ts"}<|call|><|start|>assistant<|channel|>commentary to=functions.list_dir<|message|>{"dirpath": "src"}<|call|>',
      [READ_CALL, LIST_CALL],
    ],
    [
      "a made-up result",
      '<|channel|>commentary to=functions.read_file<|message|>{"filepath": "a.ts"}<|call|><|start|>functions.read_file to=assistant<|channel|>commentary<|message|>x<|end|><|start|>assistant<|channel|>commentary to=functions.list_dir<|message|>{"dirpath": "src"}<|call|>',
      [READ_CALL],
    ],
    [
      "the first token lost",
      'commentary to=functions.read_file <|constrain|>json<|message|>{"filepath": "a.ts"}<|call|>',
      [READ_CALL],
    ],
    [
      "all tokens lost",
      'analysisI should read.assistantcommentary to=functions.read_file json{"filepath": "a.ts"}',
      [READ_CALL],
    ],
    [
      "a recipient in the analysis",
      '<|channel|>analysis to=functions.read_file<|message|>{"filepath": "a.ts"}<|call|>',
      [],
      ["in_reasoning"],
    ],
    ["an unknown recipient", "<|channel|>commentary to=functions.fly<|message|>{}<|call|>", [], [
      "unknown_tool",
    ]],
    ["a reply that ends in the header", "<|channel|>commentary to=functions.read_file", [], [
      "cut",
    ]],
    ["a token named in a sentence", "The <|channel|> token names the channel.", []],
  ],
  "brackets and words": [
    ["InternLM", `<|action_start|><|plugin|>\n${READ}<|action_end|>`, [READ_CALL]],
    ["Cohere without a comma", `<|START_ACTION|>[${READ} ${LIST}]<|END_ACTION|>`, [
      READ_CALL,
      LIST_CALL,
    ]],
    ["Cohere's answer", "<|START_RESPONSE|>Hello.<|END_RESPONSE|>", []],
    [
      "Command R's action",
      `Action:\n\`\`\`json\n[{"tool_name": "read_file", "parameters": {"filepath": "a.ts"}}]\n\`\`\``,
      [READ_CALL],
    ],
    ["Phi-4's tokens", `<|tool_call|>[${READ}]<|/tool_call|>`, [READ_CALL]],
    ["Python's own functools", "functools[0] and functools.reduce(f, [1])", []],
  ],
};

for (const [family, cases] of Object.entries(CASES)) {
  for (const [what, reply, calls, reports = []] of cases) {
    Deno.test(`readCalls() with ${family}: ${what}`, () => {
      assert.deepEqual(outcome(reply), { calls, reports });
    });
  }
}
