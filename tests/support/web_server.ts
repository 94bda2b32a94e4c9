/** A web server on loopback that the person has named, and what the web tools work with to reach it. */
import { EgressClient } from "@/sandbox/egress/client.ts";
import type { WebParts } from "@/web/fetch.ts";
import { HtmlReader } from "@/workers/html.ts";
import { testEgress } from "./egress.ts";

export type WebWorld = {
  url: string;
  host: string;
  web: WebParts;
  /** What was asked for: method and path. */
  seen: readonly string[];
};

type Handler = (request: Request) => Response | Promise<Response>;

/** Serve, use it, stop. `other` is the same server under another name. */
export async function withWeb(
  handler: Handler,
  body: (world: WebWorld & { other: string }) => Promise<void>,
  more: Partial<WebParts> = {},
): Promise<void> {
  const seen: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      const { pathname, search } = new URL(request.url);
      seen.push(`${request.method} ${pathname}${search}`);
      return handler(request);
    },
  );
  const { port } = server.addr;
  const host = `127.0.0.1:${port}`;
  const { egress } = testEgress({
    pairs: [host, `localhost:${port}`],
    names: { localhost: ["127.0.0.1"] },
  });
  await using client = new EgressClient(egress);
  using html = new HtmlReader();
  const web: WebParts = {
    client: () => Promise.resolve(client),
    html,
    mayFollow: () => false,
    ...more,
  };
  await body({ url: `http://${host}`, other: `http://localhost:${port}`, host, web, seen });
}

/** A page as servers send it. */
export function htmlReply(html: string, type = "text/html; charset=utf-8"): Response {
  return new Response(html, { headers: { "content-type": type } });
}
