import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { join } from "node:path";
import { fc } from "../support/property.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { BlobGone, BlobStore, dropStaged } from "@/workspace/blob_store.ts";
import { withWorkspace } from "../support/workspace.ts";

async function keep(store: BlobStore, bytes: Uint8Array): Promise<string> {
  const hash = sha256Hex(bytes);
  const staged = await store.stage(hash, bytes);
  if (staged === undefined) return hash;
  store.keepStaged(staged);
  dropStaged(staged);
  return hash;
}

Deno.test("get() gives back exactly what was kept", async () => {
  await withWorkspace(async (dir) => {
    const store = new BlobStore(dir);
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
      equal(await store.get(await keep(store, bytes), bytes.length), new Uint8Array(bytes));
    });
    await fc.assert(property, { numRuns: 50, seed: 3 });
    const large = new TextEncoder().encode("a line of it\n".repeat(300_000));
    equal(await store.get(await keep(store, large), large.length), large);
  });
});

Deno.test("get() refuses what is missing, cut off, swollen or something else", async () => {
  await withWorkspace(async (dir) => {
    const store = new BlobStore(dir);
    const bytes = new TextEncoder().encode("the person's bytes".repeat(50));
    const hash = await keep(store, bytes);
    const path = join(dir, hash.slice(0, 2), hash.slice(2));
    const packed = Deno.readFileSync(path);
    await rejects(store.get(hash, bytes.length - 1), BlobGone);
    await rejects(store.get(hash, bytes.length + 1), BlobGone);
    for (
      const damaged of [
        packed.subarray(0, packed.length / 2),
        new Uint8Array(0),
        new Uint8Array([1, 2, 3]),
      ]
    ) {
      Deno.writeFileSync(path, damaged);
      await rejects(store.get(hash, bytes.length), BlobGone);
    }
    const other = await keep(store, new TextEncoder().encode("something else".repeat(50)));
    Deno.copyFileSync(join(dir, other.slice(0, 2), other.slice(2)), path);
    await rejects(store.get(hash, 14 * 50), BlobGone);
    store.remove(hash);
    await rejects(store.get(hash, bytes.length), BlobGone);
    store.remove(hash);
    equal(store.has(hash), false);
  });
});

Deno.test("stage() leaves nothing behind when it is dropped, and does nothing for what is kept", async () => {
  await withWorkspace(async (dir) => {
    const store = new BlobStore(dir);
    const bytes = new Uint8Array([1, 2, 3]);
    const staged = await store.stage(sha256Hex(bytes), bytes);
    if (staged !== undefined) dropStaged(staged);
    equal([...Deno.readDirSync(dir)], []);
    await keep(store, bytes);
    equal(await store.stage(sha256Hex(bytes), bytes), undefined);
  });
});
