/** The sessions of one client: each is a conversation of its own, with its own directory, rules and log. */
import type {
  AgentContext,
  ClientCapabilities,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
} from "@agentclientprotocol/sdk";
import { invalid } from "@/acp/errors.ts";
import { serversText } from "@/acp/servers.ts";
import type { RunOptions } from "@/compose/options.ts";
import { acceptTerms, findPlace, lookAtPlace } from "@/compose/place.ts";
import { isAbsolute } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { listSessions, NotOneSession, realOrSame } from "@/session/find.ts";
import { tell } from "@/terminal/process.ts";
import { Session, type SessionParts } from "./session.ts";

/** More are a client that forgets to close them: each holds programs, a sandbox and a log. */
const SESSIONS_MAX = 32;
const PAGE_SESSIONS = 50;

/** Who asks. */
export type Asking = { client: ClientCapabilities; context: AgentContext };

/** Where a session takes place, and what it has besides. */
type Placed = Pick<NewSessionRequest, "cwd" | "additionalDirectories"> & {
  mcpServers?: NewSessionRequest["mcpServers"];
};

export class Sessions {
  readonly #run: RunOptions;
  readonly #open = new Map<string, Session>();
  /** How many are being opened. */
  #opening = 0;
  #isClosed = false;

  /** `run`: what the command line says of every session. */
  constructor(run: RunOptions) {
    this.#run = run;
  }

  find(id: string): Session | undefined {
    return this.#open.get(id);
  }

  /** Throws NotOneSession. */
  get(id: string): Session {
    const session = this.#open.get(id);
    if (session !== undefined) return session;
    throw new NotOneSession(`No session "${id}" is open here; session/load opens a saved one`);
  }

  async begin(params: NewSessionRequest, asking: Asking): Promise<NewSessionResponse> {
    const session = await this.#make(params, asking, {});
    // The client knows the session once it has the answer.
    setTimeout(() => session.begin(), 0);
    return { sessionId: session.id, ...session.offered() };
  }

  /**
   * Go on with a saved session; with `isReplayed`, what was said and done in it is told first. One that is open here is ended
   * for it, once nothing of the request can be refused any more.
   */
  async load(
    { sessionId, ...params }: Placed & Pick<LoadSessionRequest, "sessionId">,
    { isReplayed, ...asking }: Asking & { isReplayed: boolean },
  ): Promise<LoadSessionResponse> {
    const session = await this.#make(params, asking, { resume: sessionId });
    try {
      if (isReplayed) await session.replay();
    } catch (error) {
      await this.end(sessionId);
      throw error;
    }
    session.begin();
    return session.offered();
  }

  /** The saved sessions, newest first; of one directory, if it is named. */
  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { paths } = await lookAtPlace({});
    const all = (await listSessions(paths.sessions)).sessions.flatMap((
      { uid, cwd, title, updatedAt },
    ) => uid === undefined || cwd === undefined ? [] : [{ sessionId: uid, cwd, title, updatedAt }]);
    const real = cwd && await realOrSame(cwd);
    const here = cwd ? all.filter((one) => one.cwd === real) : all;
    const from = Number(cursor ?? 0);
    if (!Number.isInteger(from) || from < 0) throw invalid(`"${cursor}" is no cursor of this list`);
    const next = from + PAGE_SESSIONS;
    return {
      sessions: here.slice(from, next),
      ...(next < here.length ? { nextCursor: String(next) } : {}),
    };
  }

  /** End one; one that is not open is at its end already. */
  async end(id: string): Promise<Record<never, never>> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.close();
    return {};
  }

  /** End all of them; resolves to what could not be saved or ended. */
  async close(): Promise<readonly unknown[]> {
    this.#isClosed = true;
    const settled = await Promise.allSettled([...this.#open.keys()].map((id) => this.end(id)));
    return settled.flatMap((one) => one.status === "rejected" ? [one.reason as unknown] : []);
  }

  async #make(
    params: Placed,
    asking: Asking,
    { resume }: Pick<RunOptions, "resume">,
  ): Promise<Session> {
    const before = () => resume === undefined ? undefined : this.#open.get(resume);
    assertIdle(before());
    const taken = this.#open.size + this.#opening - (before() === undefined ? 0 : 1);
    if (taken >= SESSIONS_MAX) {
      const text = `${SESSIONS_MAX} sessions are open`;
      throw new PersonError("state", text, "Close one of them first");
    }
    this.#opening += 1;
    try {
      const parts = await this.#ready(params, asking);
      if (resume === undefined) return await this.#opened(parts);
      // It may have been given work meanwhile.
      assertIdle(before());
      await this.end(resume);
      return await this.#opened({ ...parts, run: { ...parts.run, resume } });
    } finally {
      this.#opening -= 1;
    }
  }

  /** What a session is opened with, or what is wrong with it. */
  async #ready(
    { cwd, additionalDirectories = [], mcpServers = [] }: Placed,
    asking: Asking,
  ): Promise<SessionParts> {
    for (const dir of [cwd, ...additionalDirectories]) {
      if (!isAbsolute(dir)) {
        throw invalid(`"${dir}" is no absolute path`, "Send paths from the root");
      }
    }
    const servers = serversText(mcpServers);
    const addDir = [...this.#run.addDir ?? [], ...additionalDirectories];
    const run = { ...this.#run, cwd, addDir };
    const place = await findPlace(run);
    await acceptTerms(place, { warn: tell });
    return { run, place, ...asking, ...(servers === undefined ? {} : { servers }) };
  }

  async #opened(parts: SessionParts): Promise<Session> {
    const session = await Session.open(parts);
    // The client may have gone meanwhile.
    if (this.#isClosed) {
      await session.close();
      throw new PersonError("state", "The connection was closed");
    }
    this.#open.set(session.id, session);
    return session;
  }
}

function assertIdle(session: Session | undefined): void {
  if (session?.isBusy !== true) return;
  throw new PersonError("state", "The session is at work", "Cancel its turn first");
}
