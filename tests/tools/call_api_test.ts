import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { callApi } from "@/tools/call_api.ts";
import type { SecretParts } from "@/web/secrets.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { type WebWorld, withWeb } from "../support/web_server.ts";

const NO_SECRETS: SecretParts = { rules: () => [], env: {}, providerKeys: [] };

const call = ({ web }: WebWorld, input: Record<string, unknown>, secrets = NO_SECRETS) =>
  callTool(callApi({ web, secrets }), input, testHost("/ws"));

/** Says back what it got. */
async function echo(request: Request): Promise<Response> {
  const { method, headers } = request;
  const body = await request.text();
  const told = {
    method,
    type: headers.get("content-type"),
    auth: headers.get("authorization"),
    body,
  };
  return Response.json(told, { status: new URL(request.url).pathname === "/bad" ? 422 : 200 });
}

const said = (text: string) => JSON.parse(/^\{.*\}$/m.exec(text)?.[0] ?? "null");

Deno.test("call_api() sends every method, with a body as JSON or as it is", async () => {
  await withWeb(echo, async (world) => {
    const { url } = world;
    const json = "application/json";
    const cases: [Record<string, unknown>, Record<string, unknown>][] = [
      [{}, { method: "GET", type: null, body: "" }],
      [{ method: "post", payload: { a: [1] } }, { method: "POST", type: json, body: '{"a":[1]}' }],
      [{ method: "PUT", payload: '{"a": 1}' }, { method: "PUT", type: json, body: '{"a": 1}' }],
      [{
        method: "PATCH",
        payload: "a=1",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      }, {
        ...{ method: "PATCH", type: "application/x-www-form-urlencoded", body: "a=1" },
      }],
      [{ method: "DELETE", payload: [1], headers: '{"Authorization": "x"}' }, {
        ...{ method: "DELETE", type: json, body: "[1]", auth: "x" },
      }],
    ];
    for (const [input, got] of cases) {
      const { status, text } = await call(world, { url, ...input });
      equal(status, "ok", text);
      match(text, new RegExp(`^HTTP 200 from ${url}/`));
      equal(said(text), { auth: null, ...got });
    }
    equal(world.seen.length, cases.length);
  });
});

Deno.test("call_api() gives a refusal of the server with its body, and sends nothing that makes no sense", async () => {
  await withWeb(echo, async (world) => {
    const { url, seen } = world;
    const bad = await call(world, { url: `${url}/bad`, method: "POST", payload: "x" });
    equal(bad.status, "failed");
    match(bad.text, /^HTTP 422 [^]*"body":"x"/);
    const before = seen.length;
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ method: "GET", payload: "x" }, /a GET request carries no payload/],
      [{ method: "BREW" }, /"BREW" is none of GET, POST/],
      [{ headers: "no json" }, /headers are a JSON object/],
      [{ headers: { "a b": "x" } }, /"a b" is no name of a header/],
      [{ headers: { a: "x\r\ny: z" } }, /has a character that none may have/],
      [{ method: "POST", payload: "x".repeat(1_000_001) }, /has 1000001 characters/],
    ];
    for (const [input, why] of cases) {
      const { status, text } = await call(world, { url, ...input });
      equal(status, "failed");
      match(text, why);
    }
    equal(seen.length, before);
  });
});

Deno.test("call_api() bounds what comes back and tells of it", async () => {
  const big = new Uint8Array(3 * 1024 * 1024).fill(0x61);
  await withWeb(
    (request) =>
      new URL(request.url).pathname === "/big"
        ? new Response(big)
        : new Response(Uint8Array.of(0, 1), { headers: { "content-type": "image/png" } }),
    async (world) => {
      const { text } = await call(world, { url: `${world.url}/big` });
      match(text, /^HTTP 200 from [^ ]+, more than 2\.1 MB/);
      match(text, /characters left out/);
      ok(text.length < 25_000);
      match((await call(world, { url: world.url })).text, /\(not shown: image\/png is no text\)/);
    },
  );
});

Deno.test("call_api() puts a secret in for the host that it was named for, and hides it in what comes back", async () => {
  await withWeb(echo, async (world) => {
    const { url, host, seen } = world;
    const secrets: SecretParts = {
      rules: () => [`TOKEN@${host}`, "OTHER@api.example.com", "API_KEY@*", "EMPTY@" + host],
      env: { TOKEN: 'se"cret/1', OTHER: "x", API_KEY: "k" },
      providerKeys: ["API_KEY"],
    };
    const headers = { authorization: "Bearer ${TOKEN}" };
    const payload = { t: "${TOKEN}", literal: "${HOME}" };
    const { status, text } = await call(world, { url, method: "POST", headers, payload }, secrets);
    equal(status, "ok", text);
    ok(!text.includes("cret/1"), text);
    match(text, /Bearer \$\{TOKEN\}/);
    match(text, /\$\{HOME\}/);
    const before = seen.length;
    const cases: [string, RegExp][] = [
      [
        "OTHER",
        /the user has not named it for 127\.0\.0\.1:\d+\. They do with \/set API_SECRETS OTHER@/,
      ],
      ["NOBODYS", /the user has not named it/],
      ["API_KEY", /model provider's key/],
      ["EMPTY", /the environment has no EMPTY/],
    ];
    for (const [name, why] of cases) {
      const refused = await call(world, { url, headers: { x: `\${${name}}` } }, secrets);
      equal(refused.status, "failed");
      match(refused.text, why);
    }
    equal(seen.length, before);
  });
});

Deno.test("call_api() sends no secret unencrypted unless its port was named", async () => {
  const secrets: SecretParts = {
    rules: () => ["T@api.example.com"],
    env: { T: "x" },
    providerKeys: [],
  };
  await withWeb(echo, async (world) => {
    const { text } = await call(
      world,
      { url: "http://api.example.com/", headers: { a: "${T}" } },
      secrets,
    );
    match(text, /would get it unencrypted; use https:\/\//);
  });
});

Deno.test("call_api() changes what its method changes", () => {
  const { effect, summary } = callApi({} as never);
  equal(["get", "HEAD", "POST", "DELETE"].map((method) => effect({ url: "x", method })), [
    "reads",
    "reads",
    "changes",
    "changes",
  ]);
  equal(summary({ url: "api.example.com", method: "post" }), "send POST https://api.example.com/");
});
