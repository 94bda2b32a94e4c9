/** What an image is and how large, by its first bytes, before anything unpacks it: a small file may unpack to gigabytes. */

export type ImageFacts = { mime: ImageMime; width: number; height: number };

/** The kinds that every hosted API reads. */
export type ImageMime = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** Undefined for what is none of the four kinds, or ends before it says its size. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // It ends too early.
    throw error;
  }
}

function says(view: DataView, at: number, text: string): boolean {
  return Array.from(text).every((char, index) => view.getUint8(at + index) === char.charCodeAt(0));
}

function png(view: DataView): ImageFacts | undefined {
  if (!says(view, 0, "\x89PNG\r\n\x1a\n") || !says(view, 12, "IHDR")) return undefined;
  return { mime: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageFacts | undefined {
  if (!says(view, 0, "GIF87a") && !says(view, 0, "GIF89a")) return undefined;
  return { mime: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageFacts | undefined {
  if (!says(view, 0, "RIFF") || !says(view, 8, "WEBP")) return undefined;
  const size = (width: number, height: number): ImageFacts => ({
    ...{ mime: "image/webp", width, height },
  });
  if (says(view, 12, "VP8X")) return size(uint24(view, 24) + 1, uint24(view, 27) + 1);
  if (says(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (!says(view, 12, "VP8 ")) return undefined;
  return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

function jpeg(view: DataView): ImageFacts | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // A filling byte.
      continue;
    }
    // The frame headers are C0 to CF, without the tables among them.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { mime: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
