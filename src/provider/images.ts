/** Images as the hosted APIs take them. */
import type { Message } from "@/protocol/message.ts";
import type { ImagePart } from "./turns.ts";

/** Kinds that each API reads. */
const KINDS: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Whether an image is of a kind that the APIs read. */
export function isKnownImage({ mime, data }: ImagePart): boolean {
  return KINDS.has(mime) && data.length > 0;
}

/** What stands for an image that cannot be sent. */
export function imageNote({ mime, data }: ImagePart): string {
  return `[An image stood here, ${mime}, ${data.length} bytes; the API does not take this kind]`;
}

/** `data:image/png;base64,…`. */
export function dataUrl({ mime, data }: ImagePart): string {
  return `data:${mime};base64,${data.toBase64()}`;
}

/** Whether an image stands in one of the messages. */
export function holdsImage(messages: readonly Message[]): boolean {
  return messages.some((message) => message !== withoutImages(message));
}

/** The message as it is, or without the images that it holds. */
export function withoutImages(message: Message): Message {
  if (message.role === "assistant") return message;
  const parts = message.role === "user" ? message.content : message.result.parts ?? [];
  const kept = parts.filter(({ type }) => type !== "image");
  if (kept.length === parts.length) return message;
  return message.role === "user"
    ? { ...message, content: kept }
    : { ...message, result: { ...message.result, parts: kept } };
}
