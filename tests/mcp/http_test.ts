import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { connectClient, failureText, type McpClient, type Reach } from "@/mcp/client.ts";
import { callFacts } from "@/mcp/result.ts";
import { QUIET } from "../support/mcp.ts";

type Rpc = { id?: number | string; method?: string; params?: Record<string, unknown> };

const HOOKS = {
  onToolsChanged: () => {},
  onResourcesChanged: () => {},
  onPromptsChanged: () => {},
  onClosed: () => {},
  elicit: () => Promise.resolve({ action: "cancel" as const }),
};

/** What a server of the revisions before 2026 answers. */
function answerOf({ id, method, params }: Rpc): unknown {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "fake", version: "1" },
    },
    "tools/list": { tools: [{ name: "add", inputSchema: { type: "object" } }, { broken: true }] },
    "tools/call": { content: [{ type: "text", text: "called" }] },
  };
  const result = results[method ?? ""];
  return result === undefined
    ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
    : { jsonrpc: "2.0", id, result };
}

/** A server over streamable HTTP that wants a header with each request. */
async function streamable(request: Request): Promise<Response> {
  if (request.headers.get("authorization") !== "Bearer t") {
    return new Response("Who are you?", { status: 401 });
  }
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const rpc: Rpc = await request.json();
  return rpc.id === undefined ? new Response(null, { status: 202 }) : Response.json(answerOf(rpc));
}

/** One of the older kind: answers come over a stream of their own. */
function older(): (request: Request) => Promise<Response> {
  let send: (text: string) => void = () => {};
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") {
      const body = new ReadableStream<string>({
        start: (controller) => {
          send = (text) => controller.enqueue(text);
          send("event: endpoint\ndata: /messages\n\n");
        },
      });
      const headers = { "content-type": "text/event-stream" };
      return new Response(body.pipeThrough(new TextEncoderStream()), { headers });
    }
    if (pathname !== "/messages") return new Response("No such page", { status: 404 });
    const rpc: Rpc = await request.json();
    if (rpc.id !== undefined) send(`event: message\ndata: ${JSON.stringify(answerOf(rpc))}\n\n`);
    return new Response(null, { status: 202 });
  };
}

async function withServer(
  handler: (request: Request) => Promise<Response>,
  body: (url: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    handler,
  );
  await body(`http://127.0.0.1:${server.addr.port}/mcp`);
}

async function connected(
  url: string,
  more: Partial<Extract<Reach, { kind: "http" | "sse" }>> = {},
): Promise<McpClient> {
  const reach = {
    kind: "http" as const,
    url,
    headers: { Authorization: "Bearer t" },
    fetch,
    ...more,
  };
  const program = { name: "test", version: "1" };
  return await connectClient({ reach, hooks: HOOKS, program, timeoutMs: 60_000 });
}

Deno.test("connectClient() speaks streamable HTTP with the headers of the entry", async () => {
  await withServer(streamable, async (url) => {
    const client = await connected(url);
    equal((await client.tools()).map(({ name }) => name), ["add"], "a broken tool costs no other");
    equal(callFacts(await client.call("add", {}, { ...QUIET, timeoutMs: 60_000 })).text, "called");
    await client.close();
  });
});

Deno.test("connectClient() says what a server refused", async () => {
  await withServer(streamable, async (url) => {
    await rejects(connected(url, { headers: {} }), (error) => {
      match(
        failureText(error),
        /^it answered 401: it wants a sign-in, \/mcp login SERVER, or a key or a token/,
      );
      return true;
    });
  });
});

Deno.test("failureText() says once what went wrong, however often it was passed on", () => {
  const cause = new Error("the door is shut");
  equal(failureText(new Error("Probe failed: the door is shut", { cause })), "the door is shut");
  equal(failureText(new Error("Probe failed", { cause })), "Probe failed: the door is shut");
  equal(failureText(cause), "the door is shut");
});

Deno.test("connectClient() finds a server of the older kind, stated or not", async () => {
  for (const more of [{ mayBeOlder: true }, { kind: "sse" as const }]) {
    await withServer(older(), async (url) => {
      const client = await connected(url, more);
      equal((await client.tools()).map(({ name }) => name), ["add"]);
      await client.close();
    });
  }
});

Deno.test("connectClient() takes no other kind than the one that is stated", async () => {
  await withServer(older(), async (url) => {
    await rejects(connected(url, { mayBeOlder: false }), (error) => {
      match(failureText(error), /^it answered 404/);
      return true;
    });
  });
});
