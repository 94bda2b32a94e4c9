import assert from "node:assert/strict";
import { fc } from "../support/property.ts";
import {
  type Closed,
  type FilterOptions,
  type Shown,
  ThinkFilter,
} from "@/provider/think_filter.ts";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { replies } from "./tool_text/fragments.ts";
import { READ, tagged, TOOLS } from "./tool_text/tools.ts";

const REASONING_CLOSER = /<\\?\/think|\[\/THINK|channel\|>|END_THINKING|\/seed:think/i;

/** What a person saw in the end, and after each piece. */
function watch(
  chunks: readonly string[],
  options: Partial<FilterOptions> = {},
): { text: string; thinking: string; steps: string[]; closed: Closed } {
  const filter = new ThinkFilter({ tools: TOOLS, ...options });
  let text = "";
  let thinking = "";
  const add = (shown: Shown) => {
    if (shown.isDiscarded) text = thinking = "";
    text += shown.text;
    thinking += shown.thinking;
    return shown.text;
  };
  const steps = chunks.map((chunk) => add(filter.push(chunk)));
  const closed = filter.close();
  steps.push(add(closed));
  return { text, thinking, steps, closed };
}

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

const SIZES = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 });

Deno.test("ThinkFilter shows of any chunking what the reader of whole replies calls the text", () => {
  fc.assert(
    fc.property(replies, SIZES, fc.boolean(), (reply, sizes, isCertainOnly) => {
      const { text, closed } = watch(cut(reply, sizes), { isCertainOnly });
      const whole = readCalls(reply, { tools: TOOLS, isCertainOnly });
      assert.equal(text, whole.prose);
      assert.deepEqual(closed.reply, whole);
      // Only a closer that nothing opened can take back what was shown.
      if (!REASONING_CLOSER.test(reply)) assert.equal(closed.isDiscarded, false);
    }),
    { numRuns: 4_000 },
  );
});

Deno.test("ThinkFilter shows nothing of a call, in pieces of any size", () => {
  for (let size = 1; size <= 8; size += 1) {
    const { text, closed } = watch(cut(`Reading now.${tagged(READ)}Then more.`, [size]));
    assert.equal(text, "Reading now.");
    assert.equal(closed.reply.calls.length, 1);
  }
});

Deno.test("ThinkFilter releases text as soon as it can be no marker", () => {
  assert.deepEqual(watch(["a <", " b"]).steps, ["a ", "< b", ""]);
  assert.deepEqual(watch(["see <too", "ling> ", "[TO", "DO] x"]).steps, [
    "see ",
    "<tooling> ",
    "",
    "[TODO] x",
    "",
  ]);
  assert.deepEqual(watch(["done <tool"]).steps, ["done ", "<tool"]);
  assert.deepEqual(watch(["func", "tion g"]).steps, ["", "function g", ""]);
});

Deno.test("ThinkFilter streams reasoning apart from text", () => {
  const { text, thinking, steps } = watch(["<thi", "nk>a < ", "b</th", "ink>So."]);
  assert.deepEqual([text, thinking], ["So.", "a < b"]);
  assert.deepEqual(steps, ["", "", "", "So.", ""]);
  assert.equal(watch(["<THINK>x</THINK>y<thinking>z</thinking>"]).text, "y");
  assert.equal(watch(["<|channel>", "thought\nx", "<channel|>y"]).thinking, "x");
});

Deno.test("ThinkFilter hides harmony's headers and analysis, cut anywhere", () => {
  const reply =
    "<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>";
  const { text, thinking } = watch([...reply]);
  assert.deepEqual([text, thinking], ["Done.", "plan"]);
});

Deno.test("ThinkFilter takes back what was shown before a closer that nothing opened", () => {
  const { text, thinking, closed } = watch(["I should", " look.</think>", "\nHello."]);
  assert.equal(text, "\nHello.");
  assert.equal(thinking, "I should look.");
  assert.equal(closed.reply.stored, "Hello.");
});

Deno.test("ThinkFilter shows what follows a closer that nothing opened without waiting for the end", () => {
  const filter = new ThinkFilter({ tools: TOOLS });
  filter.push("Hm, yes.");
  assert.deepEqual(filter.push("</think>Hello"), {
    text: "Hello",
    thinking: "Hm, yes.",
    isDiscarded: true,
  });
  assert.equal(filter.push(" there").text, " there");
});

Deno.test("ThinkFilter leaves such a closer out where reasoning comes apart", () => {
  const filter = new ThinkFilter({ tools: TOOLS });
  filter.expectNoReasoning();
  assert.deepEqual(filter.push("Hello</think> there"), {
    text: "Hello there",
    thinking: "",
    isDiscarded: false,
  });
  assert.equal(filter.close().isDiscarded, false);
});

Deno.test("ThinkFilter keeps literal tags in code", () => {
  const reply = "Write `<think>` or:\n```xml\n<tool_call>\n<think>x</think>\n```\nand it works.";
  assert.equal(watch([...reply]).text, reply);
});

Deno.test("ThinkFilter shows a sample line by line and a possible call only when text follows it", () => {
  const sample = watch(["```py\n", "a = 1\n", "b = 2\n", "```\n"]);
  assert.deepEqual(sample.steps, ["```py\n", "a = 1\n", "b = 2\n", "```\n", ""]);
  const data = watch(["So:\n```json\n", `${READ}\n`, "```\n", "That is it."]);
  assert.deepEqual(data.steps, ["So:\n", "", "", `\`\`\`json\n${READ}\n\`\`\`\nThat is it.`, ""]);
  const call = watch(["So:\n```json\n", `${READ}\n`, "```\n", "\n"]);
  assert.equal(call.text, "So:\n");
  assert.equal(call.closed.reply.calls.length, 1);
});

Deno.test("ThinkFilter shows an example, the words behind it and the code below them", () => {
  const reply = "A read request looks like this:\n```json\n" + READ + "\n```\n" +
    "Replace the path.\n<code>read_file(filepath='src/lamp.ts')</code>";
  const { text, closed } = watch([...reply]);
  assert.equal(text, reply);
  assert.deepEqual([closed.isDiscarded, closed.reply.calls], [false, []]);
});

Deno.test("ThinkFilter shows nothing of a call behind a comment, however long the comment is", () => {
  const fenced = '```tool_code\n# look first\nlist_dir(dirpath="web")\n```';
  for (const reply of [`[TOOL_CALLS]${fenced}`, '<response>#>>>\nread_file(filepath="a")']) {
    const { steps, closed } = watch([...reply]);
    assert.equal(steps.join(""), "");
    assert.deepEqual([closed.isDiscarded, closed.reply.calls.length], [false, 1]);
  }
});

Deno.test("ThinkFilter drops the blanks before a header without its first token, only at the start", () => {
  for (const lead of ["", " ", "\n\n"]) {
    assert.equal(watch([...`${lead}final<|message|>Done.`]).text, "Done.");
  }
  const later = watch([..."<think>x</think>final<|message|>Done."]);
  assert.deepEqual([later.text, later.closed.isDiscarded], ["final<|message|>Done.", false]);
});

Deno.test("ThinkFilter shows a reply that is data in the end, and one that is a call never", () => {
  assert.deepEqual(watch(['{"name": "la', 'mp"}']).steps, ["", "", '{"name": "lamp"}']);
  assert.deepEqual(watch([READ.slice(0, 20), READ.slice(20)]).steps, ["", "", ""]);
  assert.deepEqual(watch(["[1", ", 2]"]).steps, ["[1", ", 2]", ""]);
});

Deno.test("ThinkFilter runs no call quoted inside reasoning (D16)", () => {
  const { text, closed } = watch(cut(`<think>maybe ${tagged(READ)} no</think>I will not.`, [5]));
  assert.equal(text, "I will not.");
  assert.deepEqual([closed.reply.calls, closed.reply.reports], [[], []]);
});

Deno.test("ThinkFilter says while it holds text back", () => {
  const filter = new ThinkFilter({ tools: TOOLS });
  filter.push("Hello ");
  assert.equal(filter.isHolding, false);
  filter.push("<tool");
  assert.equal(filter.isHolding, true);
  filter.push("ing> ");
  assert.equal(filter.isHolding, false);
});
