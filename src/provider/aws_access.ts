/** Requests to AWS with the proof that it wants: a bearer key, or a signature by credentials that are found. */
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { AwsV4Signer } from "aws4fetch";
import type { Env } from "@/lib/proxy.ts";
import { Secret } from "@/lib/secret.ts";
import { awsFiles, awsProfile, filled, hasEnvKeys } from "./aws_place.ts";
import { ConnectionFailure, type Http, type HttpRequest } from "./http.ts";

const SERVICE = "bedrock";
const ASK_MS_MAX = 20_000;

/** What AWS signs with. */
type Keys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

export type AwsAccessParts = {
  env: Env;
  http: Pick<Http, "text">;
  region: string;
  /** The time in milliseconds. */
  now(): number;
};

/** Finds credentials when they are first needed, and again when they run out. */
export class AwsAccess {
  readonly #parts: AwsAccessParts;
  readonly #find: () => Promise<Keys>;
  #keys: Keys | undefined;

  constructor(parts: AwsAccessParts) {
    this.#parts = parts;
    this.#find = finder(parts);
  }

  /** What must not be told of the credentials in use. */
  get secrets(): readonly Secret[] {
    const { secretAccessKey, sessionToken } = this.#keys ?? {};
    return [secretAccessKey, sessionToken].flatMap((text) =>
      text === undefined ? [] : [new Secret(text)]
    );
  }

  /** The request, signed for this moment. Throws ConnectionFailure where no credentials are found. */
  async sign({ url, headers, body }: HttpRequest): Promise<HttpRequest> {
    const keys = await this.#find();
    this.#keys = keys;
    const datetime = new Date(this.#parts.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, "");
    const signer = new AwsV4Signer({
      ...{ url, service: SERVICE, region: this.#parts.region, datetime },
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      ...keys,
    });
    const signed = await signer.sign();
    return {
      url: signed.url.toString(),
      headers: Object.fromEntries(signed.headers.entries()),
      ...(body === undefined ? {} : { body }),
    };
  }
}

function finder({ env, http, region }: AwsAccessParts): () => Promise<Keys> {
  if (hasEnvKeys(env)) {
    const token = filled(env.AWS_SESSION_TOKEN);
    const keys = {
      accessKeyId: filled(env.AWS_ACCESS_KEY_ID) ?? "",
      secretAccessKey: filled(env.AWS_SECRET_ACCESS_KEY) ?? "",
      ...(token === undefined ? {} : { sessionToken: token }),
    };
    return () => Promise.resolve(keys);
  }
  const { config, credentials } = awsFiles(env);
  const find = defaultProvider({
    profile: awsProfile(env),
    ...(credentials === undefined ? {} : { filepath: credentials }),
    ...(config === undefined ? {} : { configFilepath: config }),
    clientConfig: { region, requestHandler: handler(http) },
    logger: quiet,
  });
  return async () => {
    try {
      const { accessKeyId, secretAccessKey, sessionToken } = await find();
      return {
        accessKeyId,
        secretAccessKey,
        ...(sessionToken === undefined ? {} : { sessionToken }),
      };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new ConnectionFailure("no_key", error.message);
    }
  };
}

/** Nothing of the library is printed. */
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

type SdkRequest = {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
};

/** How the library asks for roles and sign-ins: by our one way out, where proxy and certificates are seen to. */
function handler(http: Pick<Http, "text">) {
  return {
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { protocol, hostname, port, path, query = {}, headers, body } = request;
      const url = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
      for (const [name, value] of Object.entries(query)) {
        for (const one of [value].flat()) url.searchParams.append(name, one ?? "");
      }
      const reply = await http.text({
        url: url.href,
        headers,
        ...(request.method === "POST" ? { body: textOf(body) } : {}),
      }, { signal: abortSignal ?? new AbortController().signal, timeoutMs: ASK_MS_MAX });
      const response = {
        statusCode: reply.status,
        headers: Object.fromEntries(reply.headers.entries()),
        body: new TextEncoder().encode(reply.text),
      };
      return { response };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

function textOf(body: unknown): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? "");
}
