/** The request body of OpenAI's Responses API. */
import * as z from "zod";
import type { Block } from "@/protocol/message.ts";
import type { Request, RequestHints } from "@/protocol/provider.ts";
import { accepted, type BodyParts, capOf, type Sent, turnsFor } from "./body.ts";
import { fittedId } from "./fitted_id.ts";
import { dataUrl } from "./images.ts";
import { jsonBody } from "./json_body.ts";
import type { ToolNames } from "./tool_names.ts";
import type { AssistantTurn, ImagePart, Result, Turn, UserTurn } from "./turns.ts";

export const WIRE = "openai_responses";

const OUTPUT_TOKENS_MIN = 16;
const ID_FORM = { pattern: /^[a-zA-Z0-9_-]+$/, charsMax: 64 };

/** A reasoning item as it came; it goes back in front of what came after it. A server that keeps nothing may give it no id. */
export const privateItem = z.looseObject({
  type: z.literal("reasoning"),
  id: z.string().nullish().transform((id) => id ?? undefined),
  encrypted_content: z.string(),
});

/** What a message was: kept and sent back for the models that say it. */
export const privatePhase = z.object({ phase: z.string() });

/** The body of a request. Nothing is kept at the server: the whole conversation is in it. */
export function responsesBody(parts: BodyParts): Sent {
  const { request, names, facts } = parts;
  const { cacheKey } = request.hints;
  const reasoning = reasoningOf(request);
  const tools = request.tools.map((tool) => ({
    type: "function",
    name: names.shown(tool.name),
    description: tool.description,
    parameters: names.schema(tool),
    // Left out, the server tries to be strict where the schema happens to fit.
    strict: false,
  }));
  return accepted({
    model: request.model,
    ...(request.system.trim() === "" ? {} : { instructions: request.system }),
    input: turnsFor(WIRE, parts).flatMap((turn) => itemsOf(turn, names)),
    ...(tools.length === 0 ? {} : { tools }),
    max_output_tokens: Math.max(OUTPUT_TOKENS_MIN, capOf(parts)),
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    ...(cacheKey === undefined ? {} : { prompt_cache_key: cacheKey }),
    ...(reasoning === undefined ? {} : { reasoning }),
  }, facts);
}

/** There is no word for "off" that every model takes, so none is sent. */
function reasoningOf({ hints, model }: Request): Sent | undefined {
  if (hints.thinking === "off" && hints.effort === undefined) return undefined;
  const effort = hints.effort === undefined ? {} : { effort: effortOf(hints.effort, model) };
  const summary = hints.thinking === "adaptive" ? { summary: "auto" } : {};
  return hints.effort === undefined && hints.thinking === undefined
    ? undefined
    : { ...effort, ...summary };
}

/** The strongest word that a family has (November 2026); an unknown one is taken for a newer one. */
function effortOf(effort: NonNullable<RequestHints["effort"]>, model: string): string {
  if (effort !== "max") return effort;
  if (/gpt-5(?:\.1)?(?:$|-)|\bo[134]\b|gpt-5\.[013]-/.test(model)) return "high";
  return /gpt-5\.[2-5]/.test(model) ? "xhigh" : "max";
}

function itemsOf(turn: Turn, names: ToolNames): Sent[] {
  return turn.role === "user" ? userItems(turn) : assistantItems(turn, names);
}

function userItems({ results, said }: UserTurn): Sent[] {
  const items: Sent[] = results.map(outputItem);
  if (said.length > 0) {
    const content = said.map(({ part }) =>
      part.type === "image" ? imagePart(part) : { type: "input_text", text: part.text }
    );
    items.push({ role: "user", content });
  }
  return items;
}

function outputItem({ call, text, images }: Result): Sent {
  const output = images.length === 0
    ? text
    : [{ type: "input_text", text }, ...images.map(imagePart)];
  return { type: "function_call_output", call_id: fittedId(call.id, ID_FORM), output };
}

function imagePart(image: ImagePart): Sent {
  return { type: "input_image", image_url: dataUrl(image) };
}

/** Items in their order. Reasoning that nothing follows is refused, so it ends with what it led to. */
function assistantItems({ blocks }: AssistantTurn, names: ToolNames): Sent[] {
  const items = blocks.flatMap((block) => assistantItem(block, names));
  while (items.at(-1)?.type === "reasoning") items.pop();
  return items;
}

function assistantItem(block: Block, names: ToolNames): Sent[] {
  switch (block.type) {
    case "text": {
      if (block.text.trim() === "") return [];
      const kept = privatePhase.safeParse(block.private?.data);
      const phase = kept.success ? kept.data : {};
      return [{
        type: "message",
        role: "assistant",
        ...phase,
        content: [{ type: "output_text", text: block.text }],
      }];
    }
    case "thinking": {
      const kept = privateItem.safeParse(block.private?.data);
      return kept.success ? [kept.data] : [];
    }
    case "tool_call":
      return [{
        type: "function_call",
        call_id: fittedId(block.id, ID_FORM),
        name: names.shown(block.name),
        arguments: jsonBody(names.shownInput(block)),
      }];
    default:
      return block satisfies never;
  }
}
