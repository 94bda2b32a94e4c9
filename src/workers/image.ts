/** Images as servers take them: unpacked, and shrunk where they are too large, in a worker that is ended afterwards. */
import type { ImageMime } from "@/lib/image_kind.ts";

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
  signal.throwIfAborted();
  // Beside this file, in the source as in a bundle.
  const file = import.meta.url.endsWith(".ts") ? "image_worker.ts" : "image_worker.js";
  const worker = new Worker(new URL(file, import.meta.url), {
    type: "module",
    name: "image",
    deno: { permissions: "none" },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ImageAnswer>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const late = () => reject(new Error(`an image was not unpacked within ${TIMEOUT_MS / 1000} s`));
  const timer = setTimeout(late, TIMEOUT_MS);
  worker.onmessage = ({ data }: MessageEvent<ImageAnswer>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`an image could not be unpacked: ${event.message}`));
  };
  try {
    worker.postMessage(request);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    worker.terminate();
  }
}
