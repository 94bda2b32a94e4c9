/** Images as servers take them: unpacked, and shrunk where they are too large, in a worker that is ended afterwards. */
import type { ImageMime } from "@/lib/image_kind.ts";
import { askOnce } from "./one_shot.ts";

/** `width` and `height` are those wanted; with `fits`, the image is only unpacked to see that it is one. */
export type ImageRequest = {
  bytes: Uint8Array<ArrayBuffer>;
  mime: ImageMime;
  width: number;
  height: number;
  fits: boolean;
  bytesMax: number;
};

export type ImageAnswer =
  | { type: "whole" }
  | {
    type: "made";
    bytes: Uint8Array<ArrayBuffer>;
    mime: "image/png" | "image/jpeg";
    width: number;
    height: number;
  }
  | { type: "refused"; cause: string };

/** A busy machine needs seconds for a photograph. */
const TIMEOUT_MS = 60_000;

/** Shrink one image. Rejects with the signal's reason when it is aborted, and when the worker gives no answer. */
export async function fitImage(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer> {
  return await askOnce<ImageRequest, ImageAnswer>({
    file: "image_worker",
    name: "image",
    question: request,
    timeoutMs: TIMEOUT_MS,
    failing: "an image was not unpacked",
  }, signal);
}
