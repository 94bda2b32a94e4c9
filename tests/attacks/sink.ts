/** A listener on loopback that records all that reaches it. */

export type Sink = AsyncDisposable & {
  host: string;
  port: number;
  /** Connections and datagrams. */
  readonly contacts: number;
  /** What they brought. */
  readonly received: string;
  /** What another listener was sent, that counts as no contact by itself. */
  record(text: string): void;
  /** Listen on a Unix socket too. */
  alsoAt(path: string): void;
};

export async function startSink(): Promise<Sink> {
  const state = { contacts: 0, received: "" };
  const tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = tcp.addr;
  const listeners: Deno.Listener[] = [tcp];
  const accepting = [accept(tcp, state)];
  // A wrong answer by name of the machine would arrive here.
  const six = listenSix(port);
  if (six !== undefined) {
    listeners.push(six);
    accepting.push(accept(six, state));
  }
  await Promise.resolve();
  return {
    ...{ host: "127.0.0.1", port },
    get contacts() {
      return state.contacts;
    },
    get received() {
      return state.received;
    },
    record: (text) => {
      state.received += text;
    },
    alsoAt: (path) => {
      const listener = Deno.listen({ transport: "unix", path });
      listeners.push(listener);
      accepting.push(accept(listener, state));
    },
    [Symbol.asyncDispose]: async () => {
      for (const listener of listeners) listener.close();
      await Promise.all(accepting);
    },
  };
}

function listenSix(port: number): Deno.Listener | undefined {
  try {
    return Deno.listen({ hostname: "::1", port });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined; // A machine without IPv6.
  }
}

type Seen = { contacts: number; received: string };

async function accept(listener: Deno.Listener, seen: Seen): Promise<void> {
  for await (const connection of listener) {
    seen.contacts += 1;
    void drain(connection, seen);
  }
}

const ANSWER = new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");

async function drain(connection: Deno.Conn, seen: Seen): Promise<void> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65_536);
  try {
    for (;;) {
      const count = await connection.read(buffer);
      if (count === null) break;
      seen.received += decoder.decode(buffer.subarray(0, count), { stream: true });
      await connection.write(ANSWER);
    }
    connection.close();
  } catch (error) {
    if (!(error instanceof Error)) throw error; // Whoever it was has gone.
  }
}
