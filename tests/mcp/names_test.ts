import { deepStrictEqual as equal, notDeepStrictEqual as differ, ok } from "node:assert/strict";
import { nameTools, serverPart, slug, slugs } from "@/mcp/names.ts";
import { fc } from "../support/property.ts";

const VALID = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const named = (servers: Record<string, string[]>) => nameTools(new Map(Object.entries(servers)));
const names = (servers: Record<string, string[]>) => named(servers).map(({ name }) => name);

Deno.test("slug() keeps letters, digits, _ and -", () => {
  const cases = [
    ["filesystem", "filesystem"],
    ["my server", "my-server"],
    ["a__b", "a_b"],
    [
      "\u200b",
      "server",
    ],
    ["", "server"],
    ["a.b/c", "a-b-c"],
  ];
  for (const [name = "", expected] of cases) equal(slug(name), expected);
});

Deno.test("slugs() tells apart what would be the same", () => {
  const parts = slugs(["my server", "my-server", "my.server", "other"]);
  equal(parts.get("my-server"), "my-server", "who is written like it keeps it");
  equal(parts.get("other"), "other");
  equal(new Set(parts.values()).size, 4);
});

Deno.test("nameTools() shortens what is too long, and keeps it apart", () => {
  const long = "x".repeat(90);
  const [a, b, short] = names({ s: [`${long}a`, `${long}b`, "read"] });
  differ(a, b);
  equal(short, "mcp__s__read");
  ok([a, b].every((name) => VALID.test(name ?? "")));
});

Deno.test("nameTools() names odd tools, and no server can name those of another", () => {
  const odd = ["", "a\u001b[2J", "t\u200bool", "a.b", "a-b", "a/b", "__proto__"];
  const all = names({ s: odd, "s2": ["constructor"] });
  ok(all.every((name) => VALID.test(name)), all.join(" "));
  equal(new Set(all).size, all.length);
  ok(all.includes("mcp__s__a-b"), "who is written like it keeps it");
});

Deno.test("nameTools() gives valid names, each once, the same whatever the order", () => {
  const tools = fc.uniqueArray(
    fc.oneof(fc.string({ maxLength: 100 }), fc.constantFrom("a b", "a.b", "a-b")),
  );
  fc.assert(fc.property(tools, tools, (one, two) => {
    const servers = { one, two };
    const all = named(servers);
    ok(all.every(({ name }) => VALID.test(name)));
    equal(new Set(all.map(({ name }) => name)).size, all.length);
    const turned = named({ two: two.toReversed(), one: one.toReversed() });
    const pairs = (list: typeof all) =>
      list.map(({ server, tool, name }) => `${server} ${tool} ${name}`).toSorted();
    equal(pairs(turned), pairs(all));
  }));
});

Deno.test("serverPart() says whose a tool is by its name", () => {
  for (const { name, server } of named({ fs: ["read", "a__b"], "my_db": ["query"] })) {
    equal(serverPart(name), server);
  }
  equal(serverPart("read_file"), undefined);
});
