/**
 * An MCP server over HTTP that lets nobody in without a token, and the authorization server beside it (OAuth 2.1: metadata,
 * registration, PKCE, rotating refresh tokens). It refuses what a real one refuses.
 */
import { createHash, randomBytes } from "node:crypto";

export type OauthServer = AsyncDisposable & {
  /** The MCP server's address. */
  url: string;
  origin: string;
  /** What was asked, as `METHOD /path`. */
  readonly asked: readonly string[];
  readonly registered: readonly string[];
  /** From now on no access token that was given is good. */
  expire(): void;
  /** From now on no refresh token is. */
  revoke(): void;
};

type Grant = { client: string; redirect: string; challenge: string };

/** A client that was registered by hand; then nobody registers, and whoever asks for tokens proves who it is. */
export type Arranged = { id: string; secret: string; redirect: string };

/** Start it. `authorize` is the address that it sends people to, where that is not its own. */
export function startOauthServer(
  { authorize, iss, arranged }: { authorize?: string; iss?: string; arranged?: Arranged } = {},
): OauthServer {
  const asked: string[] = [];
  const clients = new Map<string, readonly string[]>();
  if (arranged !== undefined) clients.set(arranged.id, [arranged.redirect]);
  const codes = new Map<string, Grant>();
  const access = new Set<string>();
  const refresh = new Map<string, string>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const url = new URL(request.url);
      const { origin, pathname } = url;
      asked.push(`${request.method} ${pathname}`);
      switch (pathname) {
        case "/mcp":
          return await mcp(request, { origin, access });
        case "/.well-known/oauth-protected-resource/mcp":
          return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
        case "/.well-known/oauth-authorization-server":
          return Response.json(metadata(origin, { authorize, arranged }));
        case "/register": {
          if (arranged !== undefined) return oauthError("access_denied");
          const { redirect_uris: redirects } = await request.json();
          if (!Array.isArray(redirects) || redirects.length === 0) {
            return oauthError("invalid_redirect_uri");
          }
          const id = token();
          clients.set(id, redirects);
          return Response.json({
            client_id: id,
            redirect_uris: redirects,
            token_endpoint_auth_method: "none",
          }, { status: 201 });
        }
        case "/authorize":
          return authorized(url, { clients, codes, iss: iss ?? origin });
        case "/token":
          return await tokens(request, { arranged, codes, access, refresh, origin });
        default:
          return new Response("Not found", { status: 404 });
      }
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    asked,
    get registered() {
      return [...clients.keys()];
    },
    expire: () => access.clear(),
    revoke: () => refresh.clear(),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

type Held = {
  arranged: Arranged | undefined;
  codes: Map<string, Grant>;
  access: Set<string>;
  refresh: Map<string, string>;
  origin: string;
};

async function tokens(
  request: Request,
  { arranged, codes, access, refresh, origin }: Held,
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  if (arranged !== undefined && !proves(request, arranged)) return oauthError("invalid_client");
  const client = arranged?.id ?? form.get("client_id") ?? "";
  form.set("client_id", client);
  const isGood = form.get("grant_type") === "refresh_token"
    ? refreshes(form, refresh)
    : redeems(form, codes, `${origin}/mcp`);
  if (!isGood) return oauthError("invalid_grant");
  const given = { access_token: token(), refresh_token: token() };
  access.add(given.access_token);
  refresh.set(given.refresh_token, client);
  return Response.json({ ...given, token_type: "Bearer", expires_in: 3600 });
}

function token(): string {
  return randomBytes(12).toString("hex");
}

/** Whether a request carries the client's password, as RFC 6749 §2.3.1 has it. */
function proves(request: Request, { id, secret }: Arranged): boolean {
  return request.headers.get("authorization") === `Basic ${btoa(`${id}:${secret}`)}`;
}

function metadata(
  origin: string,
  { authorize = `${origin}/authorize`, arranged }: {
    authorize: string | undefined;
    arranged: Arranged | undefined;
  },
) {
  return {
    issuer: origin,
    authorization_endpoint: authorize,
    token_endpoint: `${origin}/token`,
    ...(arranged === undefined ? { registration_endpoint: `${origin}/register` } : {}),
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: [
      arranged === undefined ? "none" : "client_secret_basic",
    ],
    authorization_response_iss_parameter_supported: true,
  };
}

function oauthError(error: string): Response {
  return Response.json({ error }, { status: 400 });
}

/** Sends the browser back with a code; to no address that was not registered. */
function authorized(
  url: URL,
  { clients, codes, iss }: {
    clients: ReadonlyMap<string, readonly string[]>;
    codes: Map<string, Grant>;
    iss: string;
  },
): Response {
  const param = (name: string) => url.searchParams.get(name) ?? "";
  const [client, redirect, challenge] = [
    param("client_id"),
    param("redirect_uri"),
    param("code_challenge"),
  ];
  const isGood = clients.get(client)?.includes(redirect) === true &&
    param("response_type") === "code" && param("code_challenge_method") === "S256" &&
    challenge !== "" && param("state") !== "";
  if (!isGood) return new Response("Bad request", { status: 400 });
  const code = randomBytes(8).toString("hex");
  codes.set(code, { client, redirect, challenge });
  const back = new URL(redirect);
  back.search = new URLSearchParams({ code, state: param("state"), iss }).toString();
  return new Response(null, { status: 302, headers: { location: back.href } });
}

/** A code is good once, for whoever asked for it and for this server. */
function redeems(form: URLSearchParams, codes: Map<string, Grant>, resource: string): boolean {
  const code = form.get("code") ?? "";
  const grant = codes.get(code);
  codes.delete(code);
  const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest(
    "base64url",
  );
  return grant !== undefined && form.get("grant_type") === "authorization_code" &&
    grant.client === form.get("client_id") && grant.redirect === form.get("redirect_uri") &&
    grant.challenge === challenge && form.get("resource") === resource;
}

/** A refresh token is good once. */
function refreshes(form: URLSearchParams, refresh: Map<string, string>): boolean {
  const given = form.get("refresh_token") ?? "";
  const client = refresh.get(given);
  refresh.delete(given);
  return client !== undefined && client === form.get("client_id");
}

async function mcp(
  request: Request,
  { origin, access }: { origin: string; access: ReadonlySet<string> },
): Promise<Response> {
  const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined || !access.has(token)) {
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return new Response("Sign in", {
      status: 401,
      headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
    });
  }
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const { id, method, params } = await request.json();
  if (id === undefined) return new Response(null, { status: 202 });
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "guarded", version: "1" },
    },
    "tools/list": { tools: [{ name: "whoami", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: `somebody who signed in with ${token}` }] },
  };
  const result = results[method];
  return Response.json(
    result === undefined
      ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
      : { jsonrpc: "2.0", id, result },
  );
}
