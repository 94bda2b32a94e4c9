/// <reference lib="deno.worker" />
/** Unpacks and shrinks images, in a worker: a large one takes a second in which nothing else would be drawn. */
import type { ImageAnswer, ImageRequest } from "./image.ts";

/** Below this, taking more away helps less than another kind of file. */
const QUALITIES = [0.85, 0.6] as const;

self.onmessage = async ({ data }: MessageEvent<ImageRequest>) => {
  self.postMessage(await answerTo(data));
};

async function answerTo(request: ImageRequest): Promise<ImageAnswer> {
  try {
    return await shrunk(request);
  } catch (error) {
    // What the decoder says of a damaged file.
    return { type: "refused", cause: error instanceof Error ? error.message : String(error) };
  }
}

async function shrunk({ bytes, mime, width, height, fits, bytesMax }: ImageRequest) {
  const blob = new Blob([bytes], { type: mime });
  if (fits) {
    // Unpacked only to see that it can be: a damaged image would be refused by every server from then on.
    (await createImageBitmap(blob)).close();
    return { type: "whole" } as const;
  }
  const sizes = [[width, height], [width, height], [width / 2, height / 2]] as const;
  for (const [at, [wide, high]] of sizes.entries()) {
    const size = { width: Math.max(1, Math.round(wide)), height: Math.max(1, Math.round(high)) };
    const image = await createImageBitmap(blob, {
      ...{ resizeWidth: size.width, resizeHeight: size.height, resizeQuality: "medium" },
    });
    // A screenshot stays sharp as PNG; a photograph becomes too large that way.
    const type = at === 0 && mime !== "image/jpeg" ? "image/png" : "image/jpeg";
    const made = await packed(image, { type, quality: QUALITIES[at === 2 ? 1 : 0] });
    if (made.size > bytesMax) continue;
    return {
      type: "made",
      bytes: new Uint8Array(await made.arrayBuffer()),
      mime: type,
      ...size,
    } as const;
  }
  return { type: "refused", cause: "it stays too large however it is packed" } as const;
}

async function packed(
  image: ImageBitmap,
  options: { type: string; quality: number },
): Promise<Blob> {
  const canvas = new OffscreenCanvas(image.width, image.height);
  // Deno 2.9.6 has no 2d context; this one hands a bitmap on.
  const context = canvas.getContext("bitmaprenderer");
  if (context === null) throw new Error("images cannot be drawn here");
  context.transferFromImageBitmap(image);
  return await canvas.convertToBlob(options);
}
