import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { EgressRefused } from "@/sandbox/egress/refusal.ts";
import { type EgressOptions, testEgress } from "../../support/egress.ts";
import { startConnectProxy } from "../../support/connect_proxy.ts";

const web = { host: "site.example", port: 443 };

/** What a command is told that wants to connect. */
async function refusalOf(options: EgressOptions, target = web): Promise<string> {
  const { egress, refused } = testEgress(options);
  await rejects(egress.connect(target, "command"), EgressRefused);
  equal(refused().length, 1);
  return refused()[0] ?? "";
}

Deno.test("Egress refuses a command a host that nobody allowed, before its name is looked up", async () => {
  const { egress, looked, refused } = testEgress({ names: { "site.example": ["1.1.1.1"] } });
  await rejects(egress.connect(web, "command"), EgressRefused);
  equal(looked, []);
  equal(refused(), [
    "The connection to site.example:443 was not made: site.example is not an allowed host. The person allows it with " +
    "/network allow site.example, or with --set NETWORK_ALLOW=site.example for one run",
  ]);
});

Deno.test("Egress refuses an allowed name that leads to this machine or its network", async () => {
  const names = { "site.example": ["10.0.0.5", "127.0.0.1"] };
  match(
    await refusalOf({ allow: ["site.example"], names }),
    /its name leads to 10\.0\.0\.5, a private address.*\/network allow site\.example:443$/,
  );
});

Deno.test("Egress refuses addresses of this machine in every spelling, allowed or not", async () => {
  for (const host of ["127.0.0.1", "0.0.0.0", "::1", "::ffff:7f00:1", "169.254.169.254"]) {
    const target = { host, port: 80 };
    match(await refusalOf({ allow: [host, `[${host}]`] }, target), /it is (an|a) /);
  }
});

Deno.test("Egress obeys deny rules for tools too, and allows tools what no rule is about", async () => {
  const { egress } = testEgress({
    deny: ["site.example"],
    names: { "other.example": ["1.1.1.1"] },
  });
  await rejects(egress.check(web, "tool"), /rule "site.example" denies it/);
  await egress.check({ host: "other.example", port: 443 }, "tool");
});

Deno.test("Egress refuses everything with --offline", async () => {
  match(await refusalOf({ isOffline: true, allow: ["site.example"] }), /--offline/);
  const { egress } = testEgress({ isOffline: true, pairs: ["127.0.0.1:80"] });
  await rejects(egress.check({ host: "127.0.0.1", port: 80 }, "tool"), /--offline/);
});

Deno.test("Egress says that a host is not there", async () => {
  match(await refusalOf({ allow: ["site.example"] }), /no host of that name/);
});

Deno.test("Egress dials the address that was checked, and no other", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  let looked = 0;
  const { egress } = testEgress({
    pairs: [`site.example:${port}`],
    // A second answer would lead elsewhere.
    resolve: () => Promise.resolve([(looked += 1) === 1 ? "127.0.0.1" : "127.0.0.2"]),
  });
  using connection = await egress.connect({ host: "site.example", port }, "command");
  using accepted = await listener.accept();
  equal(looked, 1);
  equal((connection.remoteAddr as Deno.NetAddr).hostname, "127.0.0.1");
  equal((accepted.remoteAddr as Deno.NetAddr).port, (connection.localAddr as Deno.NetAddr).port);
});

Deno.test("Egress asks once about a host, and holds connections meanwhile", async () => {
  const asked: string[] = [];
  const answer = Promise.withResolvers<"yes" | "no">();
  const { egress, refused } = testEgress({
    ask: ({ host }) => {
      asked.push(host);
      return answer.promise;
    },
  });
  const attempts = [1, 2, 3].map(() => egress.connect(web, "command"));
  await Promise.resolve();
  const settled = Promise.allSettled(attempts);
  while (!egress.isAsking) await new Promise((resolve) => setTimeout(resolve, 1));
  answer.resolve("no");
  equal((await settled).map(({ status }) => status), ["rejected", "rejected", "rejected"]);
  equal(egress.isAsking, false);
  await rejects(egress.connect(web, "command"), EgressRefused);
  equal(asked, ["site.example"]);
  match(refused()[3] ?? "", /the person said no to site\.example/);
  egress.forget();
  await rejects(egress.connect(web, "command"), EgressRefused);
  equal(asked.length, 2);
});

Deno.test("Egress says so when nobody answered in time", async () => {
  match(await refusalOf({ ask: () => Promise.resolve("late") }), /nobody answered/);
});

Deno.test("Egress goes through the person's proxy, which is given the name", async () => {
  const tunnelled: string[] = [];
  await using proxy = startConnectProxy(tunnelled);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const url = `http://user:pass@127.0.0.1:${proxy.port}`;
  const { egress } = testEgress({
    allow: [`site.example:${port}`, "refused.test", "intranet:443", `x.localhost:${port}`],
    proxyFor: () => ({ url, from: "https_proxy" }),
  });
  using _ = await egress.connect({ host: "site.example", port }, "command");
  equal(tunnelled, [`site.example:${port} ${btoa("user:pass")}`]);
  await rejects(
    egress.connect({ host: "refused.test", port: 443 }, "command"),
    /the proxy on the way does not let it through \(https_proxy answers 403\)/,
  );
  await rejects(egress.connect({ host: "x.localhost", port }, "command"), /no host of that name/);
  await rejects(egress.connect({ host: "10.0.0.1", port: 443 }, "command"), /a private address/);
});

Deno.test("Egress gives the person's proxy all of its question, however little one write takes", async () => {
  const password = "p".repeat(8 * 1024 * 1024);
  using proxy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const asked = (async () => {
    using client = await proxy.accept();
    const buffer = new Uint8Array(256 * 1024);
    let bytes = 0;
    let end = "";
    while (!end.endsWith("\r\n\r\n")) {
      const count = await client.read(buffer);
      if (count === null) break;
      bytes += count;
      end = new TextDecoder().decode(buffer.subarray(Math.max(0, count - 4), count));
    }
    await client.write(new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n"));
    return bytes;
  })();
  const { egress } = testEgress({
    allow: ["site.example"],
    proxyFor: () => ({ url: `http://u:${password}@127.0.0.1:${proxy.addr.port}`, from: "proxy" }),
  });
  using _ = await egress.connect({ host: "site.example", port: 443 }, "command");
  ok(await asked > password.length * 4 / 3);
});

Deno.test("Egress says when a host does not answer", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const { egress } = testEgress({ pairs: [`127.0.0.1:${port}`] });
  await rejects(egress.connect({ host: "127.0.0.1", port }, "command"), /it does not answer \(/);
});
