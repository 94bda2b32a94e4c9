/**
 * What the conformance suite drives: `client.ts URL`, with the scenario in MCP_CONFORMANCE_SCENARIO. It is our own MCP client
 * with a person who signs in wherever they are sent and takes what a form proposes.
 */
import { connectClient, type McpClient, signIn } from "@/mcp/client.ts";
import { elicit } from "@/mcp/elicit.ts";
import { SignIn, SignInNeeded } from "@/mcp/sign_in.ts";
import type { Kept } from "@/mcp/sign_ins.ts";

const [url = ""] = Deno.args;
const SCENARIO = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
const CONTEXT: {
  client_id?: string;
  client_secret?: string;
  /** The calls to make; absent: each tool once. */
  toolCalls?: readonly { name: string; arguments: Record<string, unknown> }[];
} = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");
/** An address at which the suite's server reads what a client is. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";
const PORT = 3000;
/** A server that is never content is left. */
const SIGN_INS_MAX = 2;

const kept = new Map<string, Kept>();
const signIns = {
  of: (of: string) => Promise.resolve(kept.get(of) ?? {}),
  change: (of: string, change: (was: Kept) => Kept | undefined) => {
    const next = change(kept.get(of) ?? {});
    if (next === undefined) kept.delete(of);
    else kept.set(of, next);
    return Promise.resolve();
  },
};

function provider(show?: (at: URL) => void): SignIn {
  const { client_id: id, client_secret: secret } = CONTEXT;
  const client = id === undefined
    ? {}
    : { client: { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) } };
  const made = new SignIn({
    name: "conformance",
    url,
    signIns,
    port: PORT,
    ...client,
    ...(show === undefined ? {} : { show }),
  });
  return Object.assign(
    made,
    SCENARIO === "auth/basic-cimd" ? { clientMetadataUrl: METADATA_URL } : {},
  );
}

function options(authProvider: SignIn) {
  return {
    reach: { kind: "http" as const, url, headers: {}, fetch, authProvider },
    program: { name: "harness-conformance", version: "1" },
    timeoutMs: 20_000,
    hooks: {
      onToolsChanged: () => {},
      onResourcesChanged: () => {},
      onPromptsChanged: () => {},
      onClosed: () => {},
      elicit: (request: Parameters<typeof elicit>[1]) =>
        elicit("conformance", request, () => Promise.resolve("")),
    },
  };
}

/** Follows the address as a browser would, and comes back with what it was sent back with. */
async function signedIn(): Promise<void> {
  let shown: URL | undefined;
  await signIn(options(provider((at) => shown = at)), async () => {
    if (shown === undefined) throw new Error("The client did not say where to sign in");
    const response = await fetch(shown, { redirect: "manual" });
    await response.body?.cancel();
    return new URL(response.headers.get("location") ?? "").searchParams;
  });
}

/** Does it, and once more after signing in where that was wanted. */
async function withSignIn<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 0;; tries += 1) {
    try {
      return await act();
    } catch (error) {
      const isWanted = error instanceof SignInNeeded || /401|Unauthorized/i.test(`${error}`);
      if (!isWanted || tries >= SIGN_INS_MAX) throw error;
      await signedIn();
    }
  }
}

const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  add_numbers: { a: 5, b: 3 },
};

async function use(client: McpClient): Promise<void> {
  const { signal } = new AbortController();
  const options = { signal, timeoutMs: 20_000, onProgress: () => {} };
  const tools = await client.tools();
  const calls = CONTEXT.toolCalls ??
    tools.map(({ name }) => ({ name, arguments: ARGUMENTS[name] ?? {} }));
  for (const call of calls) await client.call(call.name, call.arguments, options);
}

await withSignIn(async () => {
  const client = await connectClient(options(provider()));
  try {
    await use(client);
  } finally {
    await client.close();
  }
});
