import { deepStrictEqual as equal, ok, throws } from "node:assert/strict";
import { PersonError } from "@/protocol/error.ts";
import { connectionOf, type ConnectionSources, originText } from "@/provider/connection.ts";
import { factsOf } from "../support/wire_options.ts";

const facts = {
  name: "anthropic",
  title: "Anthropic",
  keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  baseUrlVariable: "ANTHROPIC_BASE_URL",
  defaultBaseUrl: "https://api.anthropic.com",
};
const savedIn = "/state/providers.json";

function connect(sources: Partial<ConnectionSources>) {
  const connection = connectionOf(facts, { env: {}, savedIn, ...sources });
  return { ...connection, key: connection.key?.reveal() };
}

Deno.test("connectionOf() takes the base URL from the option, then the variable, then the file, then the default", () => {
  const env = { ANTHROPIC_BASE_URL: "https://from.env" };
  const saved = { base_url: "https://from.file" };
  const cases: [Partial<ConnectionSources>, string, string][] = [
    [{ env, saved, baseUrl: "https://from.option" }, "https://from.option", "--base-url"],
    [{ env, saved }, "https://from.env", "ANTHROPIC_BASE_URL"],
    [{ saved }, "https://from.file", savedIn],
    [
      { env: { ANTHROPIC_BASE_URL: "  " }, saved: { base_url: "" } },
      "https://api.anthropic.com",
      "the default",
    ],
  ];
  for (const [sources, url, from] of cases) {
    const { baseUrl, baseUrlFrom } = connect(sources);
    equal([baseUrl, originText(baseUrlFrom)], [url, from]);
  }
});

Deno.test("connectionOf() takes the key from the environment first and says what that hides", () => {
  const saved = { api_key: "from-file" };
  const file = { kind: "file", path: savedIn };
  equal(connect({ saved }).key, "from-file");
  equal(connect({ saved }).keyFrom, file);
  const both = connect({ saved, env: { ANTHROPIC_API_KEY: " from-env\n" } });
  equal([both.key, both.keyFrom, both.hiddenKeyFrom], ["from-env", {
    kind: "variable",
    name: "ANTHROPIC_API_KEY",
  }, file]);
  equal(connect({ env: { ANTHROPIC_AUTH_TOKEN: "token" } }).keyFrom, {
    kind: "variable",
    name: "ANTHROPIC_AUTH_TOKEN",
  });
  const same = connect({ saved, env: { ANTHROPIC_API_KEY: "from-file" } });
  equal(same.hiddenKeyFrom, undefined);
  equal(connect({ env: { ANTHROPIC_API_KEY: "" } }).key, undefined);
});

Deno.test("connectionOf() names the place of an address that is none", () => {
  throws(
    () => connect({ env: { ANTHROPIC_BASE_URL: "ftp://x" } }),
    (error: unknown) => {
      ok(error instanceof PersonError);
      equal(error.kind, "settings");
      equal(
        error.message,
        'Cannot reach Anthropic: "ftp://x" (from ANTHROPIC_BASE_URL) is not the address of a server',
      );
      equal(error.hint, "An address looks like https://api.anthropic.com");
      return true;
    },
  );
});

Deno.test("connectionOf() never shows a key", () => {
  const connection = connectionOf(facts, {
    env: { ANTHROPIC_API_KEY: "sesame" },
    savedIn,
    baseUrl: "https://me:open@box",
  });
  for (const text of [Deno.inspect(connection, { depth: 9 }), JSON.stringify(connection)]) {
    ok(!/sesame|open/.test(text), text);
  }
  equal(connection.baseUrl, "https://box");
});

Deno.test("connectionOf() reads OLLAMA_HOST", () => {
  const connection = connectionOf(factsOf("ollama"), { env: { OLLAMA_HOST: "0.0.0.0" }, savedIn });
  equal(connection.baseUrl, "http://127.0.0.1:11434");
});
