/** Replies for property tests: pieces of every format in any order, and whole replies of the vectors, damaged. */
import { fc } from "../../support/property.ts";
import { READ } from "./tools.ts";

const PIECES: readonly string[] = [
  ..."<>[]{}()`\"'\n |/:,#x ",
  "hello ",
  "\n\n",
  "``",
  "```\n",
  "```json\n",
  "```tool_call\n",
  "```py\n",
  "> ",
  ">>>",
  ">>>read_file\n",
  "<think>",
  "</think>",
  "<thinking>",
  "[THINK]",
  "[/THINK]",
  "<tool_call>",
  "</tool_call>",
  READ,
  '{"a": 1}',
  "functools[",
  "call:read_file{",
  '<|"|>',
  "<tool_call|>",
  "<|channel|>",
  "analysis",
  "commentary to=functions.read_file",
  "final",
  "assistant",
  "<|message|>",
  "<|start|>assistant",
  "<|end|>",
  "<|im_end|>",
  "</s>",
  "<function=read_file>",
  "<function=write_file>",
  "<parameter=filepath>",
  "<parameter=content>",
  "</parameter>",
  "</function>",
  "<arg_key>filepath</arg_key>",
  "<arg_value>",
  "</arg_value>",
  "read_file",
  'read_file(filepath="a")',
  "<content>",
  "</content>",
  "<|tool_call_begin|>",
  "<｜tool▁calls▁begin｜>",
  '<｜DSML｜invoke name="read_file">',
  "[TOOL_CALLS]",
  "[ARGS]",
  "[Tool Result for 'x']:",
  "<tool_response>",
  "<|python_tag|>",
  "<|channel>",
  "<channel|>",
  "thought\n",
  "<table>",
  "<response>",
  "[Calling tool: ",
  "<code>",
  "</code>",
  `\`\`\`json\n${READ}\n\`\`\`\n`,
  "So:\n",
  "\n<content>\n",
  '{"name": "write_file", "arguments": {"filepath": "a", "content": "',
];

/** The replies of the files of vectors. */
export const RECORDED: readonly string[] = ["vectors.json", "tool-call-vectors.json"].flatMap(
  (file) => {
    const url = new URL(`../../testdata/${file}`, import.meta.url);
    const { groups }: VectorFile = JSON.parse(Deno.readTextFileSync(url));
    return groups.flatMap(({ component, vectors }) =>
      component === "protocol.parse" ? vectors.map(({ input }) => input.reply ?? "") : []
    );
  },
);

type VectorFile = {
  groups: { component: string; vectors: { input: { reply?: string } }[] }[];
};

/** Any reply. */
export const replies: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }).map((pieces) => pieces.join("")),
  fc.tuple(fc.constantFrom(...RECORDED), fc.nat(400), fc.constantFrom("", ...PIECES)).map((
    [reply, at, piece],
  ) => reply.slice(0, at) + piece + reply.slice(at)),
  fc.tuple(fc.constantFrom(...RECORDED), fc.nat(400)).map(([reply, at]) => reply.slice(0, at)),
  fc.tuple(fc.constantFrom(...RECORDED), fc.constantFrom(...RECORDED)).map((two) => two.join("\n")),
);
