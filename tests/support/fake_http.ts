/** A small HTTP/1.1 server on a bare TCP connection, so that a test decides about every byte and every break. */

export type FakeRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** The way out of one request. Each method resolves when the bytes are out. */
export type Reply = {
  /** A whole reply with its length, or with one that is off by so many bytes. */
  whole(
    status: number,
    body: string | Uint8Array,
    headers?: Record<string, string>,
    off?: number,
  ): Promise<void>;
  /** Headers of a streamed reply. */
  start(status: number, headers: Record<string, string>): Promise<void>;
  /** One chunk of the stream. */
  chunk(bytes: Uint8Array): Promise<void>;
  /** The proper end of the stream. */
  end(): Promise<void>;
  /** Close the connection in the middle of whatever it is. */
  drop(): void;
  /** Resolves when the client has closed the connection. */
  gone: Promise<void>;
};

export type Handler = (request: FakeRequest, reply: Reply) => Promise<void>;

export type FakeHttp = AsyncDisposable & {
  url: string;
  port: number;
  /** Connections that the client closed while a reply was still owed to it. */
  readonly left: number;
};

type Tls = { cert: string; key: string };

const encoder = new TextEncoder();

/** Listen on a free port of 127.0.0.1. Each connection serves one request. */
export function serveFake(handler: Handler, tls?: Tls): FakeHttp {
  const at = { hostname: "127.0.0.1", port: 0 };
  const listener = tls === undefined ? Deno.listen(at) : Deno.listenTls({ ...at, ...tls });
  const { port } = listener.addr as Deno.NetAddr;
  const open = new Set<Deno.Conn>();
  const state = { left: 0 };
  const running = new Set<Promise<void>>();
  const accepting = (async () => {
    while (true) {
      let connection: Deno.Conn;
      try {
        connection = await listener.accept();
      } catch (error) {
        if (isBreak(error)) {
          if (
            error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted
          ) return;
          continue; // A TLS handshake that failed, for example.
        }
        throw error;
      }
      open.add(connection);
      const serving = serve(connection, handler, state).finally(() => {
        open.delete(connection);
        running.delete(serving);
      });
      running.add(serving);
    }
  })();
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    get left() {
      return state.left;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) closed(connection);
      await accepting;
      await Promise.all(running);
    },
  };
}

async function serve(
  connection: Deno.Conn,
  handler: Handler,
  state: { left: number },
): Promise<void> {
  try {
    const request = await readRequest(connection);
    if (request === undefined) return;
    await handler(request, replyOn(connection, state));
  } catch (error) {
    if (!isBreak(error)) throw error;
  } finally {
    closed(connection);
  }
}

function replyOn(connection: Deno.Conn, state: { left: number }): Reply {
  const send = (text: string | Uint8Array) =>
    writeAll(connection, typeof text === "string" ? encoder.encode(text) : text);
  const owed = { is: true };
  const gone = watchForClose(connection).then(() => {
    if (owed.is) state.left += 1;
  });
  const head = (status: number, headers: Record<string, string>) =>
    [
      `HTTP/1.1 ${status} Scripted`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "connection: close",
      "",
      "",
    ].join("\r\n");
  return {
    gone,
    async whole(status, body, headers = {}, off = 0) {
      const bytes = typeof body === "string" ? encoder.encode(body) : body;
      await send(head(status, { ...headers, "content-length": String(bytes.length + off) }));
      await send(bytes);
      owed.is = false;
    },
    start: (status, headers) => send(head(status, { ...headers, "transfer-encoding": "chunked" })),
    async chunk(bytes) {
      if (bytes.length === 0) return;
      const size = encoder.encode(`${bytes.length.toString(16)}\r\n`);
      const framed = new Uint8Array(size.length + bytes.length + 2);
      framed.set(size);
      framed.set(bytes, size.length);
      framed.set([13, 10], size.length + bytes.length);
      await send(framed);
    },
    async end() {
      owed.is = false;
      await send("0\r\n\r\n");
    },
    drop() {
      owed.is = false;
      closed(connection);
    },
  };
}

/** A client sends nothing after its request: whatever reading gives is the end. */
async function watchForClose(connection: Deno.Conn): Promise<void> {
  try {
    while (await connection.read(new Uint8Array(1024)) !== null);
  } catch (error) {
    if (!isBreak(error)) throw error;
  }
}

async function readRequest(connection: Deno.Conn): Promise<FakeRequest | undefined> {
  let bytes = new Uint8Array(0);
  let headEnd = -1;
  const more = async (): Promise<boolean> => {
    const buffer = new Uint8Array(65_536);
    const count = await connection.read(buffer);
    if (count === null) return false;
    const joined = new Uint8Array(bytes.length + count);
    joined.set(bytes);
    joined.set(buffer.subarray(0, count), bytes.length);
    bytes = joined;
    return true;
  };
  while (headEnd < 0) {
    if (!await more()) return undefined;
    headEnd = indexOfBlankLine(bytes);
  }
  const [first = "", ...lines] = new TextDecoder().decode(bytes.subarray(0, headEnd)).split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.filter(Boolean).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers["content-length"] ?? 0);
  while (bytes.length < headEnd + 4 + length) if (!await more()) return undefined;
  const body = new TextDecoder().decode(bytes.subarray(headEnd + 4, headEnd + 4 + length));
  return { method, path, headers, body };
}

function indexOfBlankLine(bytes: Uint8Array): number {
  for (let at = 0; at + 3 < bytes.length; at += 1) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) {
      return at;
    }
  }
  return -1;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  let sent = 0;
  while (sent < bytes.length) sent += await connection.write(bytes.subarray(sent));
}

function closed(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!isBreak(error)) throw error;
  }
}

/** What a connection says when either side has ended it. */
function isBreak(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.UnexpectedEof || error instanceof Deno.errors.InvalidData ||
    error instanceof Deno.errors.ConnectionAborted || error instanceof Deno.errors.NotConnected;
}
