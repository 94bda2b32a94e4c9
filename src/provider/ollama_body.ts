/** The request body of Ollama's `/api/chat`. */
import type { Request } from "@/protocol/provider.ts";
import { type BodyParts, capOf, turnsFor } from "./body.ts";
import type { ModelInfo } from "./model_source.ts";
import type { ToolNames } from "./tool_names.ts";
import type { AssistantTurn, ImagePart, Turn, UserTurn } from "./turns.ts";
import { imagesOf, joinedText } from "./turns.ts";

export const WIRE = "ollama";

export type OllamaMessage = {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  thinking?: string;
  images?: readonly string[];
  tool_calls?: readonly unknown[];
  tool_name?: string;
  tool_call_id?: string;
};

export type OllamaBody = {
  model: string;
  messages: readonly OllamaMessage[];
  tools?: readonly unknown[];
  stream: true;
  think?: boolean | string;
  truncate: false;
  shift: false;
  options: { num_ctx?: number; num_predict: number };
};

export type OllamaBodyParts = BodyParts & {
  info: ModelInfo;
  /** The window to ask for; absent leaves the choice to the server. */
  numCtx?: number;
};

/**
 * The body of a request. `truncate` and `shift` are both off, always: the server would otherwise drop the oldest
 * messages, or the middle of the prompt, without a word.
 */
export function ollamaBody(parts: OllamaBodyParts): OllamaBody {
  const { request, names, info, numCtx, facts: { refusedFields } } = parts;
  const think = refusedFields.has("think") ? undefined : thinkOf(request, info);
  return {
    model: request.model,
    messages: [
      ...systemMessage(request.system),
      ...turnsFor(WIRE, parts, { thoughtBy: `${WIRE}/${request.model}` }).flatMap((turn) =>
        messagesOf(turn, names)
      ),
    ],
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool) => toolOf(tool, names)) }),
    stream: true,
    ...(think === undefined ? {} : { think }),
    truncate: false,
    shift: false,
    options: {
      ...(numCtx === undefined ? {} : { num_ctx: numCtx }),
      num_predict: capOf(parts),
    },
  };
}

/** `true` and levels are refused for a model that cannot think; `false` never is, but gpt-oss knows only levels. */
function thinkOf({ hints, model }: Request, info: ModelInfo): boolean | string | undefined {
  if (hints.thinking === "off") return /gpt-?oss/i.test(model) ? "low" : false;
  if (info.thinks !== true) return undefined;
  return hints.effort ?? (hints.thinking === "adaptive" ? true : undefined);
}

function systemMessage(system: string): OllamaMessage[] {
  return system.trim() === "" ? [] : [{ role: "system", content: system }];
}

function messagesOf(turn: Turn, names: ToolNames): OllamaMessage[] {
  if (turn.role === "user") return userMessages(turn, names);
  return [{ ...assistantMessage(turn, names), ...thoughtOf(turn) }];
}

/** Its own thinking, where the person has it kept. */
function thoughtOf({ blocks }: AssistantTurn): { thinking?: string } {
  const thinking = blocks.flatMap((block) => block.type === "thinking" ? [block.text] : []).join(
    "",
  );
  return thinking === "" ? {} : { thinking };
}

function userMessages({ results, said }: UserTurn, names: ToolNames): OllamaMessage[] {
  const messages: OllamaMessage[] = results.map((result) => ({
    role: "tool",
    content: result.text,
    ...withImages(result.images),
    tool_name: names.shown(result.call.name),
    tool_call_id: result.call.id,
  }));
  if (said.length > 0) {
    messages.push({ role: "user", content: joinedText(said), ...withImages(imagesOf(said)) });
  }
  return messages;
}

function assistantMessage({ blocks }: AssistantTurn, names: ToolNames): OllamaMessage {
  const calls = blocks.filter((block) => block.type === "tool_call");
  const content = blocks.flatMap((block) => block.type === "text" ? [block.text] : []).join("");
  if (calls.length === 0) return { role: "assistant", content };
  const toolCalls = calls.map((call, index) => ({
    id: call.id,
    function: { index, name: names.shown(call.name), arguments: names.shownInput(call) },
  }));
  return { role: "assistant", content, tool_calls: toolCalls };
}

function withImages(images: readonly ImagePart[]): Pick<OllamaMessage, "images"> {
  return images.length === 0 ? {} : { images: images.map(({ data }) => data.toBase64()) };
}

function toolOf(tool: Request["tools"][number], names: ToolNames): unknown {
  const { name, description } = tool;
  const shown = { name: names.shown(name), description, parameters: names.schema(tool) };
  return { type: "function", function: shown };
}
