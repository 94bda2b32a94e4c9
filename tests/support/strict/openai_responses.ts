/** What OpenAI's Responses API refuses in a body. */
import { dataUrl, filled, type Json, list, namedTools, object, refuse } from "./shared.ts";
import { draft2020, itemsGiven } from "./schema.ts";
import { string, toolName, unique } from "./shared.ts";

const OUTPUT_TOKENS_MIN = 16;
const ID_CHARS_MAX = 64;

export function checkOpenAiResponses(body: Json): void {
  filled(body.model, "model");
  if (body.max_output_tokens !== undefined && Number(body.max_output_tokens) < OUTPUT_TOKENS_MIN) {
    refuse(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${OUTPUT_TOKENS_MIN}`,
    );
  }
  if (body.instructions !== undefined) filled(body.instructions, "instructions");
  if (body.messages !== undefined) {
    refuse(
      "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'.",
    );
  }
  tools(body.tools);
  input(list(body.input, "input"));
}

function tools(value: unknown): void {
  namedTools(value, ({ type, function: nested, name, parameters: schema }, where) => {
    if (type !== "function") refuse(`Invalid value: '${type}'.`);
    if (nested !== undefined) refuse(`Missing required parameter: '${where}.name'.`);
    draft2020(schema, where);
    itemsGiven(schema, where);
    return { name, schema, where };
  });
}

function input(items: unknown[]): void {
  if (items.length === 0) refuse('One of "input" or "previous_response_id" must be provided.');
  const calls: string[] = [];
  const outputs: string[] = [];
  let needsFollower = "";
  for (const [at, entry] of items.entries()) {
    const item = object(entry, `input[${at}]`);
    const type = item.type === undefined ? "message" : String(item.type);
    if (needsFollower !== "" && type !== "reasoning" && !isOutput(item, type)) {
      follower(needsFollower);
    }
    if (type !== "reasoning") needsFollower = "";
    switch (type) {
      case "message":
        message(item, `input[${at}]`);
        break;
      case "reasoning":
        needsFollower = reasoning(item, `input[${at}]`);
        break;
      case "function_call":
        calls.push(call(item, `input[${at}]`));
        break;
      case "function_call_output":
        outputs.push(output(item, calls, `input[${at}]`));
        break;
      default:
        refuse(
          `Invalid value: '${type}'. Supported values are: 'message', 'reasoning', 'function_call', 'function_call_output'.`,
        );
    }
  }
  if (needsFollower !== "") follower(needsFollower);
  unique(calls, "call_id");
  unique(outputs, "call_id of an output");
  for (const id of calls) {
    if (!outputs.includes(id)) refuse(`No tool output found for function call ${id}.`);
  }
}

function isOutput(item: Json, type: string): boolean {
  return type === "function_call" || (type === "message" && item.role === "assistant");
}

function follower(id: string): never {
  refuse(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
}

function reasoning(item: Json, where: string): string {
  const id = filled(item.id, `${where}.id`);
  list(item.summary, `${where}.summary`);
  filled(item.encrypted_content, `${where}.encrypted_content`);
  return id;
}

function call(item: Json, where: string): string {
  toolName(item.name, `${where}.name`);
  string(item.arguments, `${where}.arguments`);
  if (item.id !== undefined && !/^fc_/.test(String(item.id))) {
    refuse(`Invalid '${where}.id': '${item.id}'. Expected an ID that begins with 'fc'.`);
  }
  const id = filled(item.call_id, `${where}.call_id`);
  if (id.length > ID_CHARS_MAX) refuse(`Invalid '${where}.call_id': string too long.`);
  return id;
}

function output(item: Json, calls: string[], where: string): string {
  const id = string(item.call_id, `${where}.call_id`);
  if (!calls.includes(id)) {
    refuse(`No tool call found for function call output with call_id ${id}.`);
  }
  if (typeof item.output !== "string") {
    list(item.output, `${where}.output`).forEach((part) => inputPart(object(part, where), where));
  }
  return id;
}

function message(item: Json, where: string): void {
  const role = string(item.role, `${where}.role`);
  if (!["user", "assistant", "system", "developer"].includes(role)) {
    refuse(`Invalid value: '${role}'.`);
  }
  if (typeof item.content === "string") {
    filled(item.content, `${where}.content`);
    return;
  }
  const parts = list(item.content, `${where}.content`);
  if (parts.length === 0) refuse(`Invalid '${where}.content': empty array.`);
  for (const entry of parts) {
    const part = object(entry, where);
    if (role !== "assistant") inputPart(part, where);
    else if (part.type === "output_text") filled(part.text, where);
    else if (part.type !== "refusal") {
      refuse(`Invalid value: '${part.type}'. Supported values are: 'output_text' and 'refusal'.`);
    }
  }
}

function inputPart(part: Json, where: string): void {
  if (part.type === "input_text") filled(part.text, where);
  else if (part.type === "input_image") dataUrl(part.image_url, where);
  else refuse(`Invalid value: '${part.type}'. Supported values are: 'input_text', 'input_image'.`);
}
