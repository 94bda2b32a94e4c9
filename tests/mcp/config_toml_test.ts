import { deepStrictEqual as equal, match, throws } from "node:assert/strict";
import { readServers } from "@/mcp/config.ts";
import { jsonOfMcpToml } from "@/mcp/config_toml.ts";

Deno.test("the servers of a profile are entries like those of the JSON files", () => {
  const toml = `[[servers]]
name = "files"
command = "mcp-server-filesystem"
args = ["~/notes"]
env = { READ_ONLY = "1" }

[[servers]]
name = "docs"
url = "https://mcp.example.com/mcp"
headers = { Authorization = "Bearer \${DOCS_TOKEN}" }
`;
  const text = jsonOfMcpToml(toml, "mcp.toml");
  const { servers, problems } = readServers([{ label: "mcp.toml", origin: "person", text }], {
    env: { DOCS_TOKEN: "t" },
    workspace: "/w",
  });
  equal(problems, []);
  equal(servers.map(({ name, problem, start }) => [name, problem, start?.kind]), [
    ["files", undefined, "stdio"],
    ["docs", undefined, "http"],
  ]);
  const [, docs] = servers;
  equal(docs?.start?.kind === "http" && docs.start.headers, { Authorization: "Bearer t" });
  equal(jsonOfMcpToml("", "p"), `{"mcpServers":{}}`);
});

Deno.test("a slip in the servers of a profile is an error with file and line", () => {
  const cases: readonly (readonly [text: string, says: RegExp])[] = [
    [`[[server]]\nname = "a"`, /p:1: "server" means nothing in the file; "servers" was/],
    [`[[servers]]\ncommand = "a"`, /p:1: a server needs a "name"/],
    [`[[servers]]\nname = 1`, /p:2: a server needs a "name"/],
    [
      `[[servers]]\nname = "a"\ncomand = "x"`,
      /p:3: "comand" means nothing in a server; "command" was/,
    ],
    [`[[servers]]\nname = "a"\n[[servers]]\nname = "a"`, /p:4: two servers are named "a"/],
    [`servers = "a"`, /p:1: "servers" are tables/],
    [`[[servers]\n`, /p:1:\d+: it is not TOML/],
  ];
  for (const [text, says] of cases) {
    throws(() => jsonOfMcpToml(text, "p"), (error) => (match(String(error), says, text), true));
  }
});
