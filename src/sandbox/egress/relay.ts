/** Bytes in both directions between two connections, each half until its own end. */
import { writeWhole } from "@/lib/write_whole.ts";

const CHUNK_BYTES = 32 * 1024;
/** Neither side said anything for so long: nobody is there any more. */
const SILENCE_MS = 15 * 60_000;
const LOOK_MS = 60_000;

export class Relay {
  readonly #client: Deno.Conn;
  readonly #server: Deno.Conn;
  #lastMs = performance.now();

  constructor(client: Deno.Conn, server: Deno.Conn) {
    this.#client = client;
    this.#server = server;
  }

  /** `first` is what the server is sent before anything more of the client. Throws what a broken connection throws. */
  async run(first: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    const silence = setInterval(() => {
      if (performance.now() - this.#lastMs < SILENCE_MS) return;
      this.#server.close();
    }, LOOK_MS);
    Deno.unrefTimer(silence);
    try {
      for (const bytes of first) await writeWhole(this.#server, bytes);
      const up = this.#copy(this.#client, this.#server);
      // A client may stop listening before it has said all; what it still says is for nobody.
      await Promise.race([this.#copy(this.#server, this.#client), failure(up)]);
    } finally {
      clearInterval(silence);
    }
  }

  async #copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    while (true) {
      const count = await from.read(buffer);
      this.#lastMs = performance.now();
      if (count === null) return await to.closeWrite();
      await writeWhole(to, buffer.subarray(0, count));
    }
  }
}

/** Rejects when the work does; its good end is waited for by nobody. */
async function failure(work: Promise<void>): Promise<void> {
  await work;
  return await new Promise(() => undefined);
}
