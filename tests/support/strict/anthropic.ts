/** What Anthropic's Messages API refuses in a body. */
import { base64, filled, type Json, list, namedTools, object, refuse } from "./shared.ts";
import { anthropicKeys, draft2020 } from "./schema.ts";
import { string, toolName, unique } from "./shared.ts";

const CACHE_MARKS_MAX = 4;
const MEDIA = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export function checkAnthropic(body: Json): void {
  filled(body.model, "model");
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) {
    refuse("max_tokens: Field required");
  }
  if (body.system !== undefined) system(body.system);
  tools(body.tools);
  messages(list(body.messages, "messages"));
  cacheMarks(body);
}

function system(value: unknown): void {
  if (typeof value === "string") return;
  for (const [at, block] of list(value, "system").entries()) {
    filled(object(block, `system.${at}`).text, `system.${at}.text`);
  }
}

function tools(value: unknown): void {
  namedTools(value, ({ name, input_schema: schema }, at) => {
    const where = `${at}.custom`;
    const read = object(schema, `${where}.input_schema`);
    anthropicKeys(read, `${where}.input_schema`);
    draft2020(read, `${where}.input_schema`);
    return { name, schema: read, where };
  });
}

function messages(entries: unknown[]): void {
  if (entries.length === 0) refuse("messages: at least one message is required");
  const ids: string[] = [];
  let open: string[] = [];
  let previous = "assistant";
  let isPaused = false;
  for (const [at, entry] of entries.entries()) {
    const message = object(entry, `messages.${at}`);
    const role = string(message.role, `messages.${at}.role`);
    if (role !== "user" && role !== "assistant") {
      refuse(`messages.${at}.role: Unexpected role "${role}"`);
    }
    if (at === 0 && role !== "user") refuse('messages: first message must use the "user" role');
    if (role === previous) refuse('messages: roles must alternate between "user" and "assistant"');
    previous = role;
    const blocks = blocksOf(message.content, `messages.${at}.content`);
    if (role === "user") answers(blocks, open, `messages.${at}`);
    isPaused = blocks.some(({ type }) => type === "server_tool_use");
    open = role === "assistant" ? assistant(blocks, `messages.${at}`) : [];
    ids.push(...open);
    unique(ids, "messages: `tool_use` ids");
  }
  if (open.length > 0) unanswered(open, `messages.${entries.length - 1}`);
  // A reply that the server has paused is gone on with; no other word of the model's may be put into its mouth.
  if (previous === "assistant" && !isPaused) {
    refuse(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  }
}

function blocksOf(content: unknown, where: string): Json[] {
  if (typeof content === "string") {
    filled(content, where);
    return [{ type: "text", text: content }];
  }
  const blocks = list(content, where).map((block, at) => object(block, `${where}.${at}`));
  if (blocks.length === 0) refuse(`${where}: all messages must have non-empty content`);
  for (const [at, block] of blocks.entries()) {
    if (block.type === "text") filled(block.text, `${where}.${at}.text`);
    if (block.type === "image") image(block, `${where}.${at}`);
  }
  return blocks;
}

function image(block: Json, where: string): void {
  const source = object(block.source, `${where}.source`);
  if (!MEDIA.includes(String(source.media_type))) {
    refuse(`${where}.source.media_type: Input should be ${MEDIA.join(", ")}`);
  }
  base64(source.data, `${where}.source.data`);
}

function assistant(blocks: Json[], where: string): string[] {
  const ids: string[] = [];
  for (const [at, block] of blocks.entries()) {
    const place = `${where}.content.${at}`;
    switch (block.type) {
      case "text":
        break;
      case "thinking":
        string(block.thinking, `${place}.thinking`);
        filled(block.signature, `${place}.thinking.signature`);
        break;
      case "redacted_thinking":
        filled(block.data, `${place}.data`);
        break;
      case "tool_use":
        toolName(block.name, `${place}.tool_use.name`);
        object(block.input, `${place}.tool_use.input`);
        ids.push(toolName(block.id, `${place}.tool_use.id`));
        break;
      case "server_tool_use":
        toolName(block.id, `${place}.server_tool_use.id`);
        object(block.input, `${place}.server_tool_use.input`);
        break;
      case "web_search_tool_result":
        filled(block.tool_use_id, `${place}.tool_use_id`);
        break;
      default:
        refuse(`${place}: Input tag '${block.type}' found does not match any of the expected tags`);
    }
  }
  return ids;
}

function answers(blocks: Json[], open: string[], where: string): void {
  const answered: string[] = [];
  let isOver = false;
  for (const [at, block] of blocks.entries()) {
    const place = `${where}.content.${at}`;
    if (block.type !== "tool_result") {
      if (block.type !== "text" && block.type !== "image") {
        refuse(`${place}: Input tag '${block.type}' is not allowed here`);
      }
      isOver = true;
      continue;
    }
    if (isOver) unanswered(open.filter((id) => !answered.includes(id)), where);
    const id = string(block.tool_use_id, `${place}.tool_use_id`);
    if (!open.includes(id)) {
      refuse(`${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
    }
    if (answered.includes(id)) {
      refuse(
        `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    answered.push(id);
    resultContent(block, place);
  }
  const missing = open.filter((id) => !answered.includes(id));
  if (missing.length > 0) unanswered(missing, where);
}

function resultContent(block: Json, place: string): void {
  if (block.content === undefined || typeof block.content === "string") return;
  for (const inner of blocksOf(block.content, `${place}.content`)) {
    if (block.is_error === true && inner.type !== "text") {
      refuse(`${place}: all content must be type "text" if is_error is true`);
    }
  }
}

function unanswered(ids: string[], where: string): never {
  refuse(
    `${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${
      ids.join(", ")
    }. ` +
      "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  );
}

function cacheMarks(body: Json): void {
  let marks = body.cache_control === undefined ? 0 : 1;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (value === null || typeof value !== "object") return;
    const block = value as Json;
    if ("cache_control" in block && "type" in block && block !== body) {
      marks += 1;
      if (/thinking/.test(String(block.type))) {
        refuse("cache_control cannot be set for thinking blocks");
      }
      if (block.type === "text" && block.text === "") {
        refuse("cache_control cannot be set for empty text blocks");
      }
    } else if ("cache_control" in block && "input_schema" in block) marks += 1;
    Object.entries(block).forEach(([key, inner]) => {
      if (key !== "input" && key !== "input_schema") visit(inner);
    });
  };
  visit(body.system);
  visit(body.tools);
  visit(body.messages);
  if (marks > CACHE_MARKS_MAX) {
    refuse(
      `A maximum of ${CACHE_MARKS_MAX} blocks with cache_control may be provided. Found ${marks}.`,
    );
  }
}
