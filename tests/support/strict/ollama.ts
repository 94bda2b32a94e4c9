/**
 * What Ollama's `/api/chat` refuses in a body, and what the chat templates of its models fail on: the server itself
 * looks at types only, so a history it accepts can still be one that a model cannot be shown.
 */
import {
  base64,
  filled,
  type Json,
  list,
  object,
  refuse,
  rootSchema,
  string,
  toolName,
  unique,
} from "./shared.ts";

const ROLES = ["system", "user", "assistant", "tool"];

export function checkOllama(body: Json): void {
  if (string(body.model, "model") === "") refuse("model is required");
  if (body.options !== undefined) options(object(body.options, "options"));
  const think = body.think;
  if (
    think !== undefined && typeof think !== "boolean" &&
    !["low", "medium", "high", "max"].includes(String(think))
  ) {
    refuse(
      `invalid think value: ${
        JSON.stringify(think)
      } (must be "high", "medium", "low", "max", true, or false)`,
    );
  }
  tools(body.tools);
  messages(list(body.messages, "messages"));
}

function options(values: Json): void {
  for (const name of ["num_ctx", "num_predict"]) {
    const value = values[name];
    if (value !== undefined && !Number.isInteger(value)) {
      refuse(`option "${name}" must be of type integer`);
    }
  }
}

function tools(value: unknown): void {
  if (value === undefined) return;
  const names = list(value, "tools").map((entry, at) => {
    const called = object(object(entry, `tools.${at}`).function, `tools.${at}.function`);
    rootSchema(called.parameters, `tools.${at}.function.parameters`);
    return toolName(called.name, `tools.${at}.function.name`);
  });
  unique(names, "Tool names");
}

function messages(entries: unknown[]): void {
  if (entries.length === 0) refuse("messages: at least one message is required");
  const ids: string[] = [];
  let open: string[] = [];
  let previous = "";
  for (const [at, entry] of entries.entries()) {
    const where = `messages.${at}`;
    const message = object(entry, where);
    const role = string(message.role, `${where}.role`);
    if (!ROLES.includes(role)) refuse(`invalid role: ${role}`);
    for (const image of list(message.images ?? [], `${where}.images`)) {
      base64(image, `${where}.images`);
    }
    if (message.images !== undefined && !["user", "tool"].includes(role)) {
      refuse(`${where}: images are not allowed for role ${role}`);
    }
    if (role === "tool") {
      open = answered(message, open, where);
      previous = role;
      continue;
    }
    if (open.length > 0) unanswered(open);
    if (role === previous) {
      refuse("Conversation roles must alternate user/assistant/user/assistant/...");
    }
    if (role === "system" && at > 0) refuse("System message must be at the beginning");
    previous = role;
    const calls = calledIds(message, where);
    const mayBeEmpty = calls.length > 0 || message.images !== undefined;
    if (!mayBeEmpty) filled(message.content, `${where}.content`);
    else string(message.content, `${where}.content`);
    open = calls;
    ids.push(...calls);
  }
  if (open.length > 0) unanswered(open);
  unique(ids, "tool call ids");
}

function calledIds(message: Json, where: string): string[] {
  if (message.tool_calls === undefined) return [];
  if (message.role !== "assistant") {
    refuse(`${where}: tool_calls are not allowed for role ${message.role}`);
  }
  return list(message.tool_calls, `${where}.tool_calls`).map((entry, at) => {
    const call = object(entry, `${where}.tool_calls.${at}`);
    const called = object(call.function, `${where}.tool_calls.${at}.function`);
    toolName(called.name, `${where}.tool_calls.${at}.function.name`);
    if (typeof called.arguments === "string") {
      refuse(
        "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments",
      );
    }
    object(called.arguments, `${where}.tool_calls.${at}.function.arguments`);
    return filled(call.id, `${where}.tool_calls.${at}.id`);
  });
}

function answered(message: Json, open: string[], where: string): string[] {
  const id = string(message.tool_call_id, `${where}.tool_call_id`);
  if (!open.includes(id)) {
    refuse(`${where}: a tool message must follow the call that it answers: ${id}`);
  }
  string(message.content, `${where}.content`);
  toolName(message.tool_name, `${where}.tool_name`);
  return open.filter((other) => other !== id);
}

function unanswered(ids: string[]): never {
  refuse(`Expected tool messages for the calls ${ids.join(", ")}`);
}
