/** Markers that belong to no family's calls: reasoning, ends of messages, results, tokens that are only noise. */

/** Opener of reasoning → its closers, in canonical spelling. */
export const REASONING: Readonly<Record<string, readonly string[]>> = {
  "think": ["/think", "/thinking"],
  "thinking": ["/think", "/thinking"],
  "seed:think": ["/seed:think"],
  "[think]": ["[/think]"],
  "|start_thinking|": ["|end_thinking|"],
  "|channel": ["channel|"],
};

/** Closers of reasoning. One without an opener makes everything before it reasoning. */
export const REASONING_CLOSERS: readonly string[] = [...new Set(Object.values(REASONING).flat())];

/** Tokens at which a server should have stopped. They close a payload, and are dropped at the end of a reply. */
export const END_TOKENS: readonly string[] = [
  "|im_end|",
  "|endoftext|",
  "|end_of_text|",
  "|eot_id|",
  "|eom_id|",
  "end_of_turn",
  "|end_of_turn_token|",
  "|end_of_sentence|",
  "|end_response|",
  "|end_text|",
  "|return|",
  "|call|",
  "|end|",
  "|user|",
  "|observation|",
  "/s",
  "eos",
];

/** From here on the model made up what a tool answers. */
export const RESULT_MARKERS: readonly string[] = [
  "tool_response",
  "|tool_response",
  "|tool_response|",
  "tool_result",
  "tool_results",
  "function_result",
  "function_results",
  "|tool_outputs_begin|",
  "|tool_output_begin|",
  "|start_tool_result|",
  "[tool_results]",
];

/** The start of our own results as the model sees them. */
export const OWN_RESULT = "[Tool Result for";

/** Labels of fences that hold a made-up result. */
export const RESULT_FENCES: readonly string[] = ["tool_output", "tool_response", "tool_result"];

/** Labels of fences that hold calls wherever they stand. */
export const CALL_FENCES: readonly string[] = [
  "tool_call",
  "tool_code",
  "tool_use",
  "toolcall",
  "function_call",
  "functioncall",
];

/** Labels of fences that hold calls only at the end of a reply. */
export const MAYBE_FENCES: readonly string[] = ["", "json", "xml"];

/** Tokens of chat templates that say nothing. */
export const NOISE: readonly string[] = [
  "|start_response|",
  "|start_text|",
  "|begin_of_text|",
  "|im_start|",
  "|start_header_id|",
  "|end_header_id|",
];

/** Tokens of harmony, the format of gpt-oss. */
export const HARMONY: readonly string[] = ["|start|", "|channel|", "|message|", "|constrain|"];
