/** What has to hold for any reply, however it is damaged: nothing throws, nothing is invented, nothing cut runs. */
import assert from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { FAMILIES } from "@/provider/tool_text/families/mod.ts";
import { KnownTools } from "@/provider/tool_text/known_tools.ts";
import { printCall } from "@/provider/tool_text/print_call.ts";
import { readCalls, readerOf } from "@/provider/tool_text/read_calls.ts";
import { scan } from "@/provider/tool_text/scan.ts";
import { RECORDED, replies } from "./fragments.ts";
import { READ, tagged, TOOLS } from "./tools.ts";

const NAMES = TOOLS.map(({ name }) => name);
const RUNS = { numRuns: 3_000 };

Deno.test("readCalls() never throws and never calls what is no tool", () => {
  fc.assert(
    fc.property(replies, fc.constantFrom("end", "length"), (reply, stop) => {
      const read = readCalls(reply, { tools: TOOLS, stop });
      for (const { name } of read.calls) assert.ok(NAMES.includes(name), name);
    }),
    RUNS,
  );
});

Deno.test("readCalls() takes nesting of any depth", () => {
  const depth = 50_000;
  const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const replies = [
    "<think>".repeat(depth),
    "<tool_call>".repeat(depth),
    `[${"read_file(".repeat(depth)}`,
    `<tool_call>{"name": "read_file", "arguments": {"filepath": ${deep}}}</tool_call>`,
    `<tool_call>${"{".repeat(depth)}`,
    `<|python_start|>[read_file(filepath=${deep})]<|python_end|>`,
    `\`\`\`tool_code\n${"print(".repeat(depth)}`,
    `${'{"tool_call": '.repeat(depth)}`,
  ];
  for (const reply of replies) {
    assert.deepEqual(readCalls(reply, { tools: TOOLS }).calls, [], reply.slice(0, 80));
  }
});

Deno.test("scan() puts every character of a reply into exactly one piece", () => {
  fc.assert(
    fc.property(replies, (reply) => {
      let at = 0;
      for (
        const { start, end } of scan(readerOf(reply, KnownTools.of(TOOLS), { isFinal: true }))
      ) {
        assert.equal(start, at);
        at = end;
      }
      assert.equal(at, reply.length);
    }),
    RUNS,
  );
});

Deno.test("readCalls() invents no text: what a call says stands in the reply", () => {
  fc.assert(
    fc.property(replies, (reply) => {
      const written = bare(reply);
      for (const { input } of readCalls(reply, { tools: TOOLS }).calls) {
        for (const text of texts(input)) {
          assert.ok(written.includes(bare(text)), `${JSON.stringify(text)} out of ${reply}`);
        }
      }
    }),
    RUNS,
  );
});

Deno.test("readCalls() runs of a reply that was cut only what the whole one would have run", () => {
  for (const reply of RECORDED) {
    // A closer of reasoning that nothing opened takes back what was before it: without it nobody can know.
    if (/<\/think>|\[\/THINK\]|END_THINKING|<channel\|>/i.test(reply)) continue;
    const whole = keys(reply, "end");
    for (let end = 1; end < reply.length; end += 1) {
      for (const key of keys(reply.slice(0, end), "length")) {
        assert.ok(whole.includes(key), `${key} out of ${JSON.stringify(reply.slice(0, end))}`);
      }
    }
  }
});

Deno.test("printCall() writes what readCalls() reads back as the same call, whatever the body", () => {
  const hostile = fc.constantFrom(
    "</content>",
    "\n</content>\n</tool_call>\n",
    tagged(READ),
    "<content>",
    "<tool_call>",
    "</tool_call>",
    "<think>",
    "</think>",
    "[Tool Result for 'x']:",
    "```tool_call\n",
    "<|im_end|>",
    "\r\n",
    "\r",
    "\n",
    " ",
    '"',
    "\\",
    "\u2028",
    "<b>",
    "&amp;",
    "{",
    "x = 1",
    "</s>",
    "<tool_response>",
  );
  const body = fc.array(fc.oneof(hostile, fc.string({ unit: "grapheme" })), { maxLength: 8 })
    .map((pieces) => pieces.join(""));
  const calls = fc.oneof(
    body.map((content) => ({ name: "write_file", input: { filepath: "a.md", content } })),
    fc.tuple(body, body).map(([old_content, new_content]) => ({
      name: "edit_file",
      input: { filepath: "a", old_content, new_content },
    })),
    body.map((command) => ({ name: "run_cmd", input: { command } })),
    fc.tuple(fc.integer(), fc.integer()).map(([start, end]) => ({
      name: "read_file",
      input: { filepath: "a", start, end },
    })),
    fc.array(body, { maxLength: 3 }).map((paths) => ({ name: "claim_files", input: { paths } })),
  );
  const raw = new Map(TOOLS.map((tool) => [tool.name, tool.raw ?? []]));
  fc.assert(
    fc.property(calls, body, (call, after) => {
      const printed = printCall(call, raw.get(call.name) ?? []);
      const [first] = readCalls(`${printed}\n`, { tools: TOOLS }).calls;
      assert.deepEqual([first?.name, first?.input], [call.name, call.input]);
      // Text behind a call does not change it.
      const plain = after.replace(/[<>[\]`~]/g, "");
      const [same] = readCalls(`${printed}\n${plain}`, { tools: TOOLS }).calls;
      assert.deepEqual(same?.input, call.input);
    }),
    RUNS,
  );
});

Deno.test("readCalls() walks over a reply a bounded number of times, however it is damaged", () => {
  const hostile = [
    '<tool_call>{"a": "x\n',
    '<tool_call>{"a\\"</tool_call>',
    "<tool_call>{“a</tool_call>",
    "<tool_call>{'a</tool_call>\n",
    "<tool_call>",
    "<function=read_file>\n<parameter=filepath>\na\n",
    "<tool_call><function=read_file>\n<parameter=filepath>\na\n</tool_call>\n",
    '[TOOL_CALLS]read_file{"filepath": "a"',
    '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"filepath": "a"',
    '<|tool_call>call:read_file{filepath:<|"|>a',
    "<|python_start|>[read_file(filepath='a\n",
    '<tool_call>{"name": "edit_file", "arguments": {"filepath": "a"}}<old_content>x</tool_call>',
    "<tool_call>read_file\n<arg_key>filepath</arg_key>\n<arg_value>x</arg_value>\n",
    '```json\n{"a": "\n```\n',
    '<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{"a": ',
  ];
  for (const piece of hostile) {
    const steps = [20_000, 40_000].map((length) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const reader = readerOf(text, KnownTools.of(TOOLS), { isFinal: true });
      scan(reader);
      return reader.source.steps / text.length;
    });
    // Steps for each character: a bound, and no growth with the length.
    const [short = 0, long = 0] = steps;
    assert.ok(long < 80 && long < 2 * short + 4, `${JSON.stringify(piece)}: ${short} ${long}`);
  }
});

Deno.test("FAMILIES lists every file of a family", () => {
  const folder = new URL("../../../src/provider/tool_text/families/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].filter(({ name }) => name !== "mod.ts");
  assert.equal(FAMILIES.length, files.length);
  assert.equal(new Set(FAMILIES.map(({ name }) => name)).size, FAMILIES.length);
});

function keys(reply: string, stop: "end" | "length"): string[] {
  return readCalls(reply, { tools: TOOLS, stop }).calls.map((call) =>
    JSON.stringify([call.name, call.input])
  );
}

function* texts(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) { for (const item of value) yield* texts(item); }
  else if (value !== null && typeof value === "object") yield* texts(Object.values(value));
}

/** A text without what escapes and line breaks are made of, so that both spellings of one compare equal. */
function bare(text: string): string {
  return text.replace(/&(?:quot|amp|lt|gt|#39);/g, "").replace(/\\u[0-9a-f]{4}/gi, "").replace(
    /\\[nrtbfav0]/g,
    "",
  ).replace(/[\\\s"'<>&\u0000-\u001f]/g, "");
}
