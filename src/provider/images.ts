/** Images as the hosted APIs take them. */
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
