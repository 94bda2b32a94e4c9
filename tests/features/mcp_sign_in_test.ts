/** Signing in to MCP servers: the person alone opens the address, and what comes of it stays in one private file. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { login, logout } from "@/features/mcp/sign_in.ts";
import { reachOf } from "@/features/mcp/reach.ts";
import { SignIns } from "@/mcp/sign_ins.ts";
import { Diagnostics } from "@/mcp/stdio_lines.ts";
import { Server } from "@/mcp/server.ts";
import type { Asker } from "@/protocol/policy.ts";
import { entryOf, scripted } from "../support/mcp.ts";
import { type OauthServer, startOauthServer } from "../support/oauth_server.ts";
import { withWorkspace } from "../support/workspace.ts";

type Desk = {
  guarded: OauthServer;
  server: Server;
  signIns: SignIns;
  file: string;
  questions: string[];
  /** The addresses that went out, with the token that went along. */
  sent: { url: string; token: string | null }[];
  login(asker?: Asker): ReturnType<typeof login>;
};

const ADDRESS = /^https?:\/\/\S+$/m;

/** Somebody whose browser follows the address. */
const opens = (questions: string[]): Asker => async ([question]) => {
  questions.push(question?.text ?? "");
  const [address = ""] = ADDRESS.exec(question?.text ?? "") ?? [];
  await (await fetch(address)).body?.cancel();
  return ["I have opened it"];
};

async function desk(
  body: (desk: Desk) => Promise<void>,
  options: Parameters<typeof startOauthServer>[0] & {
    declared?: Record<string, unknown>;
    /** What the entry of the guarded server says besides. */
    more?: Record<string, unknown>;
  } = {},
): Promise<void> {
  await withWorkspace(async (dir) => {
    await using guarded = startOauthServer(options);
    const file = join(dir, "state", "mcp_sign_ins.json");
    const signIns = new SignIns(file);
    const sent: Desk["sent"] = [];
    const http: typeof fetch = (url, init) => {
      const token = new Headers(init?.headers).get("authorization");
      sent.push({ url: url.toString(), token });
      return fetch(url, init);
    };
    const entry = entryOf(
      options.declared ?? { type: "http", url: guarded.url, ...options.more },
      "guarded",
    );
    const diagnostics = new Diagnostics();
    const parts = { signIns, http, workspace: dir, home: undefined };
    const server = new Server({
      entry,
      slug: "guarded",
      diagnostics,
      program: { name: "test", version: "1" },
      // A server over HTTP needs neither processes nor a sandbox.
      reach: () => reachOf(entry, diagnostics, parts as Parameters<typeof reachOf>[2]),
      limits: () => ({ startMs: 60_000, callMs: 60_000 }),
      elicit: () => Promise.resolve({ action: "cancel" }),
      onChange: () => {},
    });
    const questions: string[] = [];
    try {
      await body({
        guarded,
        server,
        signIns,
        file,
        questions,
        sent,
        login: (asker = opens(questions)) =>
          login(server, { signIns, asker, http, timeoutMs: 60_000 }),
      });
    } finally {
      await server.close();
    }
  });
}

function whyOf({ state }: Server): string {
  return "why" in state ? state.why : state.kind;
}

async function called(server: Server): Promise<string> {
  const { signal } = new AbortController();
  const { content } = await server.call("whoami", {}, { signal, onProgress: () => {} });
  return JSON.stringify(content);
}

Deno.test("a server that wants a sign-in says so, and nothing is asked of it before the person does", () =>
  desk(async ({ server, guarded }) => {
    await server.connect();
    match(whyOf(server), /401: it wants a sign-in, \/mcp login SERVER, or a key/);
    ok(!guarded.asked.some((line) => /authorize|register|token/.test(line)), `${guarded.asked}`);
  }));

Deno.test("login() shows the whole address, and the server is connected with what came back", () =>
  desk(async ({ server, guarded, login, questions, file }) => {
    const result = await login();
    ok(result.ok, result.text);
    match(questions.join(), /MCP server "guarded" wants you to sign in/);
    match(questions.join(), /code_challenge_method=S256/);
    match(questions.join(), new RegExp(`Its host is ${new URL(guarded.url).host}`));
    await server.connect();
    equal(server.state.kind, "ready");
    match(await called(server), /somebody who signed in with \[secret\]/);
    equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("a token that has ended is renewed without a question, and the file has the new one", () =>
  desk(async ({ server, guarded, login, signIns, questions }) => {
    await login();
    const before = (await signIns.of(guarded.url)).tokens;
    guarded.expire();
    await server.connect();
    equal(server.state.kind, "ready", whyOf(server));
    const after = (await signIns.of(guarded.url)).tokens;
    ok(after !== undefined && after.access_token !== before?.access_token);
    equal(questions.length, 1);
  }));

Deno.test("a sign-in that has ended is said, and not begun again by itself", () =>
  desk(async ({ server, guarded, login }) => {
    await login();
    guarded.expire();
    guarded.revoke();
    await server.connect();
    match(whyOf(server), /it wants you to sign in again: \/mcp login guarded/);
    equal(guarded.asked.filter((line) => line === "POST /register").length, 1);
    ok((await login()).ok);
    await server.connect();
    equal(server.state.kind, "ready");
  }));

Deno.test("the address at which a browser on another machine ended may be pasted", () =>
  desk(async ({ server, login }) => {
    const result = await login(async ([question]) => {
      const [address = ""] = ADDRESS.exec(question?.text ?? "") ?? [];
      const response = await fetch(address, { redirect: "manual" });
      await response.body?.cancel();
      return [response.headers.get("location") ?? ""];
    });
    ok(result.ok, result.text);
    await server.connect();
    equal(server.state.kind, "ready");
  }));

Deno.test("an answer with another state is not taken, however it arrives", () =>
  desk(async ({ login, signIns, guarded }) => {
    const forged = await login(async ([question]) => {
      const [address = ""] = ADDRESS.exec(question?.text ?? "") ?? [];
      const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
      back.search = "?code=stolen&state=guessed";
      const response = await fetch(back);
      await response.body?.cancel();
      equal(response.status, 400);
      return [back.href];
    });
    ok(!forged.ok);
    match(forged.text, /not the address of this sign-in/);
    equal((await signIns.of(guarded.url)).tokens, undefined);
    ok(!guarded.asked.includes("POST /token"));
  }));

Deno.test("an answer that another issuer gave is not taken", () =>
  desk(async ({ login, guarded }) => {
    const result = await login();
    ok(!result.ok);
    match(result.text, /^Not signed in to "guarded": /);
    ok(!guarded.asked.includes("POST /token"));
  }, { iss: "https://elsewhere.example" }));

Deno.test("login() without anybody, or with a no, keeps nothing and says what would work", () =>
  desk(async ({ login, signIns, guarded }) => {
    const nobody = await login(() => Promise.resolve(undefined));
    ok(!nobody.ok);
    match(nobody.text, /needs you at a terminal: start harness and say \/mcp login guarded/);
    const declined = await login(() => Promise.resolve(["Do not sign in"]));
    equal(declined, { ok: false, text: 'Not signed in to "guarded"' });
    equal((await signIns.of(guarded.url)).tokens, undefined);
  }));

Deno.test("a sign-in that is given up takes nothing of the one before away", () =>
  desk(async ({ server, login, signIns, guarded }) => {
    await login();
    const before = await signIns.of(guarded.url);
    // Its port is taken by somebody else, so that it would have to be registered anew.
    await using taken = Deno.serve(
      { hostname: "127.0.0.1", port: before.port ?? 0, onListen: () => {} },
      () => new Response(),
    );
    ok(taken.addr.port === before.port);
    ok(!(await login(() => Promise.resolve(["Do not sign in"]))).ok);
    equal(guarded.registered.length, 2);
    equal(await signIns.of(guarded.url), before);
    guarded.expire();
    await server.connect();
    equal(server.state.kind, "ready", whyOf(server));
  }));

for (
  const [authorize, what] of [
    ["http://login.example/authorize", "an address that others read along"],
    ["file:///usr/bin/true", "a file"],
    ["https://you@login.example/authorize", "an address with a name in front of its host"],
  ] as const
) {
  Deno.test(`nobody is asked to open ${what}`, () =>
    desk(async ({ login, questions }) => {
      const result = await login();
      ok(!result.ok);
      match(result.text, /^Not signed in to "guarded": /);
      equal(questions, []);
    }, { authorize }));
}

Deno.test("a token of the entry's own goes before a sign-in, and a token goes nowhere else", () =>
  desk(async ({ server, login, sent, guarded }) => {
    await login();
    const tokens = new Set(sent.map(({ token }) => token).filter((token) => token !== null));
    ok(sent.filter(({ token }) => token !== null).every(({ url }) => url === guarded.url));
    equal(tokens.size <= 1, true);
    const own = entryOf(
      { type: "http", url: guarded.url, headers: { Authorization: "Bearer own" } },
      "own",
    );
    const { reach } = await reachWithSignIn(own, guarded);
    equal("authProvider" in reach, false);
    await server.connect();
  }));

/** How an entry is reached where a sign-in for its address is kept. */
async function reachWithSignIn(entry: ReturnType<typeof entryOf>, { url }: OauthServer) {
  const signIns = {
    of: () => Promise.resolve({ tokens: { access_token: "kept", token_type: "Bearer" } }),
  };
  const parts = { signIns, http: fetch, workspace: "/", home: undefined };
  const reach = await reachOf(
    entry,
    new Diagnostics(),
    parts as unknown as Parameters<typeof reachOf>[2],
  );
  return { reach, url };
}

Deno.test("a client that was registered by hand signs in as itself, and comes back to its own port", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const redirect = `http://127.0.0.1:${port}/callback`;
  const oauth = { clientId: "ours", clientSecret: "dont-show", callbackPort: port };
  await desk(async ({ server, guarded, login, questions, file }) => {
    const busy = await login();
    match(busy.text, new RegExp(`port ${port}, .* is in use`));
    equal(questions, []);
    taken.close();
    const result = await login();
    ok(result.ok, result.text);
    match(questions.join(), /client_id=ours/);
    await server.connect();
    equal(server.state.kind, "ready");
    ok(!guarded.asked.includes("POST /register"));
    guarded.expire();
    match(await called(server), /somebody/);
    ok(!(await Deno.readTextFile(file)).includes("dont-show"), "it stays in its entry");
  }, { arranged: { id: "ours", secret: "dont-show", redirect }, more: { oauth } });
});

Deno.test("what is kept of a sign-in counts part by part, whatever somebody wrote there", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "mcp_sign_ins.json");
    const tokens = { access_token: "a", token_type: "Bearer", refresh_token: "r" };
    const servers = {
      "https://a.example/": { port: 8080, client: { client_id: 7 }, tokens, scope: "read" },
      "https://b.example/": {
        port: "8080",
        client: { client_id: "c" },
        tokens: { access_token: 1 },
      },
      "https://c.example/": "nothing",
    };
    await Deno.writeTextFile(file, JSON.stringify({ servers }));
    const kept = new SignIns(file);
    equal(await kept.of("https://a.example/"), { port: 8080, tokens, scope: "read" });
    equal(await kept.of("https://b.example/"), { client: { client_id: "c" } });
    equal(await kept.of("https://c.example/"), {});
  }));

Deno.test("logout() forgets the sign-in; a program has none", () =>
  desk(async ({ server, login, signIns, guarded, file }) => {
    ok(!(await logout(server, { signIns })).ok);
    await login();
    match((await logout(server, { signIns })).text, /Forgot the sign-in to "guarded" here/);
    equal((await signIns.of(guarded.url)).tokens, undefined);
    ok(!(await Deno.readTextFile(file)).includes("access_token"));
  }));

Deno.test("there is nothing to sign in to in a program on this machine", () =>
  desk(async ({ login }) => {
    const result = await login();
    ok(!result.ok);
    match(result.text, /is a program on this machine/);
  }, { declared: scripted() }));
