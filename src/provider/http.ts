/**
 * The one place of the provider layer that opens connections: proxy and extra certificates from the environment,
 * `--offline`, no redirects (a key would follow them), a bound on everything that is waited for.
 */
import { CertificateProblem, readCertificates } from "@/lib/certificates.ts";
import { LinkedAbort } from "@/lib/linked_abort.ts";
import { makeClient } from "@/lib/http_client.ts";
import { isLoopback } from "@/lib/loopback.ts";
import { type Env, type Proxy, proxyFor } from "@/lib/proxy.ts";
import { readBytes } from "./lines.ts";

/** Why there is no reply. `proxied` and `certificates` name the variable that had a part in it. */
export type ConnectionProblem =
  | "offline"
  | "no_key"
  | "bad_key"
  | "refused"
  | "unknown_host"
  | "unreachable"
  | "certificate"
  | "no_tls"
  | "no_http"
  | "proxy"
  | "ca_file"
  | "blocked"
  | "lost";

/** No connection, or one that ended before its time. `message` is the system's own words. */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly problem: ConnectionProblem;
  /** The variable that names the proxy or the certificate file in use. */
  readonly variable?: string;

  constructor(problem: ConnectionProblem, message: string, variable?: string) {
    super(message);
    this.problem = problem;
    if (variable !== undefined) this.variable = variable;
  }
}

export type HttpOptions = {
  env: Env;
  /** Open no connection but to this machine. */
  offline: boolean;
  /** How long a host may take to let us in. */
  connectTimeoutMs?: number;
};

/** What is sent. A body makes it a POST. */
export type HttpRequest = { url: string; headers: Readonly<Record<string, string>>; body?: string };

/** A small reply, read to its end. */
export type TextReply = { status: number; headers: Headers; text: string };

const CONNECT_TIMEOUT_MS = 10_000;
const TEXT_BYTES_MAX = 8 * 1024 * 1024;
const ENOUGH = new Error("Waited long enough");
const OVER = new Error("The server has answered");

/** Sends requests. Clients are made when first needed and live as long as this does. */
export class Http implements Disposable {
  readonly #options: HttpOptions;
  readonly #clients = new Map<string, Deno.HttpClient>();

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /**
   * Send a request; resolves when the headers are here, however long the server takes for them. The signal ends the
   * wait for them; whoever reads the body has to give it to the reader as well. It must not outlive the request: it is
   * listened to until then.
   * Throws ConnectionFailure, or the signal's reason.
   */
  async send(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    const url = new URL(request.url);
    if (this.#options.offline && !isLoopback(url.hostname)) {
      throw new ConnectionFailure("offline", `--offline allows no connection to ${url.hostname}`);
    }
    const proxy = proxyFor(url, this.#options.env);
    const client = await this.#client(proxy);
    const door = new LinkedAbort(signal);
    using _ = this.#knock(proxy === undefined ? url : new URL(proxy.url), door);
    try {
      return await fetch(url, {
        method: request.body === undefined ? "GET" : "POST",
        headers: request.headers,
        redirect: "manual",
        client,
        signal: door.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (door.signal.aborted) throw door.signal.reason;
      throw asFailure(error, proxy);
    }
  }

  /** Send a request and read its small reply whole, all within `timeoutMs`. Throws as `send` does. */
  async text(
    request: HttpRequest,
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  ): Promise<TextReply> {
    using limit = new LinkedAbort(signal);
    const timer = setTimeout(() => {
      limit.abort(new ConnectionFailure("unreachable", `no reply within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    try {
      const response = await this.send(request, limit.signal);
      const text = await readText(response, { signal: limit.signal });
      return { status: response.status, headers: response.headers, text };
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  /**
   * fetch() has no limit for connecting alone, and headers may rightly take minutes (a model is being loaded). So
   * when nothing came for a while the host is knocked at; one that does not open is given up.
   */
  #knock(url: URL, door: LinkedAbort): Disposable {
    const waitMs = (this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS) / 2;
    let knocking: AbortController | undefined;
    let isOver = false;
    let timer = setTimeout(async () => {
      const over = knocking = new AbortController();
      timer = setTimeout(() => over.abort(new Error("no answer")), waitMs);
      if (await isReachable(url, over.signal) || isOver) return;
      door.abort(new ConnectionFailure("unreachable", `${url.host} does not answer`));
    }, waitMs);
    return {
      [Symbol.dispose]: () => {
        isOver = true;
        clearTimeout(timer);
        knocking?.abort(OVER);
      },
    };
  }

  async #client(proxy: Proxy | undefined): Promise<Deno.HttpClient> {
    const key = proxy?.url ?? "direct";
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const certificates = await this.#certificates();
    const made = this.#clients.get(key) ?? makeClient(proxy, certificates);
    this.#clients.set(key, made);
    return made;
  }

  async #certificates(): Promise<string | undefined> {
    try {
      return await readCertificates(this.#options.env.SSL_CERT_FILE);
    } catch (error) {
      if (!(error instanceof CertificateProblem)) throw error;
      throw new ConnectionFailure("ca_file", error.message);
    }
  }
}

/** Until when a text is read: the signal ends it with its reason; after `patienceMs` what has come is all. */
export type Patience = { signal: AbortSignal; patienceMs?: number };

/** Read a reply's text, at most 8 MB of it. Throws ConnectionFailure, or the signal's reason. */
export async function readText(
  response: Response,
  { signal, patienceMs }: Patience,
): Promise<string> {
  if (response.body === null) return "";
  using until = new LinkedAbort(signal);
  const timer = patienceMs === undefined
    ? undefined
    : setTimeout(() => until.abort(ENOUGH), patienceMs);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of readBytes(response.body, until.signal)) {
      bytes += chunk.length;
      text += decoder.decode(chunk, { stream: true });
      if (bytes > TEXT_BYTES_MAX) break;
    }
  } catch (error) {
    if (error !== ENOUGH) throw asFailure(error);
  } finally {
    clearTimeout(timer);
  }
  return text + decoder.decode();
}

/** What Deno's fetch and bodies say (2.9.6); any other error is a fault of ours and must not look like one. */
const NETWORK_WORDS =
  /error sending request|error reading a body|client error|requests to port \d+ are blocked|connection (?:reset|refused|aborted|closed)|broken pipe/i;

/** What fetch or a body threw, as the failure that it means. */
export function asFailure(error: unknown, proxy?: Proxy): unknown {
  if (error instanceof ConnectionFailure || !(error instanceof Error)) return error;
  const words = chain(error);
  if (!NETWORK_WORDS.test(words)) return error;
  return new ConnectionFailure(problemOf(words, proxy), words, proxy?.from);
}

function problemOf(words: string, proxy: Proxy | undefined): ConnectionProblem {
  if (/requests to port \d+ are blocked/i.test(words)) return "blocked";
  // Plain HTTP where TLS was wanted, and the other way round.
  if (/corrupt message of type/i.test(words)) return "no_tls";
  if (/invalid HTTP version/i.test(words)) return "no_http";
  if (/certificate|UnknownIssuer|NotValidForName/i.test(words)) return "certificate";
  if (/tunnel|proxy/i.test(words)) return "proxy";
  // Where a proxy is set, every step of connecting is the proxy's, until the tunnel stands.
  const isConnecting = /\(Connect\)/.test(words);
  if (proxy !== undefined && isConnecting && !/tls/i.test(words)) return "proxy";
  if (/dns error|failed to lookup/i.test(words)) return "unknown_host";
  if (/connection refused/i.test(words)) return "refused";
  if (/unreachable|timed out|no route/i.test(words)) return "unreachable";
  return "lost";
}

function chain(error: Error): string {
  const words: string[] = [];
  let at: unknown = error;
  while (at instanceof Error) {
    words.push(at.message);
    at = at.cause;
  }
  return words.join(": ");
}

async function isReachable(url: URL, signal: AbortSignal): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  try {
    const connection = await Deno.connect({ hostname, port, signal });
    connection.close();
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false; // Whatever it was, the host did not let us in.
  }
}
