/** The rules that hold for all families: what runs, what is an answer, what the model is told. */
import assert from "node:assert/strict";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { LIST, LIST_CALL, outcome, READ, READ_CALL, tagged, TOOLS } from "./tools.ts";

const RUN = '{"name": "run_cmd", "arguments": {"command": "rm -r out"}}';
const WRITE = '{"name": "write_file", "arguments": {"filepath": "a.md"}}';

type Case = readonly [what: string, reply: string, calls: readonly unknown[], reports?: string[]];

const CASES: readonly Case[] = [
  // Reasoning.
  ["a call inside reasoning beside an answer", `<think>${tagged(RUN)}</think>It can stay.`, []],
  ["a call inside reasoning and nothing else", `<think>${tagged(RUN)}</think>\n`, [], [
    "in_reasoning",
  ]],
  ["a call inside reasoning that is not closed", `<think>Maybe ${tagged(RUN)}`, [], [
    "in_reasoning",
  ]],
  [
    "a call before a closer that nothing opened",
    `Maybe ${tagged(RUN)} no.\n</think>\nIt can stay.`,
    [],
  ],
  ["a call behind reasoning", `<THINK>read it</THINK>${tagged(READ)}`, [READ_CALL]],
  ["reasoning tags inside a body", tagged(`${WRITE}\n<content>\n</think>\n</content>`), [[
    "write_file",
    { filepath: "a.md", content: "</think>" },
  ]]],
  [
    "a cut call before a closer that nothing opened",
    `<tool_call>{"name": "run_cmd", "arg</think>${tagged(READ)}`,
    [READ_CALL],
  ],
  // Samples.
  ["a call in inline code", `Write \`${tagged(RUN)}\` there.`, []],
  ["a call in a block quote", `> ${tagged(RUN).replaceAll("\n", "")}\n\nSo it says.`, []],
  ["a call in a fence for people", `\`\`\`markdown\n${tagged(RUN)}\n\`\`\``, []],
  ["a call behind a backtick of another paragraph", `It\`s time.\n\n${tagged(READ)}`, [READ_CALL]],
  ["a call right behind a backtick that nothing closes", `Write \`${tagged(RUN)}`, [], ["cut"]],
  ["a marker in a sentence", "The <tool_call> tag opens a call and </tool_call> closes it.", []],
  ["a marker at the end of a reply", "Reading.\n<tool_call>", [], ["cut"]],
  ["escaped markup", "&lt;tool_call&gt;{}&lt;/tool_call&gt;", []],
  // Fences.
  ["a fence with a call label", `Now:\n\`\`\`tool_call\n${READ}\n\`\`\`\nI wait.`, [READ_CALL]],
  ["a fence with a call label in a line", `Now: \`\`\`tool_call\n${READ}\n\`\`\``, [READ_CALL]],
  ["a fence with a call label and no call", "```tool_call\nplease read\n```", [], ["unreadable"]],
  ["a json fence at the end", `Now:\n\`\`\`json\n${READ}\n\`\`\`\n`, [READ_CALL]],
  ["two json fences at the end", `\`\`\`json\n${READ}\n\`\`\`\n\n\`\`\`json\n${LIST}\n\`\`\``, [
    READ_CALL,
    LIST_CALL,
  ]],
  ["a json fence before a sentence", `\`\`\`json\n${READ}\n\`\`\`\nThat is how it looks.`, []],
  [
    "a json fence with a tool's name and no arguments",
    '```json\n{"name": "read_file", "version": "1"}\n```',
    [],
  ],
  ["a json fence with an unknown name", '```json\n{"name": "fly", "arguments": {}}\n```', []],
  [
    "a json fence that is cut in a call",
    '```json\n{"name": "write_file", "arguments": {"filepath": "a.md", "content": "x',
    [],
    ["cut"],
  ],
  ["a json fence that is cut in data", '```json\n{"name": "lamp", "text": "x', []],
  [
    "a fence with blocks behind it",
    `\`\`\`json\n${WRITE}\n\`\`\`\n<content>\n# Use\n\`\`\`sh\nls\n\`\`\`\n</content>`,
    [["write_file", { filepath: "a.md", content: "# Use\n```sh\nls\n```" }]],
  ],
  [
    "a fence with blocks inside it",
    `\`\`\`tool_call\n${WRITE}\n<content>\n\`\`\`sh\nls\n\`\`\`\n</content>\n\`\`\``,
    [["write_file", { filepath: "a.md", content: "```sh\nls\n```" }]],
  ],
  [
    "a marker and a call fence: the marker counts",
    `${tagged(READ)}\n\`\`\`tool_call\n${LIST}\n\`\`\``,
    [READ_CALL],
  ],
  // Whole replies.
  ["an object as the whole reply", `\n${READ}\n`, [READ_CALL]],
  ["an object behind a sentence", `Sure.\n${READ}`, []],
  ["an object of data", '{"name": "read_file", "stable": true}', []],
  [
    "an object with a result",
    '{"name": "read_file", "arguments": {"filepath": "a"}, "result": "x"}',
    [],
  ],
  [
    "a tool's definition",
    '{"name": "read_file", "description": "x", "parameters": {"type": "object", "properties": {}}}',
    [],
  ],
  [
    "an object that is cut",
    '{"name": "write_file", "arguments": {"filepath": "a", "content": "x',
    [],
    ["cut"],
  ],
  ["an object that misses a value", '{"name": "read_file", "arguments": {"filepath": }}', [], [
    "unreadable",
  ]],
  ["an object of an unknown tool that is cut", '{"name": "fly", "arguments": {"to": "x', []],
  ["a call as code with a variable", "read_file(filepath=path)", []],
  ["an object whose last brace a token of the template closes", `${READ.slice(0, -1)}<|eom_id|>`, [
    READ_CALL,
  ]],
  ["an object whose last brace nothing closes", READ.slice(0, -1), [], ["cut"]],
  ["a counter behind the name", 'functions.read_file:0{"filepath": "a.ts"}', [READ_CALL]],
  [
    "two objects, the first with bare quotes",
    '<tool_calls>\n{"name": "run_python", "arguments": {"content": "print("a")"}}\n{"name": "list_dir", "arguments": {"dirpath": "."}}\n</tool_calls>',
    [],
    ["unreadable"],
  ],
  ["a few words before a block", tagged(`${WRITE}\nHere it is:\n<content>\nx\n</content>`), [[
    "write_file",
    { filepath: "a.md", content: "x" },
  ]]],
  ["words and a block behind an example", `\`\`\`json\n${READ}\n\`\`\`\nSo:\n<code>x</code>`, []],
  ["words and a block behind an object", `${WRITE}\nHere it is:\n<content>\nx\n</content>`, []],
  [
    "words and a block behind a fence of a call",
    `\`\`\`tool_call\n${READ}\n\`\`\`\nSo:\n<code>x</code>`,
    [READ_CALL],
  ],
  [
    "words and a block behind a marker that nothing closes",
    `<tool_call>\n${READ}\nSo:\n<code>x</code>`,
    [READ_CALL],
  ],
  // Names.
  [
    "a namespace and a counter",
    tagged('{"name": "functions.read_file:0", "arguments": {"filepath": "a.ts"}}'),
    [READ_CALL],
  ],
  [
    "another way to write the name",
    tagged('{"name": "ReadFile", "arguments": {"filepath": "a.ts"}}'),
    [READ_CALL],
  ],
  [
    "a leaked token in the name",
    tagged('{"name": "read_file<|channel|>commentary", "arguments": {"filepath": "a.ts"}}'),
    [READ_CALL],
  ],
  ["a synonym", tagged('{"name": "bash", "arguments": {"command": "ls"}}'), [], ["unknown_tool"]],
  ["no name", tagged('{"arguments": {"filepath": "a.ts"}}'), [], ["unreadable"]],
  // Results, repeats, several calls.
  [
    "a call behind a made-up result",
    `${tagged(READ)}\n<tool_response>\nx\n</tool_response>\n${tagged(RUN)}`,
    [READ_CALL],
  ],
  [
    "a call behind our own result's head",
    `${tagged(READ)}\n[Tool Result for 'read_file']:\nx\n${tagged(RUN)}`,
    [READ_CALL],
  ],
  ["only calls behind a made-up result", `<tool_response>x</tool_response>\n${tagged(RUN)}`, [], [
    "after_result",
  ]],
  ["the same call three times", tagged(READ).repeat(3), [READ_CALL]],
  ["the same call twice", tagged(READ).repeat(2), [READ_CALL, READ_CALL]],
  [
    "a good call and one that was cut",
    `${tagged(READ)}\n<tool_call>{"name": "run_cmd", "arguments": {"command": "rm`,
    [READ_CALL],
    ["cut"],
  ],
  [
    "a call that cannot be read and a good one",
    `${tagged('{"name": "read_file", "arguments": {"filepath": }}')}${tagged(READ)}`,
    [READ_CALL],
    ["unreadable"],
  ],
  // D17.
  [
    "a tool without parameters and empty arguments",
    tagged('{"name": "git_status", "arguments": ""}'),
    [["git_status", {}]],
  ],
  ["a tool without parameters and no arguments", tagged('{"name": "git_status"}'), [[
    "git_status",
    {},
  ]]],
  [
    "values in JSON, which stay what they are",
    tagged('{"name": "write_memory", "arguments": {"id": 7, "content": "[1]"}}'),
    [["write_memory", { id: 7, content: "[1]" }]],
  ],
];

for (const [what, reply, calls, reports = []] of CASES) {
  Deno.test(`readCalls() with ${what}`, () => {
    assert.deepEqual(outcome(reply), { calls, reports });
  });
}

Deno.test("readCalls() repairs or refuses damaged JSON by rule (D13)", () => {
  const comma = tagged('{"name": "read_file", "arguments": {"filepath": "a.ts",}}');
  const quotes = tagged("{'name': 'read_file', 'arguments': {'filepath': 'a.ts'}}");
  const brace = tagged('{"name": "read_file", "arguments": {"filepath": "a.ts"}');
  for (const reply of [comma, quotes, brace]) {
    assert.deepEqual(outcome(reply), { calls: [READ_CALL], reports: [] });
  }
  const open = tagged('{"name": "read_file", "arguments": {"filepath": "a.ts');
  const [report] = readCalls(open, { tools: TOOLS }).reports;
  assert.equal(report?.kind, "unreadable");
  assert.match(report.text, /read_file/);
});

Deno.test("readCalls() runs a call in a tool_code fence (D14)", () => {
  const reply = '```tool_code\nread_file(filepath="a.py", start=3)\n```';
  assert.deepEqual(outcome(reply).calls, [["read_file", { filepath: "a.py", start: 3 }]]);
});

Deno.test("readCalls() writes nothing when the reply was cut in a block (D15)", () => {
  for (const stop of ["end", "length"] as const) {
    const reply = `<tool_call>\n${WRITE}\n<content>\nline one\nline tw`;
    assert.deepEqual(outcome(reply, { stop }), { calls: [], reports: ["cut"] });
  }
});

Deno.test("readCalls() leaves an ordinary JSON fence an answer (D19)", () => {
  const reply = 'Put this in:\n```json\n{"scripts": {"test": "deno test"}}\n```\n';
  const read = readCalls(reply, { tools: TOOLS });
  assert.deepEqual([read.calls, read.reports, read.prose], [[], [], reply]);
});

Deno.test("readCalls() after a length stop runs only what is complete without repair", () => {
  const at = (reply: string) => outcome(reply, { stop: "length" });
  assert.deepEqual(at(tagged(READ)), { calls: [READ_CALL], reports: [] });
  assert.deepEqual(at(`<tool_call>${READ}`), { calls: [READ_CALL], reports: [] });
  assert.deepEqual(at(tagged(`${READ.slice(0, -1)},}`)).reports, ["cut"]);
  assert.deepEqual(at(`${tagged(READ)}<tool_call>{"name": "wr`), {
    calls: [READ_CALL],
    reports: ["cut"],
  });
  // The block may not have begun yet, may not be over, or may be a part of the body.
  assert.deepEqual(at(`<tool_call>${WRITE}`).reports, ["cut"]);
  assert.deepEqual(at(`<tool_call>${WRITE}\n<content>\nx </content>`).reports, ["cut"]);
  // What would be a sample, had the reply gone on.
  assert.deepEqual(at(`\`\`\`json\n${READ}\n\`\`\``).reports, ["cut"]);
  assert.deepEqual(at(`A call, \`like ${tagged(READ)}`).reports, ["cut"]);
});

Deno.test("readCalls() does not take a call whose block was just to begin", () => {
  assert.deepEqual(outcome(`<tool_call>${WRITE}\n<conte`), { calls: [], reports: ["cut"] });
});

Deno.test("readCalls() takes certain calls only, when asked to", () => {
  const certain = (reply: string) => outcome(reply, { isCertainOnly: true });
  assert.deepEqual(certain(tagged(READ)).calls, [READ_CALL]);
  assert.deepEqual(certain(`\`\`\`tool_call\n${READ}\n\`\`\``).calls, [READ_CALL]);
  assert.deepEqual(certain(READ), { calls: [], reports: [] });
  assert.deepEqual(certain(`\`\`\`json\n${READ}\n\`\`\``), { calls: [], reports: [] });
});

Deno.test("readCalls() finds no call where no tools are offered", () => {
  const reply = `So: ${tagged(READ)}\n\`\`\`tool_call\n${READ}\n\`\`\``;
  const read = readCalls(reply, { tools: [] });
  assert.deepEqual([read.outcomes, read.prose], [[], reply]);
});

Deno.test("readCalls() names the parameters that were written as raw text", () => {
  const own = readCalls(tagged(`${WRITE}\n<content>\nx\n</content>`), { tools: TOOLS });
  assert.deepEqual(own.calls[0]?.raw, ["content"]);
  const tags =
    "<function=write_file><parameter=filepath>a</parameter>\n<parameter=content>x</parameter></function>";
  assert.deepEqual(readCalls(tags, { tools: TOOLS }).calls[0]?.raw, ["filepath", "content"]);
  assert.deepEqual(readCalls(tagged(READ), { tools: TOOLS }).calls[0]?.raw, []);
});

Deno.test("readCalls() shows the text before the first call and keeps the rest", () => {
  const reply = `<think>hm</think>\nI read.\n${tagged(READ)}\nThen I go on.<|im_end|>`;
  const read = readCalls(reply, { tools: TOOLS });
  assert.equal(read.prose, "\nI read.\n");
  assert.equal(read.reasoning, "hm");
  assert.equal(read.stored, `I read.\n${tagged(READ)}\nThen I go on.`);
});

Deno.test("readCalls() keeps a call after reasoning that was never closed, but does not run it", () => {
  const read = readCalls(`x <think>a ${tagged(READ)}`, { tools: TOOLS });
  assert.deepEqual(read.calls, []);
  assert.equal(read.stored, `x ${tagged(READ)}`);
  assert.equal(read.reasoning, "a ");
  assert.equal(read.sawCall, true);
});

Deno.test("readCalls() reads a stray closer as noise where reasoning came apart", () => {
  const read = readCalls(`Hello.\n</think>\nMore.`, { tools: TOOLS, hasOwnReasoning: true });
  assert.equal(read.prose, "Hello.\n\nMore.");
});

Deno.test("readCalls() tells the model what is wrong and what would work", () => {
  const text = (reply: string, isLength = false) =>
    readCalls(reply, { tools: TOOLS, ...(isLength ? { stop: "length" } : {}) }).reports[0]?.text ??
      "";
  const cut = text(`<tool_call>${WRITE}\n<content>\nabc`, true);
  assert.match(cut, /the reply reached the output limit inside this call after 82 characters/);
  assert.match(cut, /<content> block/);
  const unreadable = text(tagged('{"name": "read_file", "arguments": {"filepath": }}'));
  assert.match(unreadable, /near ".*filepath/);
  assert.ok(unreadable.endsWith(tagged('{"name": "read_file", "arguments": {"filepath": "…"}}')));
  const unknown = text(tagged('{"name": "files_read", "arguments": {}}'));
  assert.match(unknown, /no tool is named "files_read"/);
  assert.match(text(tagged('{"name": "file_read", "arguments": {}}')), /Similar names: read_file/);
  assert.match(text(`<think>${tagged(READ)}</think>`), /inside reasoning does not count/);
});

Deno.test("readCalls() does not point a native model to the text form", () => {
  const reply = tagged('{"name": "read_file", "arguments": {"filepath": }}');
  const [report] = readCalls(reply, { tools: TOOLS, isNative: true }).reports;
  assert.match(report?.text ?? "", /through the tool interface/);
  assert.doesNotMatch(report?.text ?? "", /<tool_call>/);
});
