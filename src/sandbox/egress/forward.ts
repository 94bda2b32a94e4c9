/**
 * Runs inside the network namespace of the commands, where nothing leads out: listens on its loopback and hands every
 * connection to the proxy's Unix socket, which is the only thing it can reach. Says its port, and ends with our pipe.
 * Arguments: the socket.
 */
const [path = ""] = Deno.args;
const CHUNK_BYTES = 32 * 1024;

async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  while (true) {
    const count = await from.read(buffer);
    if (count === null) return await to.closeWrite();
    for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
  }
}

async function forward(client: Deno.Conn): Promise<void> {
  let proxy: Deno.Conn | undefined;
  try {
    proxy = await Deno.connect({ transport: "unix", path });
    const up = copy(client, proxy);
    // What a broken side says is of no use: both are closed.
    up.catch(() => close(proxy));
    await copy(proxy, client);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  } finally {
    close(proxy);
    close(client);
  }
}

function close(connection: Deno.Conn | undefined): void {
  try {
    connection?.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

async function endWithOurPipe(): Promise<never> {
  const buffer = new Uint8Array(64);
  while (await Deno.stdin.read(buffer) !== null);
  Deno.exit(0);
}

const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
await Deno.stdout.write(new TextEncoder().encode(`port ${listener.addr.port}\n`));
void endWithOurPipe();
for await (const client of listener) void forward(client);
