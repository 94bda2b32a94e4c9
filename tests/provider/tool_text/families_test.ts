/** How the families write a call in tags, and how they break it. The files of vectors hold more of each. */
import assert from "node:assert/strict";
import { LIST, LIST_CALL, outcome, READ, READ_CALL, tagged } from "./tools.ts";

type Case = readonly [what: string, reply: string, calls: readonly unknown[], reports?: string[]];

const write = (content: string, filepath = "a.md") => ["write_file", { filepath, content }];

function functionCall(name: string, parameters: Readonly<Record<string, string>>): string {
  const inside = Object.entries(parameters).map(([key, value]) =>
    `<parameter=${key}>\n${value}\n</parameter>\n`
  );
  return `<function=${name}>\n${inside.join("")}</function>`;
}

function element(name: string, parameters: Readonly<Record<string, string>>, bar = ""): string {
  const inside = Object.entries(parameters).map(([key, value]) =>
    `<${bar}parameter name="${key}">${value}</${bar}parameter>\n`
  );
  return `<${bar}invoke name="${name}">\n${inside.join("")}</${bar}invoke>`;
}

const DSML = "｜DSML｜";

const CASES: Readonly<Record<string, readonly Case[]>> = {
  "JSON in a tag": [
    ["the tag opened twice", `<tool_call>\n<tool_call>\n${READ}\n</tool_call>`, [READ_CALL]],
    ["openers instead of closers", `<tool_call>${READ}<tool_call>${LIST}<tool_call>`, [
      READ_CALL,
      LIST_CALL,
    ]],
    ["the opener missing", `${READ}\n</tool_call>`, [READ_CALL]],
    ["other tags", `<function_call>${READ}</function_call><TOOLCALL>[${LIST}]</TOOLCALL>`, [
      READ_CALL,
      LIST_CALL,
    ]],
    ["an escaped slash", `<tool_call>${READ}<\\/tool_call>`, [READ_CALL]],
    [
      "arguments as a Python text",
      tagged(`{"name": "read_file", "arguments": "{'filepath': 'a.ts'}"}`),
      [READ_CALL],
    ],
    [
      "a function in an envelope with an id",
      tagged(`{"id": "1", "type": "function", "function": ${READ}}`),
      [READ_CALL],
    ],
    ["a list in an envelope", tagged(`{"tool_calls": [${READ}, ${LIST}]}`), [READ_CALL, LIST_CALL]],
    [
      "all quotes as entities, and entities in the text",
      tagged(
        "{&quot;name&quot;: &quot;write_file&quot;, &quot;arguments&quot;: {&quot;filepath&quot;: &quot;a.md&quot;, &quot;content&quot;: &quot;&lt;b&gt; &amp;amp;&quot;}}",
      ),
      [write("<b> &amp;")],
    ],
    [
      "all of it escaped once more",
      tagged(
        String
          .raw`{\"name\": \"write_file\", \"arguments\": {\"filepath\": \"a.md\", \"content\": \"say \\\"x\\\"\\n\"}}`,
      ),
      [write('say "x"\n')],
    ],
    [
      "bare quotes in the last long text",
      tagged(
        '{"name": "write_file", "arguments": {"filepath": "a.md", "content": "<a href="x">\\n"}}',
      ),
      [write('<a href="x">\n')],
    ],
    [
      "bare quotes before another parameter",
      tagged('{"name": "write_file", "arguments": {"content": "say "x"", "filepath": "a.md"}}'),
      [],
      ["unreadable"],
    ],
    ["a list with an unknown tool", tagged(`[${READ}, {"name": "fly", "arguments": {}}]`), [], [
      "unknown_tool",
    ]],
    ["two objects, one of an unknown tool", tagged(`${READ}\n{"name": "fly", "arguments": {}}`), [
      READ_CALL,
    ], ["unknown_tool"]],
    [
      "a definition in tools tags",
      '<tools>[{"type": "function", "function": {"name": "read_file", "description": "x", "parameters": {"type": "object", "properties": {}}}}]</tools>',
      [],
    ],
    ["an ordinary word as tag", 'Put <xml>{"a": 1}</xml> there.', []],
  ],
  "raw blocks": [
    [
      "the closing tag of the block in the text",
      tagged(
        '{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\nuse </content> here\n</content>',
      ),
      [write("use </content> here")],
    ],
    [
      "a whole call in the text",
      tagged(
        `{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\n${
          tagged(READ)
        }\n</content>`,
      ),
      [write(tagged(READ))],
    ],
    [
      "the call's closing tag in the text",
      tagged(
        '{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\nx </tool_call> y\n</content>',
      ),
      [write("x </tool_call> y")],
    ],
    [
      "a blank block, which says nothing",
      tagged('{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\n \n</content>'),
      [["write_file", { filepath: "a.md" }]],
    ],
    [
      "the first block not closed before the second",
      tagged(
        '{"name": "edit_file", "arguments": {"filepath": "a.md"}}\n<old_content>\na\n<new_content>\nb\n</new_content>',
      ),
      [["edit_file", { filepath: "a.md", old_content: "a", new_content: "b" }]],
    ],
    [
      "text behind the last closing tag, which may be the body's",
      tagged(
        '{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\nx </content> y\n',
      ),
      [],
      ["unreadable"],
    ],
    [
      "a brace missing before the block",
      tagged('{"name": "write_file", "arguments": {"filepath": "a.md"}\n<content>\nx\n</content>'),
      [write("x")],
    ],
    [
      "no closing tag of the call, then text",
      '<tool_call>{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\nx\n</content>\nThat is it.',
      [write("x")],
    ],
    [
      "an element of the same name, cut",
      '<tool_call>{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\n<content>a</content>',
      [],
      ["cut"],
    ],
    [
      "a block for a parameter that the tool calls otherwise",
      tagged('{"name": "run_python", "arguments": {}}\n<code>\nx = 1\n</code>'),
      [["run_python", { code: "x = 1" }]],
    ],
  ],
  "function tags": [
    [
      "garbled closing tags",
      "<tool_call><function=read_file><parameter=filepath>\na.ts\n</parameter_function>\n</function></tool_call>",
      [READ_CALL],
    ],
    [
      "a closing tag that is cut",
      "<tool_call>\n<function=read_file>\n<parameter=filepath>\na.ts\n</param\n</function>\n</tool_call>",
      [READ_CALL],
    ],
    [
      "the function not closed, but what is around it",
      "<tool_call>\n<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n</tool_call>",
      [READ_CALL],
    ],
    [
      "the function not closed by anything",
      "<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n",
      [],
      ["cut"],
    ],
    [
      "closing tags in a text",
      tagged(
        functionCall("write_file", {
          filepath: "a.md",
          content: "x\n</function>\n</tool_call>\ny",
        }),
      ),
      [write("x\n</function>\n</tool_call>\ny")],
    ],
    [
      "a whole call in a text",
      tagged(
        functionCall("write_file", {
          filepath: "a.md",
          content: functionCall("run_cmd", { command: "rm" }),
        }),
      ),
      [write(functionCall("run_cmd", { command: "rm" }))],
    ],
    [
      "an opening tag in a text",
      tagged(functionCall("write_file", { filepath: "a.md", content: "<function=run_cmd> opens" })),
      [write("<function=run_cmd> opens")],
    ],
    [
      "a parameter that was given, in a text",
      tagged(
        functionCall("write_file", {
          filepath: "a.md",
          content: "<parameter=filepath>\nb\n</parameter>",
        }),
      ),
      [write("<parameter=filepath>\nb\n</parameter>")],
    ],
    [
      "a parameter that the tool does not have",
      functionCall("read_file", { filepath: "a.ts", mode: "r" }),
      [["read_file", { filepath: "a.ts", mode: "r" }]],
    ],
    [
      "values typed by the schema",
      functionCall("search_in_file", { query: "007", is_regex: "True" }),
      [["search_in_file", { query: "007", is_regex: true }]],
    ],
    ["attributes", '<function name="read_file"><param name="filepath">a.ts</param></function>', [
      READ_CALL,
    ]],
    [
      "marked-up text",
      '<function name="write_file"><param name="filepath">a.md</param><param name="content"><![CDATA[<b>&amp;</b>]]></param></function>',
      [write("<b>&amp;</b>")],
    ],
    ["a bare tag of an unknown tool", functionCall("fly", { to: "x" }), []],
    ["an unknown tool inside the wrapper", tagged(functionCall("fly", { to: "x" })), [], [
      "unknown_tool",
    ]],
    [
      "the tag named in prose behind the call",
      `${functionCall("read_file", { filepath: "a.ts" })}\nIt ends with </function> now.`,
      [READ_CALL],
    ],
    ["a text that is empty", functionCall("write_file", { filepath: "a.md", content: "" }), [
      write(""),
    ]],
  ],
  "invoke tags": [
    [
      "literal closers in a text",
      `<minimax:tool_call>\n${
        element("write_file", { filepath: "a.md", content: "</minimax:tool_call> </parameter> x" })
      }\n</minimax:tool_call>`,
      [write("</minimax:tool_call> </parameter> x")],
    ],
    ["escaped slashes", element("read_file", { filepath: "a.ts" }).replaceAll("</", "<\\/"), [
      READ_CALL,
    ]],
    [
      "the wrapper without the element's closer",
      `<function_calls>${
        element("read_file", { filepath: "a.ts" }).replace("</invoke>", "")
      }</function_calls>`,
      [READ_CALL],
    ],
    [
      "doubled bars and blanks",
      `<｜｜DSML｜｜ calls>\n${
        element("read_file", { filepath: "a.ts" }, "｜｜DSML｜｜ ")
      }\n</｜｜DSML｜｜ calls>`,
      [READ_CALL],
    ],
    [
      "other bars",
      `<‖DSML‖tool_calls>${
        element("read_file", { filepath: "a.ts" }, "‖DSML‖")
      }</‖DSML‖tool_calls>`,
      [READ_CALL],
    ],
    ["DSML without its block", element("read_file", { filepath: "a.ts" }, DSML), [READ_CALL]],
    ["DSML's exact text", element("write_file", { filepath: "a.md", content: "\nx\n" }, DSML), [
      write("\nx\n"),
    ]],
    [
      "all arguments in one parameter",
      element("read_file", { arguments: '{"filepath": "a.ts"}' }, DSML),
      [READ_CALL],
    ],
    [
      "Step's tokens",
      `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>${
        element("read_file", { filepath: "a < b" }, "steptml:")
      }<｜tool_call_end｜><｜tool_calls_end｜>`,
      [["read_file", { filepath: "a < b" }]],
    ],
  ],
  "keys and values": [
    [
      "the first key's tag missing",
      "<tool_call>read_filefilepath</arg_key><arg_value>a.ts</arg_value></tool_call>",
      [READ_CALL],
    ],
    [
      "a call's tag instead of a key's",
      "<tool_call>read_file\n<tool_call>filepath</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>",
      [READ_CALL],
    ],
    [
      "tags in a value",
      "<tool_call>write_file\n<arg_key>filepath</arg_key>\n<arg_value>a.md</arg_value>\n<arg_key>content</arg_key>\n<arg_value>x </arg_value> <arg_key>y</arg_key> </tool_call> z</arg_value>\n</tool_call>",
      [write("x </arg_value> <arg_key>y</arg_key> </tool_call> z")],
    ],
    [
      "no closing tag",
      "<tool_call>read_file\n<arg_key>filepath</arg_key>\n<arg_value>a.ts</arg_value>\n",
      [],
      ["cut"],
    ],
    [
      "a token of the template instead",
      "<tool_call>read_file\n<arg_key>filepath</arg_key>\n<arg_value>a.ts</arg_value>\n<|observation|>",
      [READ_CALL],
    ],
    ["JSON behind the name", `<tool_call>read_file\n{"filepath": "a.ts"}</tool_call>`, [READ_CALL]],
    ["pairs with an equals sign", `<tool_call>read_file filepath="a.ts"</tool_call>`, [READ_CALL]],
    [
      "digits for a text",
      "<tool_call>search_in_file<arg_key>query</arg_key><arg_value>10001</arg_value></tool_call>",
      [["search_in_file", { query: "10001" }]],
    ],
    ["the name of a tool as an answer", "git_status", []],
  ],
};

for (const [family, cases] of Object.entries(CASES)) {
  for (const [what, reply, calls, reports = []] of cases) {
    Deno.test(`readCalls() with ${family}: ${what}`, () => {
      assert.deepEqual(outcome(reply), { calls, reports });
    });
  }
}
