/** What servers were signed in to, by address, in one private file of the state directory that all processes share. */
import * as z from "zod";
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

const part = <T extends z.ZodType>(shape: T) => shape.optional().catch(undefined);

const keptShape = z.object({
  port: part(z.int()),
  client: part(z.looseObject({
    client_id: z.string(),
    client_secret: z.string().optional(),
    issuer: z.string().optional(),
  })),
  tokens: part(z.looseObject({
    access_token: z.string(),
    token_type: z.string(),
    id_token: z.string().optional(),
    expires_in: z.number().optional(),
    scope: z.string().optional(),
    refresh_token: z.string().optional(),
    issuer: z.string().optional(),
  })),
  scope: part(z.string()),
});

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

/** What of a kept sign-in can be used; a part that cannot counts as not there. */
function keptIn({ servers }: File, url: string): Kept {
  const kept = Object.hasOwn(servers, url) ? servers[url] : undefined;
  const { port, client, tokens, scope } = keptShape.parse(isObject(kept) ? kept : {});
  return {
    ...(port === undefined ? {} : { port }),
    ...(client === undefined ? {} : { client }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(scope === undefined ? {} : { scope }),
  };
}
