/** The address of this machine to which a sign-in in the browser leads back. */

import { settlesWithin } from "@/lib/within.ts";

/** What came back: the parameters of the address. */
export type Callback = AsyncDisposable & {
  port: number;
  /** Resolves with the parameters of the first answer that carries `state`; others are told that they were not expected. */
  answer(state: string): Promise<URLSearchParams>;
};

const CLOSE_MS = 500;
const PAGE = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>harness</title><p>${text}</p>`;
const DONE = PAGE("Thank you. This page can be closed; harness goes on in its terminal.");
const UNKNOWN = PAGE("harness did not ask for this.");

/** Listens on the loopback address, at the wanted port where it is free. */
export function listenForCallback(wanted?: number): Callback {
  let expected: { state: string; resolve(params: URLSearchParams): void } | undefined;
  const handle = (request: Request): Response => {
    const { pathname, searchParams } = new URL(request.url);
    const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
    const isAnswer = request.method === "GET" && pathname === "/callback" &&
      expected !== undefined && searchParams.get("state") === expected.state;
    if (!isAnswer) return new Response(UNKNOWN, { status: 400, headers });
    expected?.resolve(searchParams);
    return new Response(DONE, { headers });
  };
  const server = serve(handle, wanted);
  return {
    port: server.addr.port,
    answer: (state) => {
      const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
      expected = { state, resolve };
      return promise;
    },
    [Symbol.asyncDispose]: async () => {
      // Whoever keeps a request half sent is not waited for.
      await settlesWithin(server.shutdown(), CLOSE_MS);
    },
  };
}

function serve(handle: (request: Request) => Response, wanted = 0): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", onListen: () => {} };
  try {
    return Deno.serve({ ...options, port: wanted }, handle);
  } catch (error) {
    if (wanted === 0 || !(error instanceof Deno.errors.AddrInUse)) throw error;
    return Deno.serve({ ...options, port: 0 }, handle);
  }
}
