import { deepStrictEqual as equal, match } from "node:assert/strict";
import { readServers, type ServerFile } from "@/mcp/config.ts";

const project = (text: string): ServerFile => ({ label: ".mcp.json", origin: "project", text });
const person = (text: string): ServerFile => ({ label: "mcp.json", origin: "person", text });

function read(files: readonly ServerFile[], env: Record<string, string> = {}) {
  return readServers(files, { env, workspace: "/ws" });
}

function only(entry: unknown, { env = {}, origin = person } = {}) {
  const { servers: [server] } = read(
    [origin(JSON.stringify({ mcpServers: { s: entry } }))],
    env,
  );
  return server;
}

const COMMON = {
  name: "s",
  origin: "person",
  label: "mcp.json",
  isDisabled: false,
  autoApprove: [],
  isTrusted: false,
  withoutTools: [],
} as const;

Deno.test("readServers() tells how a server is reached from what its entry has", () => {
  const stdio = { kind: "stdio", args: [], env: {}, writes: [], reads: [], isOutside: false };
  const http = { kind: "http", headers: {}, isStated: false };
  const cases: [unknown, unknown][] = [
    [{ command: "a" }, { ...stdio, command: "a" }],
    [{ command: ["a", "b"], args: [1] }, { ...stdio, command: "a", args: ["b", "1"] }],
    [{ type: "local", command: "a" }, { ...stdio, command: "a" }],
    [{ command: "a", env: { N: 1 }, cwd: "x" }, {
      ...stdio,
      command: "a",
      env: { N: "1" },
      cwd: "x",
    }],
    [{ url: "https://x/" }, { ...http, url: "https://x/" }],
    [{ httpUrl: "https://x/" }, { ...http, url: "https://x/" }],
    [
      { type: "streamable-http", url: "https://x/", headers: { a: "b" } },
      { ...http, url: "https://x/", headers: { a: "b" }, isStated: true },
    ],
    [{ transport: "SSE", url: "https://x/" }, {
      ...http,
      kind: "sse",
      url: "https://x/",
      isStated: true,
    }],
  ];
  for (const [entry, start] of cases) {
    equal(only(entry), { ...COMMON, start }, JSON.stringify(entry));
  }
});

Deno.test("readServers() says why an entry is of no use", () => {
  const cases: [unknown, string][] = [
    [{}, "it has neither a command nor a url"],
    [{ type: "stdio" }, "it has no command"],
    [
      { type: "carrier pigeon", url: "https://x" },
      'its type "carrier pigeon" is not known; the types are stdio, http and sse',
    ],
    [{ url: "file:///etc/passwd" }, "its url is no http: or https: address"],
    [{ command: "a", args: ["${NOPE}", "${env:NEITHER}"] }, "NOPE, NEITHER are not set"],
  ];
  for (const [entry, problem] of cases) equal(only(entry), { ...COMMON, problem });
  equal(only("a")?.problem?.startsWith("its entry is not understood"), true);
  equal(only({ command: "a", timeout: "soon" })?.problem?.includes("timeout"), true);
});

Deno.test("readServers() replaces variables everywhere, with defaults, and the workspace under its known names", () => {
  const entry = only({
    url: "https://${HOST:-x.example}/${EMPTY:-a}",
    headers: { Authorization: "Bearer ${TOK} ${env:TOK}", In: "${workspaceFolder}" },
  }, { env: { TOK: "t", EMPTY: "" } });
  equal(entry?.start, {
    kind: "http",
    url: "https://x.example/a",
    headers: { Authorization: "Bearer t t", In: "/ws" },
    isStated: false,
  });
});

Deno.test("readServers() reads every word about rights and tools", () => {
  equal(
    only({
      command: "a",
      enabled: false,
      timeout: 5,
      alwaysAllow: ["x"],
      trust: true,
      includeTools: ["x", "y"],
      disabledTools: ["z"],
      sandbox: false,
      writes: ["."],
    }),
    {
      ...COMMON,
      isDisabled: true,
      timeoutS: 5,
      autoApprove: ["x"],
      isTrusted: true,
      onlyTools: ["x", "y"],
      withoutTools: ["z"],
      start: {
        kind: "stdio",
        command: "a",
        args: [],
        env: {},
        writes: ["."],
        reads: [],
        isOutside: true,
      },
    },
  );
});

Deno.test("readServers() reads the client that was registered with a server by hand", () => {
  const start = (oauth: unknown) => only({ url: "https://a.example/mcp", oauth })?.start;
  const bare = { kind: "http", url: "https://a.example/mcp", headers: {}, isStated: false };
  const oauth = { clientId: "id", clientSecret: "${SECRET:-s}", callbackPort: 8123, more: 1 };
  equal(start(oauth), {
    ...bare,
    oauth: { clientId: "id", clientSecret: "s", callbackPort: 8123 },
  });
  equal([start({ clientId: "id" }), start(true), start({})], [
    { ...bare, oauth: { clientId: "id" } },
    bare,
    bare,
  ]);
  match(
    `${only({ url: "https://a.example", oauth: { clientId: "id", callbackPort: 0 } })?.problem}`,
    /oauth/,
  );
});

Deno.test("readServers() lets no project take a server out of the sandbox", () => {
  const start = only({ command: "a", sandbox: false }, { origin: project })?.start;
  equal(start?.kind === "stdio" && start.isOutside, false);
});

Deno.test("readServers() takes the first entry of a name, in each of the two forms, with comments", () => {
  const { servers, problems } = read([
    project('{"mcpServers": {"a": {"command": "first"}, "__proto__": {"command": "odd"}}}'),
    person(`{
      // mine
      "servers": { "a": {"command": "second"}, /* not // this */ "b": {"url": "https://x//y",}, },
    }`),
  ]);
  const told = servers.map(({ name, origin, start }) => [
    name,
    origin,
    start?.kind === "stdio" ? start.command : start?.url,
  ]);
  equal(told, [["a", "project", "first"], ["__proto__", "project", "odd"], [
    "b",
    "person",
    "https://x//y",
  ]]);
  equal(problems, []);
});

Deno.test("readServers() says which file is none", () => {
  const { servers, problems } = read([project("{"), person("[]"), person("{}")]);
  equal(servers, []);
  equal(problems.length, 2);
  equal(problems[0], 'No server of .mcp.json is started: it is not JSON with "mcpServers" in it');
});

Deno.test("the example that is shipped declares what it says", async () => {
  const text = await Deno.readTextFile(new URL("../../.mcp.json.example", import.meta.url));
  const { servers, problems } = read([project(text)], { GITHUB_TOKEN: "t", MY_KEY: "k" });
  equal(problems, []);
  equal(
    servers.map(({ name, isDisabled, problem, start }) => [name, isDisabled, problem, start?.kind]),
    [
      ["filesystem", false, undefined, "stdio"],
      ["github", false, undefined, "http"],
      ["off-for-now", true, undefined, "stdio"],
    ],
  );
});
