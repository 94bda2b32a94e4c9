/** One agent on a board: what it says and hears, and what it holds. */
import { randomHex } from "@/lib/random.ts";
import { startOf } from "@/lib/clip.ts";
import { visible } from "@/lib/visible.ts";
import type { Board } from "./board.ts";
import { type Held, takeClaims, type Taken, type Wanted } from "./claims.ts";
import type { Sql } from "./database.ts";
import { Mark, sweepMarks } from "./mark.ts";
import {
  type Agent,
  agentRows,
  type Claim,
  claimRows,
  type Message,
  messageRows,
  newestMessage,
} from "./rows.ts";

/** What others see of it. */
export type Face = { model: string; label: string };

/** What became of a message. `to`: the agent that was meant, where it was one; `here`: who could be reached. */
export type Sent = { ok: boolean; to?: string; here: readonly string[]; wasCut: boolean };

const EVERYBODY: ReadonlySet<string> = new Set([
  "",
  "all",
  "everyone",
  "everybody",
  "*",
  "broadcast",
]);
const TEXT_CHARS_MAX = 2_000;

/** On the board from `join` to `leave`, or until its process ends. */
export class Member {
  readonly #board: Board;
  readonly #uid: string;
  readonly #mark: Mark;
  readonly #started: number;
  #face: Face;
  #id = "";
  #hasLeft = false;
  /** The newest message that its model and its person were given: a board that was made anew takes them over. */
  #cursors = { told: 0, shown: 0 };

  private constructor(board: Board, { uid, mark, face }: { uid: string; mark: Mark; face: Face }) {
    this.#board = board;
    this.#uid = uid;
    this.#mark = mark;
    this.#face = face;
    this.#started = board.now();
  }

  /** Join it. Whoever is there is told. */
  static async join(board: Board, face: Face): Promise<Member> {
    const uid = randomHex(12);
    let member: Member | undefined;
    await board.change((sql) => {
      sweepMarks(board.marks);
      member ??= new Member(board, { uid, mark: Mark.take(board.marks, uid), face });
      member.#present(sql);
      member.#announce(sql, `joined (${describeFace(face)})`);
    });
    if (member === undefined) throw new Error("A transaction ended without having run");
    return member;
  }

  /** What it is called: a1, a2 and so on. It may change when the board had to be made anew. */
  get id(): string {
    return this.#id;
  }

  /** The others that are alive, the oldest first. */
  async peers(): Promise<Agent[]> {
    return await this.#change((sql) => this.#others(sql));
  }

  /** A sign of life, with what it does now. */
  async beat(face: Face): Promise<void> {
    this.#face = face;
    await this.#change((sql) =>
      sql.prepare("UPDATE agents SET seen = ?, model = ?, label = ? WHERE uid = ?")
        .run(this.#board.now(), face.model, face.label, this.#uid)
    );
  }

  /** Say something to an agent, or to everybody. */
  async say(
    to: string,
    text: string,
    { voice = "model" }: { voice?: Message["voice"] } = {},
  ): Promise<Sent> {
    const clean = cleaned(text);
    return await this.#change((sql) => {
      const others = this.#others(sql);
      const here = others.map(({ id }) => id);
      const name = to.trim().toLowerCase();
      const receiver = others.find(({ id }) => id === name);
      const isSent = others.length > 0 && (receiver !== undefined || EVERYBODY.has(name));
      if (isSent) this.#post(sql, { text: clean.text, voice, receiver });
      const meant = receiver === undefined ? {} : { to: receiver.id };
      return { ok: isSent, here, wasCut: clean.wasCut, ...meant };
    });
  }

  /** What others have said to it since its model ("told") or its person ("shown") was given something last. */
  async hear(cursor: "told" | "shown"): Promise<Message[]> {
    return await this.#change((sql) => {
      const heard = this.#unread(sql, cursor);
      const newest = newestMessage(sql);
      sql.prepare(`UPDATE agents SET ${cursor} = ? WHERE uid = ?`).run(newest, this.#uid);
      this.#cursors = { ...this.#cursors, [cursor]: newest };
      return heard;
    });
  }

  /** The same, and it stays unread. */
  async unread(cursor: "told" | "shown"): Promise<Message[]> {
    return await this.#change((sql) => this.#unread(sql, cursor));
  }

  /** Hold files (real absolute paths): all of them, or none where another holds one. */
  async claim(
    paths: readonly string[],
    { kind, reason, ttlS }: { kind: Claim["kind"]; reason: string; ttlS: number },
  ): Promise<Taken> {
    const wanted = paths.map((path) => this.#wanted(path));
    return await this.#change((sql) => {
      const now = this.#board.now();
      const terms = { uid: this.#uid, kind, now, until: now + ttlS * 1000 };
      return takeClaims(sql, wanted, { ...terms, reason: cleaned(reason).text });
    });
  }

  /** What of these files others hold. */
  async heldByOthers(paths: readonly string[]): Promise<Held[]> {
    return await this.#board.held(paths, this.#uid);
  }

  /** Hand files back; all that it holds where none is named. Resolves to those that it held. */
  async release(paths?: readonly string[]): Promise<Claim[]> {
    const keys = paths?.map((path) => this.#board.key(path));
    return await this.#change((sql) => {
      const released = this.#own(sql).filter(({ key }) => keys?.includes(key) ?? true);
      for (const { key } of released) sql.prepare("DELETE FROM claims WHERE key = ?").run(key);
      return released;
    });
  }

  /** What it holds now. */
  async claims(): Promise<Claim[]> {
    return await this.#change((sql) => this.#own(sql));
  }

  /** Leave, and hand back everything. The board stays open. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    try {
      await this.#board.change((sql) => {
        if (!agentRows(sql).some(({ uid }) => uid === this.#uid)) return;
        this.#announce(sql, "left");
        this.#board.remove(sql, this.#uid);
      });
    } finally {
      this.#mark.close();
    }
  }

  async #change<T>(body: (sql: Sql) => T): Promise<T> {
    if (this.#hasLeft) throw new Error("This agent has left the board");
    return await this.#board.change((sql) => {
      this.#present(sql);
      return body(sql);
    });
  }

  /** Whoever is not on the board any more goes on it again: it was made anew, or another machine took this one for dead. */
  #present(sql: Sql): void {
    const agents = agentRows(sql);
    const own = agents.find(({ uid }) => uid === this.#uid);
    if (own !== undefined) {
      this.#id = own.id;
      return;
    }
    const taken = agents.map(({ id }) => id);
    if (this.#id === "" || taken.includes(this.#id)) this.#id = lowestFree(taken);
    const newest = newestMessage(sql);
    const { host, now } = this.#board;
    const isNew = this.#cursors.told === 0 && this.#cursors.shown === 0;
    const cursor = (at: number) => isNew ? newest : Math.min(at, newest);
    const { model, label } = this.#face;
    sql.prepare(
      "INSERT INTO agents (uid, id, host, pid, model, label, started, seen, told, shown) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
      .run(
        ...[this.#uid, this.#id, host, Deno.pid, model, label, this.#started, now()] as const,
        ...[cursor(this.#cursors.told), cursor(this.#cursors.shown)] as const,
      );
  }

  #others(sql: Sql): Agent[] {
    return agentRows(sql).filter(({ uid }) => uid !== this.#uid);
  }

  #own(sql: Sql): Claim[] {
    return claimRows(sql).filter(({ uid }) => uid === this.#uid);
  }

  #unread(sql: Sql, cursor: "told" | "shown"): Message[] {
    const after = agentRows(sql).find(({ uid }) => uid === this.#uid)?.[cursor] ?? 0;
    return messageRows(sql, after).filter(({ uid, receiver }) =>
      uid !== this.#uid && (receiver === null || receiver === this.#uid)
    );
  }

  #announce(sql: Sql, text: string): void {
    if (this.#others(sql).length > 0) this.#post(sql, { text, voice: "board" });
  }

  #post(
    sql: Sql,
    { text, voice, receiver }: {
      text: string;
      voice: Message["voice"];
      receiver?: Agent | undefined;
    },
  ): void {
    sql.prepare(
      "INSERT INTO messages (uid, sender, voice, receiver, addressed, text, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
      .run(
        ...[this.#uid, this.#id, voice] as const,
        ...[receiver?.uid ?? null, receiver?.id ?? null, text, this.#board.now()] as const,
      );
  }

  #wanted(path: string): Wanted {
    return { key: this.#board.key(path), path };
  }
}

/** The model, and what it works on. */
export function describeFace({ model, label }: Face): string {
  return label === "" ? model : `${model} - ${label}`;
}

/** The lowest name that nobody has: a1, a2 and so on. */
export function lowestFree(taken: readonly string[]): string {
  for (let n = 1;; n += 1) if (!taken.includes(`a${n}`)) return `a${n}`;
}

/** It is shown in other terminals and read by other models: what it hides is drawn. */
function cleaned(text: string): { text: string; wasCut: boolean } {
  const shown = visible(text.trim().replaceAll("\r\n", "\n"));
  return { text: startOf(shown, TEXT_CHARS_MAX), wasCut: shown.length > TEXT_CHARS_MAX };
}
