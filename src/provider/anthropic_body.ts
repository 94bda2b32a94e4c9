/** The request body of Anthropic's Messages API. */
import * as z from "zod";
import type { Block, Message } from "@/protocol/message.ts";
import type { Request } from "@/protocol/provider.ts";
import { type ClaudeFacts, fittingEffort } from "./anthropic_models.ts";
import { type BodyParts, capOf, type Sent, turnsFor } from "./body.ts";
import { fittedId } from "./fitted_id.ts";
import type { ToolNames } from "./tool_names.ts";
import type { ImagePart, Result, Turn, UserTurn } from "./turns.ts";

type SentMessage = { role: "user" | "assistant"; content: Sent[] };

export type AnthropicBody = {
  model: string;
  max_tokens: number;
  system?: Sent[];
  tools?: Sent[];
  messages: SentMessage[];
  stream: true;
  thinking?: Sent;
  output_config?: Sent;
};

/** `wire`: as private data names it. */
export type AnthropicBodyParts = BodyParts & { claude: ClaudeFacts; wire: string };

/** A block of reasoning as it came, to go back without a byte changed. */
export const privateBlock = z.union([
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
]);

const ID_FORM = { pattern: /^[a-zA-Z0-9_-]+$/, charsMax: 64 };

/**
 * A cache entry is found when it is at most 20 blocks before a mark (November 2026). A turn with more calls than that
 * gets a second mark, where the request before it had its last one.
 */
const LOOK_BACK_BLOCKS = 15;

/** A body, what of the hints had to be changed to make it possible, and which message each block stems from. */
export type MadeBody = {
  body: AnthropicBody;
  changes: readonly string[];
  places: readonly (readonly number[])[];
};

/** The body of a request. */
export function anthropicBody(parts: AnthropicBodyParts): MadeBody {
  const { request, names, claude, facts: { refusedFields } } = parts;
  const keepsThinking = request.hints.thinking !== "off";
  const turns = turnsFor(parts.wire, parts);
  const refused = parts.facts.refusedSignatures;
  const messages = turns.map((turn) => messageOf(turn, { names, keepsThinking, refused }));
  const mark = refusedFields.has("cache_control") ? undefined : cacheMark(request);
  const system = request.system.trim() === "" ? [] : [{ type: "text", text: request.system }];
  const tools = request.tools.map((tool) => ({
    name: names.shown(tool.name),
    description: tool.description,
    input_schema: names.schema(tool),
  }));
  if (mark !== undefined) putMarks({ system, tools, messages }, mark);
  const { thinking, effort, changes } = reasoningOf(request, claude);
  return {
    body: {
      model: request.model,
      max_tokens: Math.min(capOf(parts), claude.info.outputTokensMax ?? Infinity),
      ...(system.length === 0 ? {} : { system }),
      ...(tools.length === 0 ? {} : { tools }),
      messages,
      stream: true,
      ...(thinking === undefined || refusedFields.has("thinking") ? {} : { thinking }),
      ...(effort === undefined || refusedFields.has("output_config")
        ? {}
        : { output_config: { effort } }),
    },
    changes,
    places: turns.map((turn) => turn.role === "user" ? placesOf(turn) : []),
  };
}

function cacheMark({ hints }: Request): Sent {
  return hints.cacheTtl === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

type Reasoning = { thinking?: Sent; effort?: string; changes: string[] };

/** Impossible wishes are changed before they are sent, and said. */
function reasoningOf({ hints, model }: Request, facts: ClaudeFacts): Reasoning {
  const changes: string[] = [];
  let thinking: Sent | undefined;
  if (hints.thinking === "adaptive") {
    // Without a display, newer models send no sign of life while they think.
    if (facts.takesAdaptive) thinking = { type: "adaptive", display: "summarized" };
    else changes.push(`${model} takes no adaptive thinking`);
  }
  if (hints.thinking === "off") {
    const isTooMuch = hints.effort === "max" && facts.takesAdaptive;
    if (facts.takesDisabled && !isTooMuch) thinking = { type: "disabled" };
    else if (facts.takesAdaptive) {
      changes.push(`${model} cannot be kept from thinking${isTooMuch ? " at effort max" : ""}`);
    }
  }
  const effort = hints.effort === undefined
    ? undefined
    : fittingEffort(hints.effort, facts.efforts);
  if (hints.effort !== undefined && effort !== hints.effort) {
    changes.push(
      effort === undefined
        ? `${model} takes no effort`
        : `${model} takes effort ${effort}, not ${hints.effort}`,
    );
  }
  return {
    changes,
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
  };
}

type Rendering = { names: ToolNames; keepsThinking: boolean; refused: ReadonlySet<string> };

function messageOf(turn: Turn, rendering: Rendering): SentMessage {
  if (turn.role === "user") return { role: "user", content: userBlocks(turn) };
  const content = turn.blocks.flatMap((block) => assistantBlock(block, rendering));
  return { role: "assistant", content };
}

function assistantBlock(block: Block, { names, keepsThinking, refused }: Rendering): Sent[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking": {
      const kept = keepsThinking ? privateBlock.safeParse(block.private?.data) : undefined;
      return kept?.success === true && !refused.has(proofOf(kept.data)) ? [kept.data] : [];
    }
    case "tool_call":
      return [{
        type: "tool_use",
        id: fittedId(block.id, ID_FORM),
        name: names.shown(block.name),
        input: names.shownInput(block),
      }];
    default:
      return block satisfies never;
  }
}

/** Results first, all of them; then images that a failed result may not hold; then what was said. */
function userBlocks({ results, said }: UserTurn): Sent[] {
  const late = results.flatMap((result) => result.isError ? result.images : []);
  return [
    ...results.map(resultBlock),
    ...late.map(imageBlock),
    ...said.map(({ part }) =>
      part.type === "image" ? imageBlock(part) : { type: "text", text: part.text }
    ),
  ];
}

/** In the order of `userBlocks`. */
function placesOf({ results, said }: UserTurn): number[] {
  const late = results.flatMap(({ isError, images, at }) => isError ? images.map(() => at) : []);
  return [...results.map(({ at }) => at), ...late, ...said.map(({ at }) => at)];
}

function resultBlock({ call, text, isError, images }: Result): Sent {
  const content = isError || images.length === 0
    ? text
    : [{ type: "text", text }, ...images.map(imageBlock)];
  return {
    type: "tool_result",
    tool_use_id: fittedId(call.id, ID_FORM),
    content,
    ...(isError ? { is_error: true } : {}),
  };
}

function imageBlock(image: ImagePart): Sent {
  return {
    type: "image",
    source: { type: "base64", media_type: image.mime, data: image.data.toBase64() },
  };
}

type Marked = { system: Sent[]; tools: Sent[]; messages: SentMessage[] };

/** One mark where the fixed part ends, one where the conversation does, and one between where that is far. */
function putMarks({ system, tools, messages }: Marked, mark: Sent): void {
  putMark(system.at(-1) ?? tools.at(-1), mark);
  putMark(messages.at(-1)?.content.at(-1), mark);
  const newBlocks = messages.slice(-2).reduce((sum, { content }) => sum + content.length, 0);
  if (newBlocks > LOOK_BACK_BLOCKS && messages.length > 2) {
    putMark(messages.at(-3)?.content.at(-1), mark);
  }
}

function putMark(block: Sent | undefined, mark: Sent): void {
  if (block !== undefined) block.cache_control = mark;
}

function proofOf(block: z.infer<typeof privateBlock>): string {
  return block.type === "thinking" ? block.signature : block.data;
}

/** What proves the reasoning that stands in a history. */
export function proofsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((block) => {
      const read = privateBlock.safeParse(block.private?.data);
      return read.success ? [proofOf(read.data)] : [];
    });
  });
}
