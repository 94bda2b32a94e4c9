/** What Chat Completions and the strictest of its compatible servers refuse in a body. */
import { dataUrl, filled, type Json, list, namedTools, object, refuse } from "./shared.ts";
import { draft2020, itemsGiven } from "./schema.ts";
import { roleMessages, string, toolName } from "./shared.ts";

const ID_CHARS_MAX = 40;
const CALLS_MAX = 128;
const TOOLS_MAX = 128;

export function checkOpenAiChat(body: Json): void {
  filled(body.model, "model");
  if (body.stream_options !== undefined && body.stream !== true) {
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  }
  tools(body.tools);
  messages(list(body.messages, "messages"));
}

function tools(value: unknown): void {
  const entries = namedTools(value, (tool, at) => {
    if (tool.type !== "function") {
      refuse(`Invalid value: '${tool.type}'. Supported values are: 'function'.`);
    }
    const where = `${at}.function`;
    const { name, parameters: schema } = object(tool.function, where);
    draft2020(schema, where);
    itemsGiven(schema, where);
    return { name, schema, where };
  });
  if (value !== undefined && entries.length === 0) {
    refuse("Invalid 'tools': empty array. Expected an array with minimum length 1.");
  }
  if (entries.length > TOOLS_MAX) {
    refuse(
      `Invalid 'tools': array too long. Expected an array with maximum length ${TOOLS_MAX}, but got ${entries.length}.`,
    );
  }
}

function messages(entries: unknown[]): void {
  roleMessages(entries, {
    calls: (message, where) =>
      message.role === "assistant" ? assistant(message, where) : said(message, where),
    answers,
    unknownRole: (role) =>
      `Invalid value: '${role}'. Supported values are: system, user, assistant, tool.`,
    orphan: () =>
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    unanswered: (ids) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
  });
  if (!entries.some((entry) => (entry as Json).role === "user")) {
    refuse("No user query found in messages.");
  }
}

function said(message: Json, where: string): [] {
  content(message.content, `${where}.content`, message.role === "user");
  return [];
}

function content(value: unknown, where: string, mayHoldImages: boolean): void {
  if (typeof value === "string") {
    filled(value, where);
    return;
  }
  const parts = list(value, where);
  if (parts.length === 0) refuse(`${where}: empty array`);
  for (const entry of parts) {
    const part = object(entry, where);
    if (part.type === "text") filled(part.text, where);
    else if (part.type === "image_url" && mayHoldImages) {
      dataUrl(object(part.image_url, where).url, where);
    } else refuse(`Invalid value: '${part.type}' in ${where}.`);
  }
}

function assistant(message: Json, where: string): string[] {
  const { tool_calls: calls } = message;
  if (calls === undefined) {
    content(message.content, `${where}.content`, false);
    return [];
  }
  if (message.content !== null && message.content !== undefined) {
    string(message.content, `${where}.content`);
  }
  const entries = list(calls, `${where}.tool_calls`);
  if (entries.length === 0) refuse(`Invalid '${where}.tool_calls': empty array.`);
  if (entries.length > CALLS_MAX) refuse(`Invalid '${where}.tool_calls': array too long.`);
  return entries.map((entry, at) => {
    const call = object(entry, `${where}.tool_calls[${at}]`);
    if (call.type !== "function") refuse(`Invalid value: '${call.type}'.`);
    const called = object(call.function, `${where}.tool_calls[${at}].function`);
    toolName(called.name, `${where}.tool_calls[${at}].function.name`);
    jsonText(called.arguments, `${where}.tool_calls[${at}].function.arguments`);
    const id = filled(call.id, `${where}.tool_calls[${at}].id`);
    if (id.length > ID_CHARS_MAX) {
      refuse(
        `Invalid '${where}.tool_calls[${at}].id': string too long. Expected a string with maximum length ${ID_CHARS_MAX}`,
      );
    }
    return id;
  });
}

function jsonText(value: unknown, where: string): void {
  const text = string(value, where);
  try {
    object(JSON.parse(text), where);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    refuse(`${where}: Failed to parse tool call arguments as JSON`);
  }
}

function answers(message: Json, where: string): string {
  if (typeof message.content !== "string") content(message.content, `${where}.content`, false);
  return string(message.tool_call_id, `${where}.tool_call_id`);
}
