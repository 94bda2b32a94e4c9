/**
 * The board of one workspace: which harnesses are at work in it, what they have said to each other, and which files each
 * is holding. Every change is one transaction, in which the dead are cleared away first.
 */
import { startOf } from "@/lib/clip.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { basename, join } from "@/lib/path.ts";
import { type Held, heldByOthers } from "./claims.ts";
import { Database, type Sql } from "./database.ts";
import { removeMark, signOf } from "./mark.ts";
import { pathKey } from "./path_key.ts";
import { type Agent, agentRows, type Claim, claimRows, type Message, messageRows } from "./rows.ts";

export type BoardOptions = {
  /** Where boards are kept. */
  dir: string;
  /** Real path of the workspace's top. */
  top: string;
  /** The name of this machine; two without a name count as one. */
  host: string;
  /** Age of the last sign of life past which an agent of another machine counts as gone, in seconds. */
  staleS(): number;
  /** Ms since 1970. */
  now?(): number;
};

/** Who looks, from where and when. */
export type Viewer = { id?: string; top: string; now: number };

/** Everything that stands on it now. */
export type Standing = { agents: Agent[]; claims: Claim[]; messages: Message[] };

const MESSAGES_MAX = 200;
const NAME_CHARS_MAX = 32;
const DIGEST_CHARS = 10;

/** An open board. */
export class Board {
  readonly top: string;
  readonly host: string;
  /** Where its agents' marks are. */
  readonly marks: string;
  readonly #database: Database;
  readonly #staleS: () => number;
  readonly now: () => number;

  private constructor(options: BoardOptions, path: string, database: Database) {
    this.top = options.top;
    this.host = options.host;
    this.marks = `${path}.alive`;
    this.#database = database;
    this.#staleS = options.staleS;
    this.now = options.now ?? Date.now;
  }

  /** Open it, made where there is none. Throws PersonError. */
  static async open(options: BoardOptions): Promise<Board> {
    const path = join(options.dir, boardName(options.top));
    return new Board(options, path, await Database.open(`${path}.db`));
  }

  /** What stands on it. Nobody is on the board by looking. */
  async look(): Promise<Standing> {
    return await this.change((sql) => ({
      agents: agentRows(sql),
      claims: claimRows(sql),
      messages: messageRows(sql),
    }));
  }

  /** Run one transaction; see Database.change. Whoever has died, and what has expired, is gone before. */
  async change<T>(body: (sql: Sql) => T): Promise<T> {
    return await this.#database.change((sql) => {
      this.#prune(sql);
      return body(sql);
    });
  }

  /** Whether anybody else has changed anything since this was last asked. */
  hasNews(): boolean {
    return this.#database.hasNews();
  }

  /** What a real absolute path is called in claims. */
  key(real: string): string {
    return pathKey(this.top, real);
  }

  /** Which of these real absolute paths are held, by anybody but one agent. */
  async held(paths: readonly string[], exceptUid = ""): Promise<Held[]> {
    const wanted = paths.map((path) => ({ key: this.key(path), path }));
    return await this.change((sql) => heldByOthers(sql, wanted, exceptUid));
  }

  /** Take claims away from whoever holds them; the person's word alone does that. Resolves to what was taken. */
  async free(real: string): Promise<Held[]> {
    const wanted = [{ key: this.key(real), path: real }];
    return await this.change((sql) => {
      const taken = heldByOthers(sql, wanted, "");
      for (const { key } of taken) sql.prepare("DELETE FROM claims WHERE key = ?").run(key);
      return taken;
    });
  }

  /** Somebody looking at it now; `id` is who they are on it. */
  viewer(id?: string): Viewer {
    return { top: this.top, now: this.now(), ...(id === undefined ? {} : { id }) };
  }

  /** May be called again. */
  close(): void {
    this.#database.close();
  }

  #prune(sql: Sql): void {
    const now = this.now();
    for (const agent of agentRows(sql)) if (!this.#isAlive(agent, now)) this.remove(sql, agent.uid);
    // Made before the clock was set back: it lasts as long as it was to last, from now.
    sql.prepare("UPDATE claims SET until = until - at + ?, at = ? WHERE at > ?").run(now, now, now);
    sql.prepare("DELETE FROM claims WHERE until <= ? OR uid NOT IN (SELECT uid FROM agents)")
      .run(now);
    sql.prepare(
      "DELETE FROM messages WHERE seq <= (SELECT max(seq) FROM messages) - ?",
    ).run(MESSAGES_MAX);
  }

  /** Take an agent off the board, with everything that it holds. */
  remove(sql: Sql, uid: string): void {
    sql.prepare("DELETE FROM claims WHERE uid = ?").run(uid);
    sql.prepare("DELETE FROM agents WHERE uid = ?").run(uid);
    removeMark(this.marks, uid);
  }

  #isAlive({ uid, host, seen }: Agent, now: number): boolean {
    const sign = signOf(this.marks, uid);
    if (sign === "alive") return true;
    // A lock of another machine may not be seen on this one.
    const isTold = sign === "gone" && host === this.host;
    // Its clock may be ahead of this one.
    return !isTold && Math.abs(now - seen) <= this.#staleS() * 1000;
  }
}

/** The digest tells apart what the name does not. The format is part of the name: another one is another board. */
function boardName(top: string): string {
  const name = startOf(basename(top).replaceAll(/[^\p{L}\p{N}_.-]/gu, "-"), NAME_CHARS_MAX);
  return `${name}-${sha256Hex(pathKey("/", top)).slice(0, DIGEST_CHARS)}.1`;
}
