/** The head of a request or reply on its way through: read within bounds, understood strictly, written anew. */
import { readTarget, type Target, targetOfUrl } from "./target.ts";

/** Bytes of a head. Cookies of real sites fit. */
export const HEAD_BYTES_MAX = 32 * 1024;
const HEADERS_MAX = 200;

/** What a client of a proxy asks for: a tunnel, or one plain request, `head` being what the server is sent. */
export type Asked =
  | { kind: "tunnel"; target: Target }
  | { kind: "request"; target: Target; head: Uint8Array<ArrayBuffer> };

/** A request as a proxy gets it. `password`: of Proxy-Authorization. */
export type ProxyRequest = { asked: Asked; password?: string } | { problem: string };

/** A head and what came behind it; undefined where it did not end within the bounds. */
export async function readHead(
  source: Pick<Deno.Conn, "read">,
): Promise<{ head: string; rest: Uint8Array<ArrayBuffer> } | undefined> {
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  const buffer = new Uint8Array(4096);
  while (bytes.length < HEAD_BYTES_MAX) {
    const count = await source.read(buffer);
    if (count === null) return undefined;
    const joined = new Uint8Array(bytes.length + count);
    joined.set(bytes);
    joined.set(buffer.subarray(0, count), bytes.length);
    bytes = joined;
    const end = endOfHead(bytes);
    if (end !== undefined) {
      return { head: latin1(bytes.subarray(0, end)), rest: bytes.slice(end + 4) };
    }
  }
  return undefined;
}

function endOfHead(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at;
  }
  return undefined;
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Not passed on: they are about this one connection, and `host` is written from the address. */
const OWN_HEADERS = new Set(
  "connection proxy-connection proxy-authorization keep-alive upgrade host te trailer".split(" "),
);

/** Understand what a client sent. */
export function readProxyRequest(head: string): ProxyRequest {
  const [line = "", ...fields] = head.split("\r\n");
  const start = /^([A-Z]{1,20}) ([!-~]{1,16000}) HTTP\/1\.[01]$/.exec(line);
  if (start === null) return { problem: "it is no request for a proxy" };
  const headers = readHeaders(fields);
  if (headers === undefined) return { problem: "its headers cannot be read" };
  const [, method = "", address = ""] = start;
  const password = passwordOf(headers);
  const known = password === undefined ? {} : { password };
  if (method === "CONNECT") {
    const target = readTarget(address);
    if (target === undefined) return { problem: "CONNECT takes a host and a port" };
    return { asked: { kind: "tunnel", target }, ...known };
  }
  const url = URL.parse(address);
  const target = url?.protocol === "http:" ? targetOfUrl(url) : undefined;
  if (url === null || target === undefined) {
    return { problem: "only http: addresses and CONNECT go through this proxy" };
  }
  if (headers.filter(([name]) => /^(content-length|transfer-encoding)$/.test(name)).length > 1) {
    return { problem: "it says twice how long its body is" };
  }
  return { asked: { kind: "request", target, head: serverHead(method, url, headers) }, ...known };
}

type Header = readonly [name: string, value: string];

function readHeaders(fields: readonly string[]): readonly Header[] | undefined {
  if (fields.length > HEADERS_MAX) return undefined;
  const headers: Header[] = [];
  for (const field of fields) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(field);
    if (match === null) return undefined;
    headers.push([(match[1] ?? "").toLowerCase(), match[2] ?? ""]);
  }
  return headers;
}

function serverHead(method: string, url: URL, headers: readonly Header[]): Uint8Array<ArrayBuffer> {
  const named = headers.filter(([name]) => name === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(",").map((part) => part.trim()));
  const kept = headers.filter(([name]) => !OWN_HEADERS.has(name) && !named.includes(name));
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    "connection: close",
    "\r\n",
  ];
  return Uint8Array.from(lines.join("\r\n"), (character) => character.charCodeAt(0));
}

function passwordOf(headers: readonly Header[]): string | undefined {
  const value = headers.find(([name]) => name === "proxy-authorization")?.[1] ?? "";
  const encoded = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return atob(encoded).replace(/^[^:]*:/, "");
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** A short reply of the proxy itself. */
export function ownReply(status: string, text: string): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(`${text}\n`);
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${body.length}`,
    ...(status.startsWith("407") ? ['proxy-authenticate: Basic realm="harness"'] : []),
    "connection: close",
    "\r\n",
  ].join("\r\n");
  const whole = new Uint8Array(head.length + body.length);
  whole.set(new TextEncoder().encode(head));
  whole.set(body, head.length);
  return whole;
}
