/** The request body of Chat Completions, for OpenAI and every server that speaks it. */
import * as z from "zod";
import { accepted, type BodyParts, capOf, type Sent, turnsFor } from "./body.ts";
import { fittedId } from "./fitted_id.ts";
import { dataUrl } from "./images.ts";
import { jsonBody } from "./json_body.ts";
import type { Quirks } from "./quirks.ts";
import type { ToolNames } from "./tool_names.ts";
import type { AssistantTurn, ImagePart, Turn, UserTurn } from "./turns.ts";
import { imagesOf, joinedText } from "./turns.ts";

export const WIRE = "openai_chat";

/** OpenAI's own limit on one request. */
export const TOOLS_MAX = 128;

/** Reasoning as it came, to go back with the message. */
export const privateReasoning = z.object({
  reasoning_content: z.string().optional(),
  reasoning_details: z.array(z.record(z.string(), z.unknown())).optional(),
  chunks: z.array(z.record(z.string(), z.unknown())).optional(),
});

export type PrivateReasoning = z.infer<typeof privateReasoning>;

export type ChatBodyParts = BodyParts & { quirks: Quirks };

/** The body of a request; members stand in one order, so that a prefix stays a prefix. */
export function chatBody(parts: ChatBodyParts): Sent {
  const { request, quirks, names, facts } = parts;
  const { capField = quirks.capField } = facts;
  const { cacheKey } = request.hints;
  const tools = request.tools.slice(0, TOOLS_MAX).map((tool) => ({
    type: "function",
    function: {
      name: names.shown(tool.name),
      description: tool.description,
      parameters: names.schema(tool),
    },
  }));
  return accepted({
    model: request.model,
    messages: [
      ...systemMessage(request.system),
      ...turnsFor(WIRE, parts).flatMap((turn) => messagesOf(turn, { quirks, names })),
    ],
    ...(tools.length === 0 ? {} : { tools }),
    [capField]: capOf(parts),
    stream: true,
    stream_options: { include_usage: true },
    ...(quirks.takesCacheKey && cacheKey !== undefined ? { prompt_cache_key: cacheKey } : {}),
    ...quirks.thinking(request.hints),
  }, facts);
}

function systemMessage(system: string): Sent[] {
  return system.trim() === "" ? [] : [{ role: "system", content: system }];
}

type Rendering = { quirks: Quirks; names: ToolNames };

function messagesOf(turn: Turn, rendering: Rendering): Sent[] {
  return turn.role === "user"
    ? userMessages(turn, rendering.quirks)
    : [assistantMessage(turn, rendering)];
}

/** Results first. Images of results have no place in a tool message: they stand in front of what was said. */
function userMessages({ results, said }: UserTurn, { ids, bridge }: Quirks): Sent[] {
  const messages: Sent[] = results.map(({ call, text }) => ({
    role: "tool",
    tool_call_id: fittedId(call.id, ids),
    content: text,
  }));
  const images = [...results.flatMap((result) => result.images), ...imagesOf(said)];
  const text = joinedText(said);
  if (images.length === 0 && text === "") return messages;
  if (results.length > 0 && bridge !== undefined) {
    messages.push({ role: "assistant", content: bridge });
  }
  messages.push({ role: "user", content: userContent(text, images) });
  return messages;
}

function userContent(text: string, images: readonly ImagePart[]): unknown {
  if (images.length === 0) return text;
  const words = text === "" ? [] : [{ type: "text", text }];
  return [...images.map(imagePart), ...words];
}

function imagePart(image: ImagePart): Sent {
  return { type: "image_url", image_url: { url: dataUrl(image) } };
}

function assistantMessage(turn: AssistantTurn, { quirks, names }: Rendering): Sent {
  const text = turn.blocks.flatMap((block) => block.type === "text" ? [block.text] : []).join("");
  const calls = turn.blocks.flatMap((block) =>
    block.type === "tool_call"
      ? [{
        id: fittedId(block.id, quirks.ids),
        type: "function",
        function: { name: names.shown(block.name), arguments: jsonBody(names.shownInput(block)) },
      }]
      : []
  );
  const kept = reasoningOf(turn);
  const chunks = quirks.reasoningBack === "chunks" ? kept.chunks ?? [] : [];
  return {
    role: "assistant",
    content: contentOf(text, chunks),
    ...reasoningFields(quirks, kept),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function contentOf(text: string, chunks: readonly Sent[]): unknown {
  if (chunks.length === 0) return text === "" ? null : text;
  return [...chunks, ...(text === "" ? [] : [{ type: "text", text }])];
}

function reasoningFields({ reasoningBack }: Quirks, kept: PrivateReasoning): Sent {
  switch (reasoningBack) {
    case "content":
      return { reasoning_content: kept.reasoning_content ?? "" };
    case "content_if_any":
      return kept.reasoning_content === undefined
        ? {}
        : { reasoning_content: kept.reasoning_content };
    case "details":
      return kept.reasoning_details === undefined
        ? {}
        : { reasoning_details: kept.reasoning_details };
    case "no":
    case "chunks":
      return {};
    default:
      return reasoningBack satisfies never;
  }
}

function reasoningOf(turn: AssistantTurn): PrivateReasoning {
  const kept: PrivateReasoning = {};
  for (const { data } of turn.private) {
    const read = privateReasoning.safeParse(data);
    if (read.success) Object.assign(kept, read.data);
  }
  return kept;
}
