/** The one place that knows the SDK: a connection to one server, in our words. Loaded when there is a server. */
import {
  type CallToolResult,
  Client,
  type ElicitRequest,
  type ElicitResult,
  type FetchLike,
  type GetPromptResult,
  type Implementation,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { JsonSchema } from "@/protocol/tool.ts";
import { describe } from "@/lib/describe.ts";
import { isObject, parsedJson } from "@/lib/json.ts";
import { StartError } from "@/sandbox/spawn.ts";
import { checkValue } from "./schema_check.ts";
import { tidyMessage } from "./tidy.ts";

export type { CallToolResult, ElicitRequest, ElicitResult, GetPromptResult, Prompt, Tool };
export type { OAuthClientMetadata, OAuthClientProvider, OAuthDiscoveryState };
export type { ReadResourceResult, Resource };
/** What a client was registered as, and what it was given, each with the issuer that did. */
export type { StoredOAuthClientInformation as OAuthClient, StoredOAuthTokens as OAuthTokens };

/** How a server is reached. */
export type Reach =
  | {
    kind: "stdio";
    /** A start of its own for each call. */
    open(): Transport;
  }
  | {
    kind: "http" | "sse";
    url: string;
    headers: Readonly<Record<string, string>>;
    fetch: FetchLike;
    authProvider?: OAuthClientProvider;
    /** Takes out of a text what the person is signed in with: a server may send it back. */
    hide?(text: string): string;
    /** Whether it may be a server of the older kind, with a stream of its own for answers. */
    mayBeOlder?: boolean;
  };

/** What the other side may start. */
export type ClientHooks = {
  onToolsChanged(): void;
  onResourcesChanged(): void;
  onPromptsChanged(): void;
  /** The connection is gone, whoever ended it. */
  onClosed(): void;
  elicit(request: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult>;
};

export type ConnectOptions = {
  reach: Reach;
  hooks: ClientHooks;
  /** What we introduce ourselves as. */
  program: Implementation;
  timeoutMs: number;
  /** Told how to end what was opened, before anything is asked of it. */
  onOpening?(end: () => Promise<void>): void;
  /** Whether anybody still wants it: what was ended while it was opened is not opened again. */
  isWanted?(): boolean;
};

/** What one call of a tool is given. */
export type CallOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress(
    progress: { progress: number; total?: number | undefined; message?: string | undefined },
  ): void;
};

/** What a server says of itself. */
export type ServerFacts = {
  title: string;
  version: string;
  protocol: string;
  instructions: string;
  hasTools: boolean;
  hasResources: boolean;
  hasPrompts: boolean;
};

/** How long a program gets to say which revision it speaks, before it is taken for an old one that is silent. HTTP answers. */
const PROBE_MS = 1_500;
const LIST_PAGES_MAX = 20;

/** Connect. Throws what failed, in words for the person, as Error. */
export async function connectClient(options: ConnectOptions): Promise<McpClient> {
  const { reach } = options;
  if (reach.kind !== "stdio") return await connectHttp(options, reach);
  try {
    return await connected(options, reach.open());
  } catch (error) {
    const isWanted = options.isWanted?.() ?? true;
    if (error instanceof StartError || isTimeout(error) || !isWanted) throw error;
    // A server that ends when it is asked something that it does not know: started once more, and not asked.
    return await connected(options, reach.open(), true);
  }
}

/**
 * Sign in to a server over HTTP: it is asked, answers that it wants that, `reach.authProvider` shows where, and `answer` gives
 * what came back from there. Resolves to false where it lets us in without. Throws what failed.
 */
export async function signIn(
  options: Omit<ConnectOptions, "reach"> & { reach: HttpReach },
  answer: () => Promise<URLSearchParams>,
): Promise<boolean> {
  const { kind, url, more } = httpParts(options.reach);
  const transport = kind === "sse"
    ? new SSEClientTransport(url, more)
    : new StreamableHTTPClientTransport(url, more);
  try {
    const client = await connected(options, transport, kind === "sse");
    await client.close();
    return false;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await answer());
    return true;
  } finally {
    await transport.close();
  }
}

type HttpReach = Extract<Reach, { kind: "http" | "sse" }>;

function httpParts(reach: HttpReach) {
  const { kind, url, headers, authProvider } = reach;
  const more = {
    requestInit: { headers: { ...headers } },
    fetch: reach.fetch,
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  return { kind, url: new URL(url), more };
}

async function connectHttp(
  options: ConnectOptions,
  reach: HttpReach,
): Promise<McpClient> {
  const { kind, url, more } = httpParts(reach);
  const { mayBeOlder } = reach;
  const older = async () => await connected(options, new SSEClientTransport(url, more), true);
  if (kind === "sse") return await older();
  try {
    return await connected(options, new StreamableHTTPClientTransport(url, more));
  } catch (error) {
    const status = statusOf(error);
    if (mayBeOlder !== true || (status !== 404 && status !== 405)) throw error;
    return await older();
  }
}

async function connected(
  { hooks, program, timeoutMs, onOpening, reach }: ConnectOptions,
  transport: Transport,
  isOld = false,
): Promise<McpClient> {
  const client = clientFor(hooks, program, reach.kind === "stdio" ? PROBE_MS : timeoutMs);
  readTidily(transport, "hide" in reach ? reach.hide?.bind(reach) : undefined);
  onOpening?.(() => transport.close());
  await client.connect(transport, {
    timeout: timeoutMs,
    ...(isOld ? { prior: { kind: "legacy" } } : {}),
  });
  client.onclose = () => hooks.onClosed();
  return new McpClient(client);
}

/** Whoever takes over the transport sets its listener; what that hears is tidied first. */
function readTidily(transport: Transport, hide?: (text: string) => string): void {
  let heard: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: () => heard,
    set: (listener: Transport["onmessage"]) => {
      // A message stays what it was but for what is wrong with it.
      heard = listener === undefined
        ? undefined
        : (message, extra) => listener(tidyMessage(message, hide) as typeof message, extra);
    },
  });
}

function clientFor(hooks: ClientHooks, program: Implementation, probeMs: number): Client {
  const client = new Client(program, {
    // Neither sampling nor roots: both are on their way out, and a server has no business with the model or the disk.
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
    listMaxPages: LIST_PAGES_MAX,
    jsonSchemaValidator: { getValidator: (schema) => outputValidator(schema) },
    listChanged: {
      // At once: what was seen of a tool must not be acted on a moment longer than needed.
      tools: { autoRefresh: false, debounceMs: 0, onChanged: () => hooks.onToolsChanged() },
      resources: { autoRefresh: false, onChanged: () => hooks.onResourcesChanged() },
      prompts: { autoRefresh: false, onChanged: () => hooks.onPromptsChanged() },
    },
  });
  client.setRequestHandler(
    "elicitation/create",
    ({ params }, { mcpReq }) => hooks.elicit(params, mcpReq.signal),
  );
  client.fallbackRequestHandler = ({ method }) => {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `harness does not offer ${method}: a server asks the person (elicitation), and nothing else`,
    );
  };
  return client;
}

/** A result is checked by the server's own schema. One that cannot be used is the server's affair, not the person's. */
function outputValidator<T>(schema: unknown) {
  return (value: unknown) => {
    const checked = checkValue(value, schema as JsonSchema);
    return checked.kind === "refused"
      ? { valid: false as const, data: undefined, errorMessage: checked.why }
      // The SDK's types say what the schema was meant to say.
      : { valid: true as const, data: value as T, errorMessage: undefined };
  };
}

/** One connection. Methods throw Error with a sentence; `close` never throws. */
export class McpClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  get facts(): ServerFacts {
    const { name = "", version = "", title } = this.#client.getServerVersion() ?? {};
    const has = this.#client.getServerCapabilities();
    return {
      title: title ?? name,
      version,
      protocol: this.#client.getNegotiatedProtocolVersion() ?? "",
      instructions: this.#client.getInstructions() ?? "",
      hasTools: has?.tools !== undefined,
      hasResources: has?.resources !== undefined,
      hasPrompts: has?.prompts !== undefined,
    };
  }

  /** All tools as they are now. */
  async tools(): Promise<readonly Tool[]> {
    if (!this.facts.hasTools) return [];
    return (await this.#client.listTools(undefined, { cacheMode: "refresh" })).tools;
  }

  async resources(): Promise<readonly Resource[]> {
    if (!this.facts.hasResources) return [];
    return (await this.#client.listResources(undefined, { cacheMode: "refresh" })).resources;
  }

  /** Patterns of addresses that it reads, as `{ uriTemplate, name }`. */
  async templates(): Promise<readonly { uriTemplate: string; name: string }[]> {
    if (!this.facts.hasResources) return [];
    try {
      return (await this.#client.listResourceTemplates()).resourceTemplates;
    } catch (error) {
      // Not every server that has resources knows the question.
      if (error instanceof ProtocolError) return [];
      throw error;
    }
  }

  async prompts(): Promise<readonly Prompt[]> {
    if (!this.facts.hasPrompts) return [];
    return (await this.#client.listPrompts(undefined, { cacheMode: "refresh" })).prompts;
  }

  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return await this.#client.readResource({ uri }, { signal, cacheMode: "refresh" });
  }

  async prompt(name: string, args: Record<string, string>): Promise<GetPromptResult> {
    return await this.#client.getPrompt({ name, arguments: args });
  }

  /** Call a tool; an interrupt tells the server that nobody waits any more. */
  async call(
    name: string,
    args: Record<string, unknown>,
    { signal, timeoutMs, onProgress }: CallOptions,
  ): Promise<CallToolResult> {
    return await this.#client.callTool({ name, arguments: args }, {
      signal,
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      onprogress: onProgress,
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#client.close()]);
  }
}

/** Whether a connection was lost, rather than a call refused. */
export function isLost(error: unknown): boolean {
  return error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed ||
    error.code === SdkErrorCode.NotConnected || error.code === SdkErrorCode.SendFailed);
}

/** Whether nothing came in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Why it failed, as the end of a sentence. */
export function failureText(error: unknown): string {
  if (isTimeout(error)) return "it did not answer in time";
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return `it answered ${status}: it wants a sign-in, /mcp login SERVER, or a key or a token, which "headers" of its entry carries`;
  }
  if (status !== undefined) return `it answered ${status} (${describe(error)})`;
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
    return `its answer is not what the protocol has (${withoutJson(describe(error))})`;
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded) {
    return `its list goes on after ${LIST_PAGES_MAX} pages, and no more are read`;
  }
  const text = describe(error);
  const cause = error instanceof Error && error.cause instanceof Error ? describe(error.cause) : "";
  if (cause === "") return text;
  // Who passes an error on says it again, behind what it was doing.
  return text.includes(cause) ? cause : `${text}: ${cause}`;
}

/** What zod found wrong, which the SDK shows as its JSON: the first of it, in words. */
function withoutJson(text: string): string {
  const at = text.indexOf(": [");
  const [first] = at < 0 ? [] : asList(parsedJson(text.slice(at + 2)));
  if (!isObject(first) || !Array.isArray(first.path)) return text;
  return `${text.slice(0, at)}: ${first.path.join(".")}: ${first.message}`;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function statusOf(error: unknown): number | undefined {
  const data = error instanceof SdkError ? error.data : undefined;
  return typeof data === "object" && data !== null && "status" in data &&
      typeof data.status === "number"
    ? data.status
    : undefined;
}
