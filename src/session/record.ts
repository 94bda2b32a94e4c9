/**
 * One line of a session file, as it is written; decode.ts reads it. On disk an image's bytes are base64 text; everything
 * else stands as it is in memory.
 */
import type { Message, Part } from "@/protocol/message.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { formatLine } from "@/lib/jsonl.ts";

/** A record as one line. */
export function encodeRecord({ v, at, event }: SessionRecord): string {
  if (event.type !== "message") return formatLine({ v, at, event });
  return formatLine({ v, at, event: { ...event, message: withEncodedImages(event.message) } });
}

function withEncodedImages(message: Message): unknown {
  switch (message.role) {
    case "user":
      return { ...message, content: message.content.map(encodePart) };
    case "assistant":
      return message;
    case "tool": {
      const { result } = message;
      if (result.parts === undefined) return message;
      return { ...message, result: { ...result, parts: result.parts.map(encodePart) } };
    }
    default:
      return message satisfies never;
  }
}

function encodePart(part: Part): unknown {
  return part.type === "image" ? { ...part, data: part.data.toBase64() } : part;
}
