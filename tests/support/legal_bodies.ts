/** One legal body for each wire: a system text, two parallel calls with an error among the results, an image, a question. */
const SCHEMA = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
};
const PIXEL = "iVBORw0KGgo=";

// deno-lint-ignore no-explicit-any -- Tests change single members of these bodies in place.
type Body = any;

/** Made afresh: tests spoil bodies. */
const nestedTools = () => [{
  type: "function",
  function: { name: "read_file", description: "Read.", parameters: SCHEMA },
}];
const beginning = () => [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Read both." },
];

export function anthropicBody(): Body {
  return {
    model: "claude-opus-5",
    max_tokens: 100,
    stream: true,
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "read_file", description: "Read.", input_schema: SCHEMA }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Read both." }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "", signature: "c2ln" },
          { type: "text", text: "Reading." },
          { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a" } },
          { type: "tool_use", id: "toolu_2", name: "read_file", input: { path: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: "text of a" },
          { type: "tool_result", tool_use_id: "toolu_2", content: "no such file", is_error: true },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
          { type: "text", text: "And this?", cache_control: { type: "ephemeral" } },
        ],
      },
    ],
  };
}

export function openAiChatBody(): Body {
  return {
    model: "gpt-4o",
    max_completion_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
    tools: nestedTools(),
    messages: [
      ...beginning(),
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "call_1",
            type: "function",
            function: { name: "read_file", arguments: '{"path":"a"}' },
          },
          { id: "call_2", type: "function", function: { name: "read_file", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "text of a" },
      { role: "tool", tool_call_id: "call_2", content: "[Error] no such file" },
      {
        role: "user",
        content: [
          { type: "text", text: "And this?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ],
  };
}

export function openAiResponsesBody(): Body {
  return {
    model: "gpt-5.6",
    instructions: "Be brief.",
    max_output_tokens: 100,
    stream: true,
    store: false,
    tools: [{
      type: "function",
      name: "read_file",
      description: "Read.",
      parameters: SCHEMA,
      strict: false,
    }],
    input: [
      { role: "user", content: [{ type: "input_text", text: "Read both." }] },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc" },
      { type: "function_call", call_id: "call_1", name: "read_file", arguments: '{"path":"a"}' },
      { type: "function_call", call_id: "call_2", name: "read_file", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "text of a" },
      { type: "function_call_output", call_id: "call_2", output: "[Error] no such file" },
      {
        role: "user",
        content: [
          { type: "input_text", text: "And this?" },
          { type: "input_image", image_url: `data:image/png;base64,${PIXEL}` },
        ],
      },
    ],
  };
}

export function geminiBody(): Body {
  return {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    generationConfig: { maxOutputTokens: 100, thinkingConfig: { thinkingLevel: "LOW" } },
    tools: [{
      functionDeclarations: [{ name: "read_file", description: "Read.", parameters: SCHEMA }],
    }],
    contents: [
      { role: "user", parts: [{ text: "Read both." }] },
      {
        role: "model",
        parts: [
          { text: "", thoughtSignature: "c2ln" },
          {
            functionCall: { id: "1", name: "read_file", args: { path: "a" } },
            thoughtSignature: "c2lnMg==",
          },
          { functionCall: { id: "2", name: "read_file", args: { path: "b" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "1", name: "read_file", response: { output: "text of a" } } },
          { functionResponse: { id: "2", name: "read_file", response: { error: "no such file" } } },
          { inlineData: { mimeType: "image/png", data: PIXEL } },
        ],
      },
    ],
  };
}

export function ollamaBody(): Body {
  return {
    model: "gemma4:e4b",
    stream: true,
    truncate: false,
    shift: false,
    options: { num_ctx: 8192, num_predict: 100 },
    tools: nestedTools(),
    messages: [
      ...beginning(),
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "call_1", function: { index: 0, name: "read_file", arguments: { path: "a" } } },
          { id: "call_2", function: { index: 1, name: "read_file", arguments: {} } },
        ],
      },
      { role: "tool", content: "text of a", tool_name: "read_file", tool_call_id: "call_1" },
      {
        role: "tool",
        content: "[Error] no such file",
        tool_name: "read_file",
        tool_call_id: "call_2",
      },
      { role: "user", content: "And this?", images: [PIXEL] },
    ],
  };
}
