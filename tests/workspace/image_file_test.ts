import { deepStrictEqual as equal, match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { imageFacts } from "@/lib/image_kind.ts";
import { readImage } from "@/workspace/image_file.ts";
import { PIXEL } from "../support/conversation.ts";
import { withWorkspace } from "../support/workspace.ts";

const never = new AbortController().signal;
const GIF = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
const WEBP = Uint8Array.fromBase64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");

/** An image of that size; `type` as `convertToBlob` takes it. */
async function drawn(width: number, height: number, type = "image/png"): Promise<Uint8Array> {
  const image = await createImageBitmap(new Blob([PIXEL], { type: "image/png" }), {
    ...{ resizeWidth: width, resizeHeight: height, resizeQuality: "low" },
  });
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(image);
  return new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
}

function read(name: string, bytes: Uint8Array, signal = never) {
  const result = Promise.withResolvers<Awaited<ReturnType<typeof readImage>>>();
  return withWorkspace(async (dir) => {
    const path = join(dir, name);
    await Deno.writeFile(path, bytes);
    result.resolve(await readImage({ path, spelled: name }, signal));
  }).then(() => result.promise);
}

async function refusal(name: string, bytes: Uint8Array): Promise<string> {
  const made = await read(name, bytes);
  return made.kind === "refused" ? made.sentence : "";
}

Deno.test("imageFacts() reads kind and size of what is drawn, and nothing of less", async () => {
  for (const type of ["image/png", "image/jpeg"] as const) {
    const bytes = await drawn(300, 20, type);
    equal(imageFacts(bytes), { mime: type, width: 300, height: 20 });
    strictEqual(imageFacts(bytes.subarray(0, 15)), undefined);
  }
  equal(imageFacts(GIF), { mime: "image/gif", width: 1, height: 1 });
  equal(imageFacts(WEBP), { mime: "image/webp", width: 1, height: 1 });
  strictEqual(imageFacts(new Uint8Array()), undefined);
  strictEqual(
    imageFacts(new TextEncoder().encode("\xff\xd8 is no image, it only begins so")),
    undefined,
  );
});

Deno.test("readImage() hands on what fits byte for byte", async () => {
  equal(await read("p.png", PIXEL), {
    ...{ kind: "image", part: { type: "image", mime: "image/png", data: PIXEL }, size: "1x1" },
  });
});

Deno.test("readImage() shrinks what is too large, and says from what", async () => {
  const made = await read("p.jpg", await drawn(3_136, 100, "image/jpeg"));
  strictEqual(made.kind === "image" ? made.size : "", "1568x50, made of 3136x100");
  if (made.kind !== "image") return;
  equal(imageFacts(made.part.data), { mime: "image/jpeg", width: 1_568, height: 50 });
  strictEqual(made.part.mime, "image/jpeg");
});

Deno.test("readImage() refuses a damaged image, one that unpacks to too much, and what is none", async () => {
  match(await refusal("cut.png", (await drawn(90, 90)).subarray(0, 60)), /"cut\.png": .*[Dd]ecode/);
  const bomb = Uint8Array.from(PIXEL);
  new DataView(bomb.buffer).setUint32(16, 100_000);
  new DataView(bomb.buffer).setUint32(20, 100_000);
  match(await refusal("bomb.png", bomb), /100000 x 100000 pixels, and at most 60 million/);
  match(
    await refusal("a.png", new TextEncoder().encode("hello\n")),
    /it is text; read_file shows it/,
  );
  match(await refusal("a.png", new Uint8Array([0, 1, 0, 2])), /no PNG, JPEG, GIF or WebP image/);
  const absent = await readImage({ path: "/nowhere/a.png", spelled: "a.png" }, never);
  match(absent.kind === "refused" ? absent.sentence : "", /^Cannot show "a\.png": no such file/);
});

Deno.test("readImage() ends with the signal", async () => {
  const reason = new DOMException("stop", "AbortError");
  await rejects(read("p.png", PIXEL, AbortSignal.abort(reason)), reason);
});
