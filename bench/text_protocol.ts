/** How fast a reply is read by the text protocol: 200 KB at once and as a stream, and twice as much for the growth. */
import type { ToolDefinition } from "@/protocol/tool.ts";
import { ThinkFilter } from "@/provider/think_filter.ts";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { elapsedMs, interleave, type Row } from "./measure.ts";

const REPLY_CHARS = 200_000;
/** About what a token is. */
const CHUNK_CHARS = 4;
const TOOLS: readonly ToolDefinition[] = [{
  name: "write_file",
  description: "Write a file.",
  schema: {
    type: "object",
    properties: { filepath: { type: "string" }, content: { type: "string" } },
    required: ["filepath", "content"],
  },
  raw: ["content"],
}];
const LINE = `const label = "<b>" + names[i] + '</b>'; // a & b\n`;
const PARAGRAPH = "Some `code` and **words** [1].\n\n- an item\n\n```ts\nconst a = 1;\n```\n\n";
const BROKEN = '<tool_call>{"name": "write_file", "arguments": {"a": "x</tool_call>\n';

/** What is read, by length. */
const REPLIES: Readonly<Record<string, (chars: number) => string>> = {
  "file in a raw block": (chars) =>
    `Ok.\n<tool_call>\n{"name": "write_file", "arguments": {"filepath": "a.ts"}}\n<content>\n${
      filled(LINE, chars)
    }</content>\n</tool_call>`,
  "file in JSON": (chars) =>
    `<tool_call>\n${
      JSON.stringify({
        name: "write_file",
        arguments: { filepath: "a.ts", content: filled(LINE, chars) },
      })
    }\n</tool_call>`,
  "file in JSON, quotes not escaped": (chars) =>
    `<tool_call>{"name": "write_file", "arguments": {"filepath": "a.ts", "content": "${
      filled(LINE, chars)
    }"}}</tool_call>`,
  "answer in Markdown": (chars) => filled(PARAGRAPH, chars),
  "calls that cannot be read": (chars) => filled(BROKEN, chars),
};

/** Reads each reply whole, whole at twice the length, and in pieces through the filter. */
export async function textProtocol(runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, reply] of Object.entries(REPLIES)) {
    const once = reply(REPLY_CHARS);
    const twice = reply(2 * REPLY_CHARS);
    const samples = await interleave({
      once: () => timed(() => readCalls(once, { tools: TOOLS })),
      twice: () => timed(() => readCalls(twice, { tools: TOOLS })),
      streamed: () => timed(() => stream(once)),
    }, runs);
    const isSound = name !== "calls that cannot be read";
    rows.push(
      {
        name,
        unit: "ms",
        values: samples.once ?? [],
        ...(isSound ? { goal: { kind: "median", atMost: 50 } } : {}),
      },
      { name: `${name}, twice as long`, unit: "ms", values: samples.twice ?? [] },
      { name: `${name}, streamed`, unit: "ms", values: samples.streamed ?? [] },
    );
  }
  return rows;
}

function stream(reply: string): void {
  const filter = new ThinkFilter({ tools: TOOLS });
  for (let at = 0; at < reply.length; at += CHUNK_CHARS) {
    filter.push(reply.slice(at, at + CHUNK_CHARS));
  }
  filter.close();
}

function timed(work: () => unknown): Promise<number> {
  return elapsedMs(() => Promise.resolve(work()));
}

function filled(piece: string, chars: number): string {
  return piece.repeat(Math.ceil(chars / piece.length));
}
