/** Bytes kept under the name of their content: `ab/cdef…` is the deflated form of the bytes with SHA-256 `abcdef…`. */
import { dirname, join } from "@/lib/path.ts";
import { writeAll } from "@/lib/atomic_write.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { randomHex } from "@/lib/random.ts";
import { lstat } from "./entry.ts";

/** The bytes are not kept (any more), or are not what their name says. */
export class BlobGone extends Error {
  override readonly name = "BlobGone";
}

/** Bytes that are written but have no name yet. */
export type StagedBlob = { hash: string; temp: string; file: Deno.FsFile };

/** One directory of blobs. Its owner makes sure that nobody removes while somebody puts. */
export class BlobStore {
  constructor(readonly dir: string) {}

  /** Write bytes beside their place; undefined if they are kept already. `keepStaged` makes them count. */
  async stage(hash: string, bytes: Uint8Array): Promise<StagedBlob | undefined> {
    if (this.has(hash)) return undefined;
    const temp = join(this.dir, `${randomHex(8)}.tmp`);
    const file = Deno.openSync(temp, { createNew: true, write: true, mode: 0o600 });
    const staged = { hash, temp, file };
    try {
      await writeAll(file, await deflate(bytes));
      return staged;
    } catch (error) {
      dropStaged(staged);
      throw error;
    }
  }

  /** Give staged bytes their name. Their file must be on disk by then: the name promises the content. */
  keepStaged({ hash, temp }: StagedBlob): void {
    const path = this.#path(hash);
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    Deno.renameSync(temp, path);
  }

  /** The bytes of a hash. Throws BlobGone unless they are exactly those. */
  async get(hash: string, size: number): Promise<Uint8Array> {
    let packed: Uint8Array<ArrayBuffer>;
    try {
      packed = await Deno.readFile(this.#path(hash));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) {
        throw new BlobGone(`No bytes are kept for ${hash}`);
      }
      throw error;
    }
    const bytes = await inflate(packed, size);
    if (bytes === undefined || sha256Hex(bytes) !== hash) {
      throw new BlobGone(`The bytes kept for ${hash} are damaged`);
    }
    return bytes;
  }

  /** Whether bytes are kept under this name; says nothing about their health. */
  has(hash: string): boolean {
    return lstat(this.#path(hash)) !== undefined;
  }

  /** Every blob with its size on disk, and leftovers of writes that were cut off. */
  async *list(): AsyncIterable<{ hash: string; bytes: number } | { leftover: string }> {
    for await (const { name, isDirectory } of Deno.readDir(this.dir)) {
      if (!isDirectory) {
        yield { leftover: join(this.dir, name) };
        continue;
      }
      for await (const { name: rest } of Deno.readDir(join(this.dir, name))) {
        yield { hash: name + rest, bytes: lstat(join(this.dir, name, rest))?.size ?? 0 };
      }
    }
  }

  /** Forget bytes. */
  remove(hash: string): void {
    if (this.has(hash)) Deno.removeSync(this.#path(hash));
  }

  #path(hash: string): string {
    return join(this.dir, hash.slice(0, 2), hash.slice(2));
  }
}

/** Let go of staged bytes, kept or not. */
export function dropStaged({ temp, file }: StagedBlob): void {
  file.close();
  if (lstat(temp) !== undefined) Deno.removeSync(temp);
}

/** The web's streams, because `node:zlib` alone takes 20 ms to load (measured, Deno 2.9.6). */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = stream(bytes).pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Undefined when it is no deflated form, or of more bytes than there should be. */
async function inflate(packed: Uint8Array, size: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(size);
  let length = 0;
  try {
    for await (const chunk of stream(packed).pipeThrough(new DecompressionStream("deflate"))) {
      if (length + chunk.length > size) return undefined;
      bytes.set(chunk, length);
      length += chunk.length;
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  return length === size ? bytes : undefined;
}

function stream(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from([new Uint8Array(bytes)]);
}
