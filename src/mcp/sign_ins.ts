/** What servers were signed in to, by address, in one private file of the state directory that all processes share. */
import { isObject } from "@/lib/json.ts";
import { type JsonShape, readJsonFile, updateJsonFile } from "@/lib/json_file.ts";
import type { OAuthClient, OAuthTokens } from "./client.ts";

/** What is kept for a server. The client and the tokens carry the issuer that gave them. */
export type Kept = {
  /** The port of this machine that the registered redirect leads to. */
  port?: number;
  client?: OAuthClient;
  tokens?: OAuthTokens;
  /** What the server wanted when the tokens were not enough, to be asked for the next time. */
  scope?: string;
};

type File = { servers: Record<string, unknown> } & Record<string, unknown>;

const SHAPE: JsonShape<File> = {
  read: (value) => {
    if (!isObject(value) || !isObject(value.servers ?? {})) {
      throw new Error("it is no list of servers");
    }
    return { ...value, servers: isObject(value.servers) ? value.servers : {} };
  },
  empty: () => ({ servers: {} }),
};

/** The file. What is damaged counts as no sign-in, and is set aside whole when something is kept. */
export class SignIns {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What is kept for the server at this address. */
  async of(url: string): Promise<Kept> {
    const { value } = await readJsonFile(this.#path, SHAPE);
    return keptIn(value, url);
  }

  /** Change it; undefined forgets all of it. Throws where it cannot be written. */
  async change(url: string, change: (kept: Kept) => Kept | undefined): Promise<void> {
    await updateJsonFile(this.#path, {
      ...SHAPE,
      private: true,
      what: "what you are signed in to",
      onDamaged: () => {},
      change: (file) => {
        const { [url]: _, ...others } = file.servers;
        const next = change(keptIn(file, url));
        return { ...file, servers: next === undefined ? others : { ...others, [url]: next } };
      },
    });
  }
}

function keptIn({ servers }: File, url: string): Kept {
  const kept = Object.hasOwn(servers, url) ? servers[url] : undefined;
  if (!isObject(kept)) return {};
  const { port, client, tokens, scope } = kept;
  return {
    ...(typeof port === "number" && Number.isInteger(port) ? { port } : {}),
    ...(isObject(client) && typeof client.client_id === "string"
      ? { client: client as OAuthClient }
      : {}),
    ...(typeof scope === "string" ? { scope } : {}),
    ...(isObject(tokens) && typeof tokens.access_token === "string" &&
        typeof tokens.token_type === "string"
      ? { tokens: tokens as OAuthTokens }
      : {}),
  };
}
