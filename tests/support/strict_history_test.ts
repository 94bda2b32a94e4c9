import { deepStrictEqual as equal, match } from "node:assert/strict";
import {
  anthropicBody,
  geminiBody,
  ollamaBody,
  openAiChatBody,
  openAiResponsesBody,
} from "./legal_bodies.ts";
import { refusalOf, type StrictOptions, type WireName } from "./strict_history.ts";

// deno-lint-ignore no-explicit-any -- Single members of a body are changed in place.
type Body = any;
type Illegal = [name: string, damage: (body: Body) => void, text: RegExp];

const FIVE_MARKS = (body: Body) => {
  for (const block of body.messages[1].content.slice(1)) {
    block.cache_control = { type: "ephemeral" };
  }
};

const anthropic: Illegal[] = [
  [
    "an unanswered call",
    (b) => b.messages[2].content.splice(1, 1),
    /`tool_use` ids were found without .*toolu_2/,
  ],
  [
    "no answer at all",
    (b) => b.messages.splice(2, 1, { role: "user", content: "Go on." }),
    /without `tool_result`/,
  ],
  [
    "an orphaned result",
    (b) => b.messages[2].content[0].tool_use_id = "toolu_9",
    /unexpected `tool_use_id` .*toolu_9/,
  ],
  [
    "two results for one call",
    (b) => b.messages[2].content[1].tool_use_id = "toolu_1",
    /single result.*toolu_1/,
  ],
  ["duplicate ids in a turn", (b) => b.messages[1].content[3].id = "toolu_1", /unique: toolu_1/],
  ["an id used before", (b) => {
    b.messages.push(
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "x", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }] },
    );
  }, /unique: toolu_1/],
  [
    "text before the results",
    (b) => b.messages[2].content.unshift({ type: "text", text: "x" }),
    /without `tool_result`/,
  ],
  ["empty text", (b) => b.messages[1].content[1].text = " \n", /must be non-empty/],
  ["an assistant first", (b) => b.messages.shift(), /first message must use the "user" role/],
  [
    "a role twice",
    (b) => b.messages.splice(1, 0, { role: "user", content: "x" }),
    /roles must alternate/,
  ],
  ["a bad tool name", (b) => b.tools[0].name = "mcp.server.tool", /should match pattern/],
  ["a bad id", (b) => b.messages[1].content[2].id = "call|1", /should match pattern/],
  ["five cache marks", FIVE_MARKS, /maximum of 4 blocks.*Found 5/],
  [
    "a mark on thinking",
    (b) => b.messages[1].content[0].cache_control = { type: "ephemeral" },
    /thinking blocks/,
  ],
  ["thinking without signature", (b) => delete b.messages[1].content[0].signature, /signature/],
  [
    "arguments as text",
    (b) => b.messages[1].content[2].input = '{"path":"a"}',
    /should be an object/,
  ],
  [
    "a combinator at the root of a schema",
    (b) => b.tools[0].input_schema = { type: "object", anyOf: [{}] },
    /anyOf at the top level/,
  ],
  [
    "an image in an error result",
    (b) =>
      b.messages[2].content[1].content = [{
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "AAAA" },
      }],
    /must be type "text"/,
  ],
  [
    "an image type unknown",
    (b) => b.messages[2].content[2].source.media_type = "image/bmp",
    /media_type/,
  ],
  ["an assistant last", (b) => b.messages.push({ role: "assistant", content: "So" }), /prefill/],
  ["half a character", (b) => b.messages[0].content[0].text = "a\ud800", /surrogate/],
  ["no cap", (b) => delete b.max_tokens, /max_tokens/],
];

const chat: Illegal[] = [
  ["an unanswered call", (b) => b.messages.splice(4, 1), /did not have response messages: call_2/],
  ["an orphaned result", (b) => b.messages[3].tool_call_id = "call_9", /must be a response to/],
  ["a result without calls", (b) => b.messages.splice(2, 1), /must be a response to/],
  ["duplicate ids", (b) => b.messages[2].tool_calls[1].id = "call_1", /must be|unique/],
  [
    "text between call and result",
    (b) => b.messages.splice(3, 0, { role: "user", content: "x" }),
    /must be followed by tool messages/,
  ],
  ["empty text", (b) => b.messages[1].content = "", /non-empty/],
  [
    "an assistant that says nothing",
    (b) => b.messages.push({ role: "assistant", content: null }),
    /content/,
  ],
  ["an empty list of calls", (b) => b.messages[2].tool_calls = [], /empty array/],
  [
    "a role twice",
    (b) => b.messages.splice(2, 0, { role: "user", content: "x" }),
    /must alternate/,
  ],
  [
    "a system text in the middle",
    (b) => b.messages.push({ role: "system", content: "x" }),
    /at the beginning/,
  ],
  ["a role unknown", (b) => b.messages[1].role = "human", /Invalid value: 'human'/],
  ["a bad tool name", (b) => b.tools[0].function.name = "read file", /should match pattern/],
  ["an id too long", (b) => b.messages[2].tool_calls[0].id = "x".repeat(41), /maximum length 40/],
  [
    "arguments as an object",
    (b) => b.messages[2].tool_calls[0].function.arguments = {},
    /valid string/,
  ],
  [
    "arguments that are no JSON",
    (b) => b.messages[2].tool_calls[0].function.arguments = "",
    /as JSON/,
  ],
  [
    "an image in a result",
    (b) =>
      b.messages[3].content = [{
        type: "image_url",
        image_url: { url: "data:image/png;base64,AAAA" },
      }],
    /Invalid value: 'image_url'/,
  ],
  [
    "an image by bare base64",
    (b) => b.messages[5].content[1].image_url.url = "AAAA",
    /Invalid image URL/,
  ],
  [
    "a schema that is no object",
    (b) => b.tools[0].function.parameters = { type: "array", items: {} },
    /type 'object'/,
  ],
  ["no tools in the list", (b) => b.tools = [], /empty array/],
  [
    "too many tools",
    (b) =>
      b.tools = Array.from(
        { length: 129 },
        (_, at) => ({
          type: "function",
          function: { name: `t${at}`, parameters: { type: "object" } },
        }),
      ),
    /maximum length 128/,
  ],
];

const responses: Illegal[] = [
  [
    "an unanswered call",
    (b) => b.input.splice(5, 1),
    /No tool output found for function call call_2/,
  ],
  ["an orphaned output", (b) => b.input[4].call_id = "call_9", /No tool call found .*call_9/],
  [
    "an output before its call",
    (b) => b.input.splice(2, 0, b.input.splice(4, 1)[0]),
    /No tool call found|required following item/,
  ],
  ["duplicate ids", (b) => b.input[3].call_id = "call_1", /unique|No tool call/],
  ["two outputs", (b) => b.input[5].call_id = "call_1", /must be unique: call_1/],
  ["reasoning without what followed", (b) => b.input.splice(2, 4), /required following item/],
  [
    "reasoning without its content",
    (b) => delete b.input[1].encrypted_content,
    /encrypted_content/,
  ],
  ["empty text", (b) => b.input[0].content[0].text = "", /non-empty/],
  ["a role unknown", (b) => b.input[0].role = "model", /Invalid value: 'model'/],
  ["an input part said by the assistant", (b) => b.input[0].role = "assistant", /output_text/],
  ["a bad tool name", (b) => b.tools[0].name = "a.b", /should match pattern/],
  [
    "a nested tool",
    (b) => b.tools[0] = { type: "function", function: b.tools[0] },
    /Missing required parameter/,
  ],
  ["arguments as an object", (b) => b.input[2].arguments = {}, /valid string/],
  ["an item id of another kind", (b) => b.input[2].id = "call_1", /begins with 'fc'/],
  ["a cap below 16", (b) => b.max_output_tokens = 15, />= 16/],
  ["messages", (b) => b.messages = [], /moved to 'input'/],
];

const gemini: Illegal[] = [
  [
    "an unanswered call",
    (b) => b.contents[2].parts.splice(1, 1),
    /number of function response parts/,
  ],
  [
    "no answer at all",
    (b) => b.contents[2].parts = [{ text: "Go on." }],
    /number of function response parts/,
  ],
  [
    "responses in another order",
    (b) => b.contents[2].parts.reverse(),
    /number of function response parts/,
  ],
  [
    "an orphaned response",
    (b) => b.contents[1].parts = [{ text: "x" }],
    /immediately after a function call turn/,
  ],
  [
    "a response that is no object",
    (b) => b.contents[2].parts[0].functionResponse.response = "x",
    /should be an object/,
  ],
  [
    "a role twice",
    (b) => b.contents.splice(1, 0, { role: "user", parts: [{ text: "x" }] }),
    /alternate/,
  ],
  ["a model first", (b) => b.contents.shift(), /alternate/],
  ["a role unknown", (b) => b.contents[1].role = "assistant", /valid role/],
  ["no parts", (b) => b.contents[0].parts = [], /must not be empty/],
  [
    "an empty text without signature",
    (b) => delete b.contents[1].parts[0].thoughtSignature,
    /one initialized field/,
  ],
  ["a part with two kinds", (b) => b.contents[0].parts[0].inlineData = {}, /one initialized field/],
  [
    "a bad tool name",
    (b) => b.tools[0].functionDeclarations[0].name = "1st",
    /should match pattern/,
  ],
  [
    "a word that the schema lacks",
    (b) =>
      b.tools[0].functionDeclarations[0].parameters = {
        type: "object",
        properties: { a: { type: "object", additionalProperties: false } },
      },
    /Unknown name "additionalProperties"/,
  ],
  [
    "numbers in an enum",
    (b) =>
      b.tools[0].functionDeclarations[0].parameters = {
        type: "object",
        properties: { a: { enum: [1] } },
      },
    /TYPE_STRING/,
  ],
  [
    "no properties",
    (b) => b.tools[0].functionDeclarations[0].parameters = { type: "object", properties: {} },
    /should be non-empty/,
  ],
  ["a word that the JSON Schema form lacks", (b) => {
    const [tool] = b.tools[0].functionDeclarations;
    tool.parametersJsonSchema = { type: "object", properties: { a: { pattern: "x" } } };
    delete tool.parameters;
  }, /unsupported keyword "pattern"/],
  [
    "both schemas",
    (b) => b.tools[0].functionDeclarations[0].parametersJsonSchema = {},
    /mutually exclusive/,
  ],
  ["level and budget", (b) => b.generationConfig.thinkingConfig.thinkingBudget = 0, /only one of/],
  [
    "a call without signature",
    (b) => delete b.contents[1].parts[1].thoughtSignature,
    /missing a thought_signature.*read_file/,
  ],
];

const ollama: Illegal[] = [
  [
    "an unanswered call",
    (b) => b.messages.splice(4, 1),
    /Expected tool messages for the calls call_2/,
  ],
  ["an orphaned result", (b) => b.messages[3].tool_call_id = "call_9", /must follow the call/],
  ["duplicate ids", (b) => b.messages[2].tool_calls[1].id = "call_1", /follow the call|unique/],
  ["empty text", (b) => b.messages[1].content = "", /non-empty/],
  ["a role unknown", (b) => b.messages[1].role = "human", /invalid role: human/],
  ["a role twice", (b) => b.messages.splice(2, 0, { role: "user", content: "x" }), /alternate/],
  [
    "a system text in the middle",
    (b) => b.messages.push({ role: "system", content: "x" }),
    /beginning/,
  ],
  ["a bad tool name", (b) => b.tools[0].function.name = "a.b", /should match pattern/],
  [
    "arguments as text",
    (b) => b.messages[2].tool_calls[0].function.arguments = "{}",
    /cannot unmarshal string/,
  ],
  [
    "an image with its data prefix",
    (b) => b.messages[5].images = ["data:image/png;base64,AAAA"],
    /illegal base64/,
  ],
  ["an image said by the model", (b) => b.messages[2].images = ["AAAA"], /images are not allowed/],
  ["an impossible think", (b) => b.think = "xhigh", /invalid think value/],
  ["a fraction of a token", (b) => b.options.num_predict = 0.5, /must be of type integer/],
  ["a result without its tool", (b) => delete b.messages[3].tool_name, /tool_name/],
];

function bedrockBody(): Body {
  const { model: _, stream: __, ...body } = anthropicBody();
  return { anthropic_version: "bedrock-2023-05-31", ...body };
}

const bedrock: Illegal[] = [
  ["a body without its version", (b) => delete b.anthropic_version, /anthropic_version/],
  ["a model in the body", (b) => b.model = "claude", /model: Extra inputs/],
  ["a result without its call", (b) => b.messages.shift(), /./],
];

const wires: [WireName, () => Body, Illegal[], StrictOptions][] = [
  ["anthropic", anthropicBody, anthropic, {}],
  ["bedrock", bedrockBody, bedrock, {}],
  ["openai_chat", openAiChatBody, chat, {}],
  ["openai_responses", openAiResponsesBody, responses, {}],
  ["gemini", geminiBody, gemini, { needsSignatures: true }],
  ["ollama", ollamaBody, ollama, {}],
];

for (const [wire, legal, illegal, options] of wires) {
  Deno.test(`refusalOf() takes a legal body of ${wire}`, () => {
    equal(refusalOf(wire, legal(), options), undefined);
  });
  for (const [name, damage, text] of illegal) {
    Deno.test(`refusalOf() refuses ${name} for ${wire}`, () => {
      const body = legal();
      damage(body);
      match(refusalOf(wire, JSON.parse(JSON.stringify(body)), options) ?? "it was taken", text);
    });
  }
}
