/** The request body of Gemini's generateContent. */
import * as z from "zod";
import type { Block, Message, ToolCallBlock } from "@/protocol/message.ts";
import type { Request } from "@/protocol/provider.ts";
import { type BodyParts, capOf, type Sent, turnsFor } from "./body.ts";
import { geminiSchema } from "./gemini_schema.ts";
import { takesNothing } from "@/lib/portable_schema.ts";
import type { ToolNames } from "./tool_names.ts";
import type { AssistantTurn, ImagePart, Result, Turn, UserTurn } from "./turns.ts";

export const WIRE = "gemini";

/** Documented stand-in for the signature of a call that this model did not make. */
const FOREIGN_SIGNATURE = "skip_thought_signature_validator";

/**
 * What belongs to a part and goes back with it, byte for byte. `id` is the call's own id, where the API gave one;
 * `text` is what the signed part itself said: the block may hold unsigned text from before it.
 */
export const privatePart = z.object({
  thoughtSignature: z.string().optional(),
  text: z.string().optional(),
  id: z.string().optional(),
});

type Content = { role: "user" | "model"; parts: Sent[] };

/** The body of a request. */
export function geminiBody(body: BodyParts): Sent {
  const { request, names, facts: { refusedFields } } = body;
  const isSigning = signs(request.model);
  const refused = body.facts.refusedSignatures;
  const contents = turnsFor(WIRE, body).flatMap((turn) =>
    contentsOf(turn, { names, isSigning, refused })
  );
  const thinkingConfig = refusedFields.has("generationConfig") ? undefined : thinkingOf(request);
  const declarations = request.tools.map((tool) => declared(tool, names));
  return {
    ...(request.system.trim() === ""
      ? {}
      : { systemInstruction: { parts: [{ text: request.system }] } }),
    contents,
    ...(declarations.length === 0 ? {} : { tools: [{ functionDeclarations: declarations }] }),
    generationConfig: {
      maxOutputTokens: capOf(body),
      ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
    },
  };
}

/** Whether a model checks the signatures of its calls: Gemini 3 and later. A name that is not known is taken for one. */
export function signs(model: string): boolean {
  return !/gemini-(?:1|2)[.-]|gemma/.test(model);
}

function declared(tool: Request["tools"][number], names: ToolNames): Sent {
  const parameters = names.schema(tool);
  // An object without properties was a 400 on older models.
  const shape = takesNothing(parameters) ? {} : { parametersJsonSchema: geminiSchema(parameters) };
  return { name: names.shown(tool.name), description: tool.description, ...shape };
}

/**
 * Gemini 2.5 takes a budget, later ones a level; none of the later ones can be switched off. Thoughts are asked for
 * when thinking is, so that a long thought is not a long silence.
 */
function thinkingOf({ hints, model }: Request): Sent | undefined {
  const { thinking, effort } = hints;
  if (/gemini-2\.5/.test(model)) {
    if (thinking === "off") return { thinkingBudget: /pro/.test(model) ? 128 : 0 };
    return thinking === "adaptive" ? { thinkingBudget: -1, includeThoughts: true } : undefined;
  }
  if (/gemini-[12]\b|gemini-2\.0/.test(model)) return undefined;
  const level = effort === undefined
    ? undefined
    : { low: "LOW", medium: "MEDIUM", high: "HIGH", max: "HIGH" }[effort];
  if (thinking === "off") return { thinkingLevel: "LOW" };
  if (level === undefined && thinking === undefined) return undefined;
  return {
    ...(level === undefined ? {} : { thinkingLevel: level }),
    ...(thinking === "adaptive" ? { includeThoughts: true } : {}),
  };
}

type Rendering = { names: ToolNames; isSigning: boolean; refused: ReadonlySet<string> };

function contentsOf(turn: Turn, rendering: Rendering): Content[] {
  if (turn.role === "user") return [{ role: "user", parts: userParts(turn, rendering) }];
  const parts = modelParts(turn, rendering);
  return [{ role: "model", parts }];
}

function userParts({ results, said }: UserTurn, rendering: Rendering): Sent[] {
  const late = rendering.isSigning ? [] : results.flatMap(({ images }) => images);
  return [
    ...results.map((result) => responsePart(result, rendering)),
    ...late.map(imagePart),
    ...said.map(({ part }) => part.type === "image" ? imagePart(part) : { text: part.text }),
  ];
}

/** The newer models take images inside of a response; for the others they stand behind all responses. */
function responsePart(
  { call, text, isError, images }: Result,
  { names, isSigning }: Rendering,
): Sent {
  const { id } = privateOf(call);
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name: names.shown(call.name),
      response: isError ? { error: text } : { output: text },
      ...(isSigning && images.length > 0 ? { parts: images.map(imagePart) } : {}),
    },
  };
}

function imagePart(image: ImagePart): Sent {
  return { inlineData: { mimeType: image.mime, data: image.data.toBase64() } };
}

/** Parts in their order. Of calls that this model did not make, the first of a step carries the stand-in. */
function modelParts({ blocks }: AssistantTurn, rendering: Rendering): Sent[] {
  const parts: Sent[] = [];
  let isFirstCall = true;
  for (const block of blocks) {
    if (block.type === "tool_call") {
      parts.push(callPart(block, { ...rendering, isFirst: isFirstCall }));
      isFirstCall = false;
    } else if (block.type === "text") {
      parts.push(...textParts(block, rendering));
    }
  }
  return parts;
}

/** A signature goes back with the very text that it came with, also with none. */
function textParts(
  block: Extract<Block, { type: "text" }>,
  { refused }: Rendering,
): Sent[] {
  const { thoughtSignature, text: signed = block.text } = privateOf(block);
  if (thoughtSignature === undefined || refused.has(thoughtSignature)) {
    return block.text.trim() === "" ? [] : [{ text: block.text }];
  }
  const before = block.text.endsWith(signed)
    ? block.text.slice(0, block.text.length - signed.length)
    : "";
  return [...(before.trim() === "" ? [] : [{ text: before }]), { text: signed, thoughtSignature }];
}

function callPart(
  block: ToolCallBlock,
  { names, isSigning, refused, isFirst }: Rendering & { isFirst: boolean },
): Sent {
  const { id, thoughtSignature: own } = privateOf(block);
  const kept = own === undefined || refused.has(own) ? undefined : own;
  const signature = kept ?? (isSigning && isFirst ? FOREIGN_SIGNATURE : undefined);
  return {
    functionCall: {
      ...(id === undefined ? {} : { id }),
      name: names.shown(block.name),
      args: names.shownInput(block),
    },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

function privateOf({ private: kept }: Block): z.infer<typeof privatePart> {
  const read = privatePart.safeParse(kept?.data);
  return read.success ? read.data : {};
}

/** The signatures that stand in a history. */
export function signaturesIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((block) => privateOf(block).thoughtSignature ?? []);
  });
}
