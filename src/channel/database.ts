/**
 * The file behind a board: one SQLite database, and changes of it as transactions. Everybody works with it at once, in any
 * number of processes; whoever is killed in the middle leaves what was there before.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { withFileLock } from "@/lib/file_lock.ts";
import { errorCode } from "@/lib/file_error.ts";
import { ensureDir } from "@/lib/atomic_write.ts";
import { dirname } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";

/** What a transaction works with. */
export type Sql = Pick<DatabaseSync, "prepare">;

/** What SQLite waits inside for a lock, with everything else of this process standing still, in ms. */
const BUSY_MS = 15;
/** How long a transaction is tried before it is given up, in ms. */
const WAIT_MS = 10_000;
const PAUSE_MS_MAX = 10;
/** How often a file that was damaged or removed is made anew in one transaction. */
const RENEWALS_MAX = 2;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS agents (
    uid TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, host TEXT NOT NULL, pid INTEGER NOT NULL,
    model TEXT NOT NULL, label TEXT NOT NULL, started INTEGER NOT NULL, seen INTEGER NOT NULL,
    told INTEGER NOT NULL, shown INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL, sender TEXT NOT NULL, voice TEXT NOT NULL,
    receiver TEXT, addressed TEXT, text TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS claims (
    key TEXT PRIMARY KEY, path TEXT NOT NULL, uid TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
    at INTEGER NOT NULL, until INTEGER NOT NULL
  ) STRICT;
`;

/** The whole file was looked at, and is not what SQLite writes. */
class Damaged extends Error {}

/** An open database. */
export class Database {
  readonly #path: string;
  readonly #open: (path: string) => DatabaseSync;
  #db: DatabaseSync | undefined;
  /** Asks for a number that every change by others moves. */
  #counter: StatementSync | undefined;
  #version: unknown;
  #isClosed = false;

  private constructor(path: string, open: (path: string) => DatabaseSync) {
    this.#path = path;
    this.#open = open;
  }

  /** Open it, made where there is none. One that cannot be read is moved aside. Throws PersonError. */
  static async open(path: string): Promise<Database> {
    const { DatabaseSync } = await import("node:sqlite");
    await ensureDir(dirname(path), { mode: 0o700 });
    const database = new Database(path, (at) => new DatabaseSync(at));
    await database.change(() => undefined);
    return database;
  }

  /**
   * Run `body` as one transaction: alone, and whole or not at all. It is synchronous, and may run again from its start.
   * Throws PersonError when others keep the database locked for 10 s, and what `body` throws.
   */
  async change<T>(body: (sql: Sql) => T): Promise<T> {
    const end = performance.now() + WAIT_MS;
    for (let renewals = 0, tries = 0;; tries += 1) {
      try {
        return this.#transact(body);
      } catch (error) {
        switch (faultOf(error)) {
          case "locked":
            if (performance.now() > end) throw lockedTooLong(this.#path);
            await pause(tries);
            break;
          case "moved":
          case "damaged":
            if (renewals >= RENEWALS_MAX) throw error;
            renewals += 1;
            await this.#renew();
            break;
          case undefined:
            throw error;
        }
      }
    }
  }

  /** Whether anybody else has changed anything since this was last asked; the first time it is so. */
  hasNews(): boolean {
    try {
      const db = this.#connected();
      this.#counter ??= db.prepare("PRAGMA data_version");
      const now = this.#counter.get()?.["data_version"];
      const isNews = now !== this.#version;
      this.#version = now;
      return isNews;
    } catch (error) {
      // Whoever looks then finds out what is the matter.
      if (faultOf(error) === undefined) throw error;
      return true;
    }
  }

  /** Nothing can be changed after that. May be called again. */
  close(): void {
    this.#isClosed = true;
    this.#disconnect();
  }

  #disconnect(): void {
    this.#db?.close();
    this.#db = this.#counter = undefined;
  }

  #transact<T>(body: (sql: Sql) => T): T {
    const db = this.#connected();
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = body(db);
      db.exec("COMMIT");
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }

  #connected(): DatabaseSync {
    if (this.#db !== undefined) return this.#db;
    if (this.#isClosed) throw new Error("The board was closed");
    // SQLite would let others read it; what it makes beside it has the same mode.
    Deno.openSync(this.#path, { create: true, append: true, mode: 0o600 }).close();
    const db = this.#open(this.#path);
    try {
      // Nothing has to outlive a loss of power, which ends everybody who is on the board. No WAL: it needs shared memory,
      // which a home on a network drive does not have.
      db.exec(
        `PRAGMA busy_timeout=${BUSY_MS}; PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF`,
      );
      db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    } catch (error) {
      db.close();
      throw error;
    }
    return this.#db = db;
  }

  /** Connect anew, to another file where this one cannot be read. */
  async #renew(): Promise<void> {
    this.#disconnect();
    await withFileLock(this.#path, () => {
      try {
        const [row] = this.#connected().prepare("PRAGMA quick_check(1)").all();
        if (row?.["quick_check"] !== "ok") throw new Damaged();
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        this.#disconnect();
        if (fault === "damaged") moveAside(this.#path);
      }
      return Promise.resolve();
    });
  }
}

/** The unfinished change beside it goes too: it would be applied to whatever comes after. */
function moveAside(path: string): void {
  const aside = `${path}.damaged-${Date.now()}`;
  for (const end of ["-journal", ""]) {
    try {
      Deno.renameSync(`${path}${end}`, `${aside}${end}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Deno 2.9.6 gives no result code for most errors of SQLite: only its words. */
function faultOf(error: unknown): "locked" | "moved" | "damaged" | undefined {
  if (error instanceof Damaged) return "damaged";
  if (!(error instanceof Error) || errorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const { message } = error;
  if (/is locked|is busy/.test(message)) return "locked";
  if (/readonly database|disk I\/O error|no such table/.test(message)) return "moved";
  return /malformed|not a database|no such column|unsupported file format/.test(message)
    ? "damaged"
    : undefined;
}

function lockedTooLong(path: string): PersonError {
  return new PersonError(
    "state",
    `The board of this project did not answer: another process has kept it locked for ${
      WAIT_MS / 1000
    } s`,
    `End that one, or take this session off the board with /agents off; the board is "${path}"`,
  );
}

/** Never in step with another process. */
function pause(tries: number): Promise<void> {
  const most = Math.min(PAUSE_MS_MAX, 2 + tries);
  return new Promise((resolve) => setTimeout(resolve, most * Math.random()));
}
