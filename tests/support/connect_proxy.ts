/** An HTTP proxy that tunnels to this machine, whatever name it is asked for. */

/** A proxy that tunnels every CONNECT to the asked port of this machine, or to `to`; `refused.test` it refuses. */
export function startConnectProxy(
  tunnelled: string[],
  to?: number,
): { port: number } & AsyncDisposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const running: Promise<void>[] = [];
  const open: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      running.push(tunnel(connection, { tunnelled, open, to }));
    }
  })();
  return {
    port: (listener.addr as Deno.NetAddr).port,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) tryClose(connection);
      await accepting;
      await Promise.all(running);
    },
  };
}

type Tunnelling = { tunnelled: string[]; open: Deno.Conn[]; to: number | undefined };

async function tunnel(client: Deno.Conn, { tunnelled, open, to }: Tunnelling): Promise<void> {
  const buffer = new Uint8Array(4096);
  const head = new TextDecoder().decode(buffer.subarray(0, await client.read(buffer) ?? 0));
  const target = /^CONNECT (\S+):(\d+)/.exec(head);
  const [, host = "", port = ""] = target ?? [];
  const say = (line: string) => client.write(new TextEncoder().encode(`${line}\r\n\r\n`));
  if (host === "refused.test") {
    await say("HTTP/1.1 403 Forbidden\r\ncontent-length: 0");
    return tryClose(client);
  }
  tunnelled.push(`${host}:${port} ${/authorization: Basic (\S+)/i.exec(head)?.[1] ?? ""}`);
  const server = await Deno.connect({ hostname: "127.0.0.1", port: to ?? Number(port) });
  open.push(server);
  await say("HTTP/1.1 200 Connection established");
  const quiet = () => undefined;
  await Promise.all([
    client.readable.pipeTo(server.writable).catch(quiet),
    server.readable.pipeTo(client.writable).catch(quiet),
  ]);
}

function tryClose(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
