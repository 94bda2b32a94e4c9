/** Signing in to a server (OAuth): what the SDK asks for, kept by `SignIns`; the person alone opens the address. */
import { randomHex } from "@/lib/random.ts";
import type {
  OAuthClient,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "./client.ts";
import type { ArrangedClient } from "./config.ts";
import type { Kept, SignIns } from "./sign_ins.ts";

/** The server wants the person to sign in, and nobody is doing so now. The message is the end of a sentence. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
}

export type SignInParts = {
  /** The name it is declared under. */
  name: string;
  url: string;
  signIns: Pick<SignIns, "of" | "change">;
  /** The port that answers come back to. */
  port: number;
  /** What the server knows harness as, where its entry says so; else it is registered. */
  client?: OAuthClient;
  /** Shows the address to the person; absent where nobody is signing in. What is kept counts for nothing then. */
  show?(url: URL): void;
};

/** The client that an entry names, as the SDK takes it. */
export function clientIn(
  { oauth }: { oauth?: ArrangedClient },
): { client?: OAuthClient } {
  if (oauth === undefined) return {};
  const { clientId, clientSecret } = oauth;
  return {
    client: {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    },
  };
}

/** What an address has to be for a person to be asked to open it: a page, and one that nobody reads along. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The SDK's view of one server's sign-in. */
export class SignIn implements OAuthClientProvider {
  readonly #parts: SignInParts;
  readonly #state = randomHex(16);
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  /** What this sign-in was registered as and given; kept once it is whole, so that one given up takes nothing away. */
  #client: OAuthClient | undefined;
  #given: OAuthTokens | undefined;
  /** Every token that passed through here, and what harness proves itself with. */
  readonly #secrets = new Set<string>();

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#hold(parts.client?.client_secret);
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.#parts.port}/callback`;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "harness",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  /** Comes back with the answer; one with another was not asked for. */
  state(): string {
    return this.#state;
  }

  /** A registration of another port is of no use: the answer would not arrive. */
  async clientInformation(of?: { issuer: string }): Promise<OAuthClient | undefined> {
    const known = this.#parts.client ?? this.#client;
    if (known !== undefined) return known;
    const { client, port } = await this.#kept();
    this.#hold(client?.client_secret);
    const isHere = this.#parts.show === undefined || port === this.#parts.port;
    return isHere && isOf(client, of) ? client : undefined;
  }

  saveClientInformation(client: OAuthClient): void {
    // The SDK saves what it was given as well (2.4); that stays where it is written.
    if (this.#parts.client !== undefined) return;
    this.#hold(client.client_secret);
    this.#client = client;
  }

  async tokens(of?: { issuer: string }): Promise<OAuthTokens | undefined> {
    const tokens = this.#parts.show === undefined ? (await this.#kept()).tokens : this.#given;
    this.#note(tokens);
    return isOf(tokens, of) ? tokens : undefined;
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    this.#note(tokens);
    this.#given = tokens;
    // A server may have moved to another issuer by the next time.
    this.#discovery = undefined;
    const client = this.#client;
    const registered = client === undefined ? {} : { client, port: this.#parts.port };
    await this.#change(({ scope: _, ...kept }) => ({ ...kept, ...registered, tokens }));
  }

  /** A text of the server's, or about it, without these secrets. */
  hide(text: string): string {
    return [...this.#secrets].reduce((shown, token) => shown.replaceAll(token, "[secret]"), text);
  }

  #note({ access_token: access, refresh_token: refresh }: Partial<OAuthTokens> = {}): void {
    this.#hold(access);
    this.#hold(refresh);
  }

  #hold(secret: string | undefined): void {
    if (secret !== undefined && secret !== "") this.#secrets.add(secret);
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { show, name } = this.#parts;
    const scope = url.searchParams.get("scope") ?? "";
    if (show === undefined) {
      // What was wanted is asked for when the person signs in: it may be more than the first time.
      await this.#change((kept) => scope === "" ? kept : { ...kept, scope });
      throw new SignInNeeded(`it wants you to sign in again: /mcp login ${name}`);
    }
    const isPage = url.protocol === "https:" ||
      (url.protocol === "http:" && LOOPBACK.test(url.hostname));
    if (!isPage || url.username !== "" || url.password !== "") {
      throw new Error(`it asks to sign in at "${url.href}", which is no https address`);
    }
    const { scope: wanted = "" } = await this.#kept();
    const scopes = new Set(`${scope} ${wanted}`.split(" ").filter((word) => word !== ""));
    if (scopes.size > 0) url.searchParams.set("scope", [...scopes].join(" "));
    show(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error("no sign-in was begun");
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(
    what: "all" | "client" | "tokens" | "verifier" | "discovery",
  ): Promise<void> {
    if (what === "all" || what === "verifier") this.#verifier = undefined;
    if (what === "all" || what === "discovery") this.#discovery = undefined;
    if (what === "all" || what === "client") this.#client = undefined;
    if (what === "verifier" || what === "discovery") return;
    await this.#change(({ client, tokens, ...kept }) => ({
      ...kept,
      ...(what === "tokens" && client !== undefined ? { client } : {}),
      ...(what === "client" && tokens !== undefined ? { tokens } : {}),
    }));
  }

  #kept(): Promise<Kept> {
    return this.#parts.signIns.of(this.#parts.url);
  }

  #change(change: (kept: Kept) => Kept): Promise<void> {
    return this.#parts.signIns.change(this.#parts.url, change);
  }
}

/** Whether this issuer gave it. Where none is asked about, any will do. */
function isOf(
  given: { issuer?: string | undefined } | undefined,
  of: { issuer: string } | undefined,
): boolean {
  return of === undefined || given?.issuer === undefined || given.issuer === of.issuer;
}
