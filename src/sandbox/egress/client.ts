/**
 * HTTP for tools and for MCP servers over HTTP. Every request goes through our own proxy on the loopback, which checks,
 * resolves and dials; TLS is spoken to the server itself, with its name in the certificate. Redirects are never followed
 * unseen: each one is a request that is checked anew.
 */
import { joinBytes } from "@/lib/bytes.ts";
import { LinkedAbort } from "@/lib/linked_abort.ts";
import { randomHex } from "@/lib/random.ts";
import { once } from "@/lib/once.ts";
import { makeClient } from "@/lib/http_client.ts";
import type { Egress } from "./egress.ts";
import { EgressProxy } from "./proxy.ts";
import { EgressRefused } from "./refusal.ts";
import { targetOfUrl } from "./target.ts";

/** A request that is followed to its end and read whole. */
export type EgressRequest = {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  /** For all of it, redirects included. */
  timeoutMs: number;
  /** Of the body as it is after decompression; what goes beyond it is not read. */
  bodyBytesMax: number;
  redirectsMax?: number;
  /** Whether a redirect to another host may be followed; without it none is, and the reply says where it leads. */
  mayFollow?(to: URL): boolean | Promise<boolean>;
};

/** `isCut`: the body went on. `redirects`: every address on the way, the last one is `url`. */
export type EgressReply = {
  url: string;
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  isCut: boolean;
  redirects: readonly string[];
};

const REDIRECTS_MAX = 5;

/** Made once a run. */
export class EgressClient implements AsyncDisposable {
  readonly #egress: Egress;
  readonly #opened: () => { proxy: EgressProxy; http: Deno.HttpClient };
  #isOpened = false;

  /** `certificates`: PEM that is trusted besides the usual. */
  constructor(egress: Egress, certificates?: string) {
    this.#egress = egress;
    this.#opened = once(() => {
      this.#isOpened = true;
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      // Everybody on this machine can connect to it.
      const password = randomHex(16);
      const proxy = new EgressProxy(egress, listener, { asking: "tool", password });
      proxy.unref();
      const url = `http://harness:${password}@127.0.0.1:${listener.addr.port}`;
      return { proxy, http: makeClient({ url, from: "harness" }, certificates) };
    });
  }

  /**
   * One request and its reply as it comes; redirects are replies. Has the shape of fetch(), for whoever takes one. Throws
   * EgressRefused where the connection may not be made, and what fetch() throws.
   */
  async fetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input);
    const target = targetOfUrl(url);
    if (target === undefined || url.username !== "" || url.password !== "") {
      const what = "only http: and https: addresses without a user name are reached";
      throw new EgressRefused({ reason: { by: "form", what } });
    }
    // The proxy checks what it dials; here the same is asked first, for the sentence.
    await this.#egress.check(target, "tool");
    init.signal?.throwIfAborted();
    const { http } = this.#opened();
    try {
      return await fetch(url, { ...init, redirect: "manual", client: http });
    } catch (error) {
      throw withCause(error);
    }
  }

  /** Follow to the end and read within bounds. Throws as `fetch` does; an AbortError or TimeoutError when time is up. */
  async read(request: EgressRequest): Promise<EgressReply> {
    using limit = new LinkedAbort(request.signal);
    const timer = setTimeout(() => {
      const text = `No whole reply within ${request.timeoutMs / 1000} s`;
      limit.abort(new DOMException(text, "TimeoutError"));
    }, request.timeoutMs);
    try {
      return await this.#follow(request, limit.signal);
    } catch (error) {
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(request: EgressRequest, signal: AbortSignal): Promise<EgressReply> {
    const { bodyBytesMax, redirectsMax = REDIRECTS_MAX } = request;
    const redirects: string[] = [];
    let hop = first(request);
    while (true) {
      const response = await this.fetch(hop.url, { ...hop.init, signal });
      const next = redirects.length < redirectsMax
        ? await nextHop(response, hop, request)
        : undefined;
      if (next !== undefined) {
        await response.body?.cancel();
        redirects.push(next.url.href);
        hop = next;
        continue;
      }
      const { body, isCut } = await readBody(response, bodyBytesMax);
      const { status, headers } = response;
      return { url: hop.url.href, status, headers, body, isCut, redirects };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpened) return;
    const { proxy, http } = this.#opened();
    http.close();
    await proxy[Symbol.asyncDispose]();
  }
}

/** fetch() says "fetch failed" and keeps the reason to itself. */
function withCause(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  return new Error(error.cause.message, { cause: error });
}

type Hop = { url: URL; init: RequestInit & { method: string } };

function first({ url, method = "GET", headers = {}, body }: EgressRequest): Hop {
  const sent = body === undefined ? {} : { body };
  return { url: new URL(url), init: { method, headers, ...sent } };
}

/** The request that a redirect asks for; undefined for any other reply, and for one that may not be followed. */
async function nextHop(
  response: Response,
  { url, init }: Hop,
  { mayFollow }: EgressRequest,
): Promise<Hop | undefined> {
  const { status } = response;
  const location = response.headers.get("location");
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
  const to = URL.parse(location, url);
  if (to === null) return undefined;
  const isElsewhere = to.origin !== url.origin;
  // http → https of the same host is the same place.
  const isOtherHost = to.hostname !== url.hostname || (isElsewhere && to.protocol !== "https:");
  if (isOtherHost && (mayFollow === undefined || !await mayFollow(to))) return undefined;
  const keepsBody = status === 307 || status === 308;
  if (keepsBody && isElsewhere && init.body !== undefined) return undefined;
  const headers = isElsewhere ? harmless(init.headers) : { ...init.headers };
  const body = keepsBody && init.body !== undefined ? { body: init.body } : {};
  const isSafe = init.method === "GET" || init.method === "HEAD";
  const method = keepsBody || isSafe ? init.method : "GET";
  return { url: to, init: { method, headers, ...body } };
}

/** Keys go to the host that they were given for, and nowhere else. */
function harmless(headers: RequestInit["headers"]): Record<string, string> {
  const kept = [...new Headers(headers)]
    .filter(([name]) => /^(accept(-.*)?|user-agent)$/.test(name));
  return Object.fromEntries(kept);
}

async function readBody(
  response: Response,
  bytesMax: number,
): Promise<{ body: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // Leaving the loop early cancels the rest, and with it what a small reply would grow to.
  for await (const chunk of response.body ?? []) {
    const room = bytesMax - length;
    chunks.push(chunk.subarray(0, room));
    length += Math.min(chunk.length, room);
    if (chunk.length > room) return { body: joinBytes(chunks), isCut: true };
  }
  return { body: joinBytes(chunks), isCut: false };
}
