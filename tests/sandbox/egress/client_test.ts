import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { describe } from "@/lib/describe.ts";
import { EgressClient } from "@/sandbox/egress/client.ts";
import { EgressRefused } from "@/sandbox/egress/refusal.ts";
import { makeCertificates } from "../../support/certificates.ts";
import { testEgress } from "../../support/egress.ts";
import { programHere } from "../../support/sandbox.ts";
import { withWorkspace } from "../../support/workspace.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** A server that the person named, and a client. */
async function withServer(
  handler: Handler,
  body: (world: { url: string; client: EgressClient; seen: Request[] }) => Promise<void>,
): Promise<void> {
  const seen: Request[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      seen.push(request);
      return handler(request);
    },
  );
  const { port } = server.addr;
  const { egress } = testEgress({
    pairs: [`127.0.0.1:${port}`, `localhost:${port}`],
    names: { localhost: ["127.0.0.1"] },
  });
  await using client = new EgressClient(egress);
  await body({ url: `http://127.0.0.1:${port}`, client, seen });
}

const request = (url: string) => ({
  url,
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  bodyBytesMax: 1_000_000,
});

const text = ({ body }: { body: Uint8Array }) => new TextDecoder().decode(body);

Deno.test("EgressClient sends a request and reads the reply, body and headers both ways", async () => {
  await withServer(async (got) => {
    const body = await got.text();
    return new Response(`${got.method} ${new URL(got.url).pathname} ${body}`, {
      status: 201,
      headers: { "x-back": got.headers.get("x-there") ?? "" },
    });
  }, async ({ url, client }) => {
    const headers = { "x-there": "yes" };
    const reply = await client.read({
      ...request(`${url}/p`),
      method: "POST",
      headers,
      body: "hi",
    });
    equal([reply.status, text(reply), reply.headers.get("x-back")], [201, "POST /p hi", "yes"]);
    equal([reply.isCut, reply.redirects], [false, []]);
  });
});

Deno.test("EgressClient reads a body to its bound, as it is after decompression", async () => {
  const zeros = new Blob([new Uint8Array(5_000_000)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  const small = new Uint8Array(await new Response(zeros).arrayBuffer());
  ok(small.length < 50_000);
  await withServer(
    () => new Response(small, { headers: { "content-encoding": "gzip" } }),
    async ({ url, client }) => {
      const reply = await client.read({ ...request(url), bodyBytesMax: 100_000 });
      equal([reply.body.length, reply.isCut], [100_000, true]);
    },
  );
});

Deno.test("EgressClient follows redirects on the same host, a few of them", async () => {
  await withServer((got) => {
    const { pathname } = new URL(got.url);
    if (pathname === "/end") return new Response(got.headers.get("authorization"));
    const location = pathname === "/circle" ? "/circle" : "/end";
    return new Response(null, { status: 302, headers: { location } });
  }, async ({ url, client, seen }) => {
    const reply = await client.read({
      ...request(`${url}/start`),
      headers: { authorization: "k" },
    });
    equal([reply.url, text(reply), reply.redirects], [`${url}/end`, "k", [`${url}/end`]]);
    seen.length = 0;
    const circle = await client.read({ ...request(`${url}/circle`), redirectsMax: 3 });
    equal([circle.status, seen.length], [302, 4]);
  });
});

Deno.test("EgressClient follows to another host only when told to, and takes no keys there", async () => {
  await withServer((got) => {
    const url = new URL(got.url);
    if (url.pathname === "/end") return Response.json([...got.headers.keys()].sort());
    url.hostname = "localhost";
    url.pathname = "/end";
    return new Response(null, { status: 307, headers: { location: url.href } });
  }, async ({ url, client }) => {
    const headers = {
      authorization: "key",
      "x-api-key": "key",
      cookie: "key",
      accept: "text/plain",
    };
    const stayed = await client.read({ ...request(url), headers });
    equal([stayed.status, stayed.redirects], [307, []]);
    const followed = await client.read({ ...request(url), headers, mayFollow: () => true });
    const sent: string[] = JSON.parse(text(followed));
    equal(sent.filter((name) => /auth|key|cookie/.test(name)), []);
    ok(sent.includes("accept"));
  });
});

Deno.test("EgressClient refuses a redirect to the inside, whoever would follow it", async () => {
  using inside = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await withServer(
    () =>
      new Response(null, {
        status: 302,
        headers: { location: `http://127.0.0.1:${inside.addr.port}/secret` },
      }),
    async ({ url, client }) => {
      await rejects(
        client.read({ ...request(url), mayFollow: () => true }),
        (error: Error) =>
          error instanceof EgressRefused && /address of this machine/.test(error.message),
      );
    },
  );
});

Deno.test("EgressClient refuses addresses that are none of the web", async () => {
  const { egress } = testEgress();
  await using client = new EgressClient(egress);
  for (
    const url of [
      "file:///etc/passwd",
      "ftp://a/x",
      "data:text/plain,x",
      "gopher://a/_x",
      "http://u:p@a/",
    ]
  ) {
    await rejects(client.read(request(url)), /only http: and https:/, url);
  }
  await rejects(client.read(request("http://2130706433/")), /an address of this machine/);
});

Deno.test("EgressClient ends with its signal and with its time", async () => {
  /** Nothing, until the client is gone. */
  const never: Handler = ({ signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(new Response())));
  await withServer(never, async ({ url, client }) => {
    await rejects(
      client.read({ ...request(url), timeoutMs: 50 }),
      (error: Error) =>
        error.name === "TimeoutError" && /No whole reply within 0\.05 s/.test(error.message),
    );
    const stop = new AbortController();
    const reading = client.read({ ...request(url), signal: stop.signal });
    stop.abort(new Error("stopped"));
    await rejects(reading, /stopped/);
  });
});

Deno.test("the proxy of an EgressClient serves nobody who does not know its password", async () => {
  await withServer(() => new Response("x"), async ({ url, client }) => {
    await client.read(request(url));
    const { port } = new URL(url);
    const { egress } = testEgress({ pairs: [`127.0.0.1:${port}`] });
    const { EgressProxy } = await import("@/sandbox/egress/proxy.ts");
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    await using _ = new EgressProxy(egress, listener, { asking: "tool", password: "secret" });
    for (const [password, status] of [["wrong", 407], ["secret", 200]] as const) {
      const proxy = {
        url: `http://127.0.0.1:${listener.addr.port}`,
        basicAuth: { username: "u", password },
      };
      using http = Deno.createHttpClient({ proxy });
      const reply = await fetch(url, { client: http });
      await reply.body?.cancel();
      equal(reply.status, status);
    }
  });
});

Deno.test({
  name: "EgressClient speaks TLS to the server itself, whose certificate has to be for the name",
  ignore: await programHere("openssl") === undefined,
}, async () => {
  await withWorkspace(async (dir) => {
    const { cert, key, ca } = await makeCertificates(dir, "localhost");
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
      () => new Response("over TLS"),
    );
    const { port } = server.addr;
    const pairs = [`localhost:${port}`, `127.0.0.1:${port}`];
    const { egress } = testEgress({ pairs, names: { localhost: ["127.0.0.1"] } });
    await using client = new EgressClient(egress, await Deno.readTextFile(ca));
    equal(text(await client.read(request(`https://localhost:${port}/`))), "over TLS");
    const isDistrust = (error: Error) => /certificate/i.test(describe(error));
    await rejects(client.read(request(`https://127.0.0.1:${port}/`)), isDistrust);
    await using stranger = new EgressClient(egress);
    await rejects(stranger.read(request(`https://localhost:${port}/`)), isDistrust);
  });
});

Deno.test("a client that goes away ends its connection to the server", async () => {
  const ended = Promise.withResolvers<void>();
  await withServer((got) => {
    got.signal.addEventListener("abort", () => ended.resolve());
    return new Response(new ReadableStream({ start: (flow) => flow.enqueue(new Uint8Array(10)) }));
  }, async ({ url, client }) => {
    const stop = new AbortController();
    const response = await client.fetch(url, { signal: stop.signal });
    match(String(response.status), /200/);
    stop.abort();
    await response.body?.cancel().catch(() => "aborted");
    await ended.promise;
  });
});
