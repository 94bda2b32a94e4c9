/** What is asked about the web, in the whole program: a server on loopback that the person has named, a scripted model. */
import { deepStrictEqual as equal } from "node:assert/strict";
import type { Approver } from "@/protocol/policy.ts";
import type { RunOptions } from "@/compose/options.ts";
import { searx } from "../support/search_sources.ts";
import { withApp } from "../support/whole_app.ts";

type Call = { name: string; arguments: Record<string, unknown> };

/** Let the model make these calls, one a request; the person says yes to what `yes` finds in the reason. */
async function decisions(
  calls: (url: string) => readonly Call[],
  { yes = /./, run = {} }: { yes?: RegExp; run?: RunOptions } = {},
) {
  const asked: string[] = [];
  const seen: string[] = [];
  const decided: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      const { pathname, port } = new URL(request.url);
      seen.push(`${request.method} ${pathname}`);
      if (pathname === "/sx/search") {
        const url = `http://127.0.0.1:${port}/page`;
        return searx.results([{ url, title: "P", snippet: "the zyzzyva is a weevil" }]);
      }
      return pathname === "/away"
        ? Response.redirect(`http://localhost:${port}/end`)
        : new Response("fine");
    },
  );
  const { port } = server.addr;
  const host = `127.0.0.1:${port}`;
  const approver: Approver = (_call, reason) => {
    asked.push(reason.replaceAll(`${port}`, "PORT"));
    return Promise.resolve({ answer: yes.test(reason) ? "yes" : "no" });
  };
  const replies = [
    ...calls(`http://${host}`).map((call) => ({ text: "", calls: [call] })),
    { text: "Done." },
  ];
  await withApp(replies, async ({ app, events }) => {
    await app.say("go");
    for (const event of events) {
      if (event.type !== "decision") continue;
      decided.push(`${event.decision.verdict} by ${event.decision.by}`);
    }
  }, {
    screen: { approver },
    run: {
      ...run,
      set: [
        `NETWORK_ALLOW=${host},localhost:${port}`,
        `SEARXNG_URL=http://${host}/sx`,
        ...run.set ?? [],
      ],
    },
  });
  return { asked, decided, seen };
}

const get = (url: string): Call => ({ name: "get_url", arguments: { url } });
const api = (url: string, method: string, more = {}): Call => ({
  name: "call_api",
  arguments: { url, method, ...more },
});

Deno.test("a first visit asks, later reading there does not, and what changes something asks each time", async () => {
  const { asked, decided, seen } = await decisions(
    (
      url,
    ) => [
      get(`${url}/a`),
      get(`${url}/b`),
      api(`${url}/c`, "GET"),
      api(`${url}/d`, "POST"),
      api(`${url}/e`, "POST"),
    ],
  );
  const change = "it may change something on 127.0.0.1:PORT";
  const first =
    "the first visit to 127.0.0.1:PORT; yes lets it read there for the rest of this run";
  equal(asked, [first, change, change]);
  equal(decided, [
    "allow by person",
    ...["allow by grant", "allow by grant"],
    ...["allow by person", "allow by person"],
  ]);
  equal(seen, ["GET /a", "GET /b", "GET /c", "POST /d", "POST /e"]);
});

Deno.test("a no is for one visit, and nothing is fetched", async () => {
  const { asked, decided, seen } = await decisions((url) => [get(url), get(url)], { yes: /never/ });
  equal([asked.length, decided, seen], [2, ["deny by person", "deny by person"], []]);
});

Deno.test("rules come first, and --offline refuses without a question", async () => {
  const denied = await decisions((url) => [get(`${url}/a`)], { run: { deny: ["get_url"] } });
  equal([denied.asked, denied.decided, denied.seen], [[], ["deny by rule"], []]);
  const allowed = await decisions((url) => [get(`${url}/a`)], {
    run: { allow: ["get_url(http://127.0.0.1*)"] },
  });
  equal([allowed.asked, allowed.decided, allowed.seen], [[], ["allow by rule"], ["GET /a"]]);
  const offline = await decisions((url) => [get(url)], { run: { offline: true } });
  equal([offline.asked, offline.decided, offline.seen], [[], ["deny by guard"], []]);
});

Deno.test("an address of this machine that the person did not name is refused without a question", async () => {
  const { asked, decided } = await decisions(() => [
    ...[
      "http://127.0.0.1:9/",
      "http://2130706433:9/",
      "http://[::ffff:127.0.0.1]:9/",
      "http://0.0.0.0:9/",
    ].map(get),
    get("http://169.254.169.254/latest/meta-data/"),
    api("http://localhost:9/", "POST"),
  ], { run: { auto: true } });
  equal(asked, []);
  equal(decided, Array(6).fill("deny by guard"));
});

Deno.test("a redirect to a host that was never asked about is not followed", async () => {
  const { seen } = await decisions((url) => [get(`${url}/away`)]);
  equal(seen, ["GET /away"]);
  const auto = await decisions((url) => [get(`${url}/away`)], { run: { auto: true } });
  equal(auto.seen, ["GET /away", "GET /end"]);
});

Deno.test("a call that carries a secret names it in its question, every time", async () => {
  const call = (url: string) => api(url, "GET", { headers: { a: "${HARNESS_HOME}" } });
  const { asked, seen } = await decisions((url) => [get(url), call(url), call(url)], {
    run: { set: ["API_SECRETS=HARNESS_HOME@example.com"] },
  });
  const sends = "it sends HARNESS_HOME to 127.0.0.1:PORT";
  equal(asked.slice(1), [sends, sends]);
  // It was named for another host: nothing is sent, whatever was answered.
  equal(seen, ["GET /"]);
});

Deno.test("the first search asks where its words may go, and later ones do not", async () => {
  const search = { name: "search_web", arguments: { query: "zyzzyva" } };
  const { asked, decided, seen } = await decisions(() => [search, search]);
  equal(asked, [
    "its words go to SearXNG, DuckDuckGo, Wikipedia, Stack Exchange, and pages that they name are read; yes holds " +
    "for every search of this run",
  ]);
  equal(decided, ["allow by person", "allow by grant"]);
  equal(seen, ["GET /sx/search", "GET /page", "GET /sx/search", "GET /page"]);
});
