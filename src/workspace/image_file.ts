/** An image file as a model is shown it: one of the kinds that every server takes, and never larger than they do. */
import { imageFacts } from "@/lib/image_kind.ts";
import { spokenSize } from "@/lib/size.ts";
import type { Part } from "@/protocol/message.ts";
import { fitImage } from "@/workers/image.ts";
import { load, type Target, whyNot } from "./loaded.ts";

/** Larger edges are shrunk by the servers themselves, or refused. */
const EDGE_MAX = 1_568;
/** In base64 it is a third more, and the strictest server takes 5 MB of that. */
const BYTES_MAX = 3_500_000;
const FILE_BYTES_MAX = 50 * 1024 * 1024;
/** Unpacked it takes four bytes each. */
const PIXELS_MAX = 60_000_000;

/** `size` says how large it is, and from what it was made smaller, as a person reads it. */
export type ImageFile =
  | { kind: "image"; part: Extract<Part, { type: "image" }>; size: string }
  | { kind: "refused"; sentence: string };

/** Read one. Does not throw for what can be wrong with a file; rejects with the signal's reason when that is aborted. */
export async function readImage(target: Target, signal: AbortSignal): Promise<ImageFile> {
  const cannot = (cause: string): ImageFile => ({
    kind: "refused",
    sentence: `Cannot show the image "${target.spelled}": ${cause}`,
  });
  const loaded = await load(target.path, FILE_BYTES_MAX);
  if (loaded.kind === "text") return cannot("it is text; read_file shows it");
  if (loaded.kind === "large") {
    return cannot(
      `it has ${spokenSize(loaded.size)}, and at most ${spokenSize(FILE_BYTES_MAX)} are read`,
    );
  }
  if (loaded.kind !== "binary") {
    return { kind: "refused", sentence: await whyNot("show", target, loaded) };
  }
  const bytes = new Uint8Array(loaded.bytes);
  const facts = imageFacts(bytes);
  if (facts === undefined) {
    return cannot(`it is no PNG, JPEG, GIF or WebP image (${loaded.what})`);
  }
  const { mime, width, height } = facts;
  if (width * height > PIXELS_MAX || width === 0 || height === 0) {
    return cannot(
      `it says that it has ${width} x ${height} pixels, and at most 60 million are unpacked`,
    );
  }
  const scale = Math.min(1, EDGE_MAX / Math.max(width, height));
  const fits = scale === 1 && bytes.length <= BYTES_MAX;
  const wanted = { width: width * scale, height: height * scale, bytesMax: BYTES_MAX };
  const answer = await fitImage({ bytes, mime, fits, ...wanted }, signal);
  switch (answer.type) {
    case "refused":
      return cannot(answer.cause);
    case "whole":
      return {
        kind: "image",
        part: { type: "image", mime, data: bytes },
        size: `${width}x${height}`,
      };
    case "made":
      return {
        kind: "image",
        part: { type: "image", mime: answer.mime, data: answer.bytes },
        size: `${answer.width}x${answer.height}, made of ${width}x${height}`,
      };
    default:
      return answer satisfies never;
  }
}
