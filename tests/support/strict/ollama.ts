/**
 * What Ollama's `/api/chat` refuses in a body, and what the chat templates of its models fail on: the server itself
 * looks at types only, so a history it accepts can still be one that a model cannot be shown.
 */
import { base64, filled, type Json, list, namedTools, object, refuse } from "./shared.ts";
import { goProperty } from "./schema.ts";
import { roleMessages, string, toolName } from "./shared.ts";

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
  namedTools(value, (tool, at) => {
    const where = `${at}.function`;
    const { name, parameters } = object(tool.function, where);
    goProperty(parameters, `${where}.parameters`);
    return { name, schema: object(parameters, where), where };
  });
}

function messages(entries: unknown[]): void {
  roleMessages(entries, {
    calls: said,
    answers,
    unknownRole: (role) => `invalid role: ${role}`,
    orphan: (id, where) => `${where}: a tool message must follow the call that it answers: ${id}`,
    unanswered: (ids) => `Expected tool messages for the calls ${ids.join(", ")}`,
  });
}

function said(message: Json, where: string): string[] {
  images(message, where);
  const calls = calledIds(message, where);
  const mayBeEmpty = calls.length > 0 || message.images !== undefined;
  if (!mayBeEmpty) filled(message.content, `${where}.content`);
  else string(message.content, `${where}.content`);
  return calls;
}

function images({ images, role }: Json, where: string): void {
  for (const image of list(images ?? [], `${where}.images`)) base64(image, `${where}.images`);
  if (images !== undefined && !["user", "tool"].includes(String(role))) {
    refuse(`${where}: images are not allowed for role ${role}`);
  }
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

function answers(message: Json, where: string): string {
  images(message, where);
  string(message.content, `${where}.content`);
  toolName(message.tool_name, `${where}.tool_name`);
  return string(message.tool_call_id, `${where}.tool_call_id`);
}
