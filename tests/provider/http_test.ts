import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { ConnectionFailure, Http, type HttpOptions, readText } from "@/provider/http.ts";
import { isLoopback } from "@/lib/loopback.ts";
import { proxyFor } from "@/lib/proxy.ts";
import { type FakeHttp, type Handler, serveFake } from "../support/fake_http.ts";
import { makeCertificates } from "../support/certificates.ts";
import { startConnectProxy } from "../support/connect_proxy.ts";
import { runChild } from "../support/run_child.ts";
import { calm } from "../support/wire_options.ts";
import { withWorkspace } from "../support/workspace.ts";

const online = { env: {}, offline: false };

async function fails(http: Http, url: string): Promise<ConnectionFailure> {
  const error = await http.send({ url, headers: {} }, calm()).then(
    () => undefined,
    (error: unknown) => error,
  );
  ok(error instanceof ConnectionFailure, String(error));
  return error;
}

/** Says no to whatever comes, in plain HTTP, or over TLS with whoever speaks that. */
async function answerOnce(listener: Deno.Listener): Promise<void> {
  using connection = await listener.accept();
  try {
    await connection.read(new Uint8Array(1_000));
    await connection.write(new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"));
  } catch (error) {
    ok(error instanceof Error); // No handshake came about.
  }
}

async function problemOf(options: HttpOptions, url: string): Promise<string> {
  using http = new Http(options);
  return (await fails(http, url)).problem;
}

async function withServer(
  handler: Handler,
  body: (server: FakeHttp) => Promise<void>,
  tls?: { cert: string; key: string },
): Promise<void> {
  await using server = serveFake(handler, tls);
  await body(server);
}

const hello: Handler = ({ method, path, body, headers }, reply) =>
  reply.whole(200, JSON.stringify({ method, path, body, accept: headers.accept }));

Deno.test("Http.send() sends method, headers and body", async () => {
  await withServer(hello, async ({ url }) => {
    using http = new Http(online);
    const got = await (await http.send({ url: `${url}/a?b`, headers: { accept: "x/y" } }, calm()))
      .json();
    equal(got, { method: "GET", path: "/a?b", body: "", accept: "x/y" });
    const posted = await (await http.send({ url: `${url}/`, headers: {}, body: "{}" }, calm()))
      .json();
    equal([posted.method, posted.body], ["POST", "{}"]);
  });
});

Deno.test("Http.send() opens no connection but to this machine when offline", async () => {
  const offline = { env: { HTTPS_PROXY: "http://127.0.0.1:9" }, offline: true };
  for (
    const url of [
      "https://api.example.com",
      "http://10.0.0.1",
      "http://0x0a000001/",
      "http://localhost.example.com",
      "http://[fe80::1]/",
    ]
  ) {
    equal(await problemOf(offline, url), "offline", url);
  }
  await withServer(hello, async ({ port }) => {
    using http = new Http(offline);
    for (const host of ["127.0.0.1", "localhost", "2130706433"]) {
      const response = await http.send({ url: `http://${host}:${port}/`, headers: {} }, calm());
      equal((await response.json()).path, "/");
    }
  });
});

Deno.test("Http.send() tells refused, lost and cut connections apart", async () => {
  let port = 0;
  await withServer((_, reply) => Promise.resolve(reply.drop()), async (server) => {
    port = server.port;
    equal(await problemOf(online, server.url), "lost");
  });
  equal(await problemOf(online, `http://127.0.0.1:${port}`), "refused");
  equal(await problemOf(online, "http://127.0.0.1:6000"), "blocked");
  const cut: Handler = async (_, reply) => {
    await reply.start(200, {});
    await reply.chunk(new TextEncoder().encode("half"));
    reply.drop();
  };
  await withServer(cut, async ({ url }) => {
    using http = new Http(online);
    const response = await http.send({ url, headers: {} }, calm());
    await rejects(
      readText(response, { signal: calm() }),
      (error: unknown) => error instanceof ConnectionFailure && error.problem === "lost",
    );
  });
});

Deno.test("Http.send() does not follow a redirect, and a key with it", async () => {
  const seen: string[] = [];
  const moved: Handler = ({ path }, reply) => {
    seen.push(path);
    return reply.whole(307, "", { location: "/elsewhere" });
  };
  await withServer(moved, async ({ url }) => {
    using http = new Http(online);
    const response = await http.send(
      { url: `${url}/v1`, headers: { authorization: "Bearer k" } },
      calm(),
    );
    await readText(response, { signal: calm() });
    equal([response.status, response.headers.get("location"), seen], [307, "/elsewhere", ["/v1"]]);
  });
});

Deno.test("Http.send() waits for a host that has let it in", async () => {
  const slow: Handler = async (_, reply) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await reply.whole(200, "late");
  };
  await withServer(slow, async ({ url }) => {
    using http = new Http({ ...online, connectTimeoutMs: 40 });
    equal(
      await readText(await http.send({ url, headers: {} }, calm()), { signal: calm() }),
      "late",
    );
  });
});

Deno.test({
  name: "Http.send() gives up a host that lets nobody in",
  // Only Linux leaves a connection unanswered when the queue of a listener is full.
  ignore: Deno.build.os !== "linux",
  async fn() {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
    const { port } = listener.addr as Deno.NetAddr;
    const connect = () => Deno.connect({ hostname: "127.0.0.1", port });
    const [first, second] = [await connect(), await connect()];
    const started = performance.now();
    equal(
      await problemOf({ ...online, connectTimeoutMs: 60 }, `http://127.0.0.1:${port}`),
      "unreachable",
    );
    ok(performance.now() - started < 20_000);
    first.close();
    second.close();
  },
});

Deno.test("Http.send() closes the connection when it is interrupted, and waits for nothing", async () => {
  const gone = Promise.withResolvers<void>();
  const stall: Handler = async (_, reply) => {
    await reply.start(200, {});
    await reply.chunk(new Uint8Array([1]));
    await reply.gone;
    gone.resolve();
  };
  await withServer(stall, async ({ url }) => {
    using http = new Http(online);
    const interrupt = new AbortController();
    const response = await http.send({ url, headers: {} }, interrupt.signal);
    const reading = readText(response, { signal: interrupt.signal });
    interrupt.abort(new Error("stopped"));
    await rejects(reading, /stopped/);
    await gone.promise;
    await rejects(http.send({ url, headers: {} }, interrupt.signal), /stopped/);
  });
});

Deno.test("Http.text() bounds time and size", async () => {
  const endless: Handler = async (_, reply) => {
    await reply.start(200, {});
    const megabyte = new Uint8Array(1024 * 1024).fill(97);
    for (let times = 0; times < 40; times += 1) await reply.chunk(megabyte);
    await reply.end();
  };
  await withServer(endless, async ({ url }) => {
    using http = new Http(online);
    const { text } = await http.text({ url, headers: {} }, { signal: calm(), timeoutMs: 10_000 });
    ok(text.length >= 8 * 1024 * 1024 && text.length < 10 * 1024 * 1024);
  });
  await withServer((_, reply) => reply.gone, async ({ url }) => {
    using http = new Http(online);
    const asked = http.text({ url, headers: {} }, { signal: calm(), timeoutMs: 30 });
    await rejects(
      asked,
      (error: unknown) => error instanceof ConnectionFailure && error.problem === "unreachable",
    );
  });
});

Deno.test("readText() makes do with what came in time", async () => {
  const slow: Handler = async (_, reply) => {
    await reply.start(500, {});
    await reply.chunk(new TextEncoder().encode("so far"));
    await reply.gone;
  };
  await withServer(slow, async ({ url }) => {
    using http = new Http(online);
    equal(
      await readText(await http.send({ url, headers: {} }, calm()), {
        signal: calm(),
        patienceMs: 30,
      }),
      "so far",
    );
  });
});

Deno.test("Http.send() names the certificate file that it cannot use", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "ca.pem");
    for (
      const make of [() => Promise.resolve(), () => Deno.writeTextFile(path, "no certificate")]
    ) {
      await make();
      using http = new Http({ env: { SSL_CERT_FILE: path }, offline: false });
      const failure = await fails(http, "http://127.0.0.1:1/");
      equal(failure.problem, "ca_file");
      match(failure.message, /Cannot use the certificates in ".*ca\.pem"/);
    }
  });
});

Deno.test("Http.send() trusts the certificates of SSL_CERT_FILE and no others, through a proxy too", async () => {
  await withWorkspace(async (dir) => {
    const { cert, key, ca } = await makeCertificates(dir);
    const tunnelled: string[] = [];
    await using proxy = startConnectProxy(tunnelled);
    const through = { HTTPS_PROXY: `http://me:pass@127.0.0.1:${proxy.port}` };
    await withServer(hello, async ({ port }) => {
      const url = `https://harness.test:${port}/x`;
      const body = JSON.stringify({ method: "GET", path: "/x", body: "", accept: "*/*" });
      equal(await inChild(url, { ...through, SSL_CERT_FILE: ca }), { status: 200, text: body });
      equal(tunnelled, [`harness.test:${port} ${btoa("me:pass")}`]);
      equal(await inChild(url, through), { problem: "certificate", variable: "HTTPS_PROXY" });
      const refused = await inChild("https://refused.test/", through);
      equal(refused, { problem: "proxy", variable: "HTTPS_PROXY" });
    }, { cert, key });
  });
});

Deno.test("Http.send() tells TLS where there is none from none where TLS is", async () => {
  await withWorkspace(async (dir) => {
    const { cert, key } = await makeCertificates(dir);
    const at = { hostname: "127.0.0.1", port: 0 };
    using plain = Deno.listen(at);
    using tls = Deno.listenTls({ ...at, cert, key });
    const ask = async (listener: Deno.Listener, scheme: string) => {
      const { port } = listener.addr as Deno.NetAddr;
      const [problem] = await Promise.all([
        problemOf(online, `${scheme}://127.0.0.1:${port}/`),
        answerOnce(listener),
      ]);
      return problem;
    };
    equal(await ask(plain, "https"), "no_tls");
    equal(await ask(tls, "http"), "no_http");
  });
});

Deno.test("Http.send() does not let Deno send loopback requests to a proxy", async () => {
  await withServer(hello, async ({ url }) => {
    Deno.env.set("HTTP_PROXY", "http://127.0.0.1:9");
    try {
      using http = new Http({ env: { HTTP_PROXY: "http://127.0.0.1:9" }, offline: false });
      const response = await http.send({ url, headers: {} }, calm());
      await response.body?.cancel();
      equal(response.status, 200);
      equal(Deno.env.get("HTTP_PROXY"), "http://127.0.0.1:9", "and the variable is still there");
    } finally {
      Deno.env.delete("HTTP_PROXY");
    }
  });
});

Deno.test("proxyFor() reads the variables as curl does", () => {
  const env = {
    https_proxy: "http://small:1",
    HTTPS_PROXY: "http://big:1",
    HTTP_PROXY: "plain:1",
    NO_PROXY: "intra.net, .corp.example,10.0.0.5:8080,*.lab",
  };
  const cases: [string, string | undefined][] = [
    ["https://api.example.com", "http://small:1"],
    ["http://api.example.com", "http://plain:1"],
    ["https://intra.net", undefined],
    ["https://a.intra.net", undefined],
    ["https://notintra.net", "http://small:1"],
    ["https://x.corp.example", undefined],
    ["https://corp.example", undefined],
    ["https://x.lab", undefined],
    ["http://10.0.0.5:8080", undefined],
    ["http://10.0.0.5:80", "http://plain:1"],
    ["http://127.0.0.1:11434", undefined],
    ["http://localhost", undefined],
  ];
  for (const [url, proxy] of cases) equal(proxyFor(new URL(url), env)?.url, proxy, url);
  equal(proxyFor(new URL("https://x.y"), { ALL_PROXY: "socks5://p:1" }), {
    url: "socks5://p:1",
    from: "ALL_PROXY",
  });
  equal(proxyFor(new URL("https://x.y"), { HTTPS_PROXY: "p", NO_PROXY: "*" }), undefined);
  equal(proxyFor(new URL("https://x.y"), { HTTPS_PROXY: " " }), undefined);
});

Deno.test("isLoopback() knows this machine by every spelling and no other", () => {
  for (
    const host of [
      "localhost",
      "LOCALHOST.",
      "127.0.0.1",
      "127.255.0.9",
      "[::1]",
      "[::ffff:7f00:1]",
    ]
  ) ok(isLoopback(host), host);
  for (
    const host of [
      "localhost.example.com",
      "127.0.0.1.example.com",
      "128.0.0.1",
      "[::2]",
      "10.0.0.1",
      "0.0.0.0",
      "[::ffff:a00:1]",
      "x.localhost",
    ]
  ) {
    ok(!isLoopback(host), host);
  }
});

Deno.test("Http.send() is interrupted even after garbage was collected", async () => {
  const stall: Handler = async (_, reply) => {
    await reply.start(200, {});
    await reply.chunk(new Uint8Array([1]));
    await reply.gone;
  };
  await withServer(stall, async ({ url }) => {
    const child = await runChild("interrupt_child.ts", url, ["--v8-flags=--expose-gc"]);
    equal(child, { noticed: "stopped", inTime: true });
  });
});

/** What Http makes of a URL whose host has a name of its own. */
function inChild(url: string, env: Record<string, string>): Promise<unknown> {
  return runChild("http_child.ts", JSON.stringify({ url, env }));
}
