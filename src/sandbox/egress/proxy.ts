/** The proxy: listens, reads one request a connection, has it admitted, and passes bytes until one side ends. */
import { settlesWithin } from "@/lib/within.ts";
import { writeWhole } from "@/lib/write_whole.ts";
import type { Asking, Egress } from "./egress.ts";
import { type Asked, HEAD_BYTES_MAX, ownReply, readHead, readProxyRequest } from "./head.ts";
import { EgressRefused, type Refusal, refusalText } from "./refusal.ts";
import { Relay } from "./relay.ts";

const CONNECTIONS_MAX = 256;
const HEAD_MS = 15_000;

/** Who connects, and what they have to know. */
export type Door = {
  asking: Asking;
  /** What has to stand in Proxy-Authorization, where others on this machine could connect as well. */
  password?: string;
};

/** One listener. */
export class EgressProxy implements AsyncDisposable {
  readonly #egress: Egress;
  readonly #door: Door;
  readonly #listener: Deno.Listener;
  readonly #open = new Set<Deno.Conn>();
  readonly #accepting: Promise<void>;

  constructor(egress: Egress, listener: Deno.Listener, door: Door) {
    this.#egress = egress;
    this.#door = door;
    this.#listener = listener;
    this.#accepting = this.#accept();
  }

  /** Connections that are open, to whoever has asked for them and to where they lead. */
  get connections(): number {
    return this.#open.size;
  }

  /** Let go of the event loop: it serves as long as something else goes on. */
  unref(): void {
    this.#listener.unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nobody would wait for its end.
    this.#listener.ref();
    this.#listener.close();
    for (const connection of this.#open) connection.close();
    this.#open.clear();
    await this.#accepting;
  }

  async #accept(): Promise<void> {
    const serving = new Set<Promise<void>>();
    for await (const connection of this.#listener) {
      this.#open.add(connection);
      const served = this.#serve(connection).finally(() => {
        this.#close(connection);
        serving.delete(served);
      });
      serving.add(served);
    }
    await Promise.allSettled(serving);
  }

  #close(connection: Deno.Conn): void {
    if (this.#open.delete(connection)) connection.close();
  }

  async #serve(client: Deno.Conn): Promise<void> {
    try {
      if (this.#open.size > 2 * CONNECTIONS_MAX) {
        const what = `more than ${CONNECTIONS_MAX} connections at once are not made`;
        return await this.#refuse(client, { reason: { by: "limit", what } });
      }
      await this.#answer(client);
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
  }

  async #answer(client: Deno.Conn): Promise<void> {
    const reading = readHead(client);
    if (!await settlesWithin(reading, HEAD_MS)) return;
    const read = await reading;
    if (read === undefined) {
      const what = `no whole request came within ${HEAD_BYTES_MAX} bytes`;
      return await this.#refuse(client, { reason: { by: "form", what } });
    }
    const request = readProxyRequest(read.head);
    if ("problem" in request) {
      return await this.#refuse(client, { reason: { by: "form", what: request.problem } });
    }
    if (this.#door.password !== undefined && request.password !== this.#door.password) {
      return await reply(client, "407 Proxy Authentication Required", "This proxy is private");
    }
    await this.#pass(client, request.asked, read.rest);
  }

  async #pass(client: Deno.Conn, asked: Asked, rest: Uint8Array<ArrayBuffer>): Promise<void> {
    let server: Deno.Conn;
    try {
      server = await this.#egress.connect(asked.target, this.#door.asking);
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error;
      return await reply(client, "403 Forbidden", `[System] ${error.message}`);
    }
    this.#open.add(server);
    try {
      const head = asked.kind === "request" ? asked.head : undefined;
      if (head === undefined) await writeWhole(client, ESTABLISHED);
      await new Relay(client, server).run([...(head === undefined ? [] : [head]), rest]);
    } finally {
      this.#close(server);
    }
  }

  async #refuse(client: Deno.Conn, refusal: Refusal): Promise<void> {
    if (this.#door.asking === "command") this.#egress.refused(refusal);
    const status = refusal.reason.by === "form" ? "400 Bad Request" : "503 Service Unavailable";
    await reply(client, status, `[System] ${refusalText(refusal)}`);
  }
}

const ESTABLISHED = new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n");

async function reply(client: Deno.Conn, status: string, text: string): Promise<void> {
  await writeWhole(client, ownReply(status, text));
  await client.closeWrite();
}

/** What a connection comes to that the other side, or we, have ended. */
export function isBroken(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.ConnectionAborted || error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.UnexpectedEof;
}
