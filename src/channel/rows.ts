/** What stands on a board. The file may be anybody's: each row is read by its shape. */
import * as z from "zod";
import type { Sql } from "./database.ts";

const count = z.int().min(0);

const agentRow = z.object({
  uid: z.string().regex(/^[0-9a-f]+$/),
  id: z.string().regex(/^a\d+$/),
  host: z.string(),
  pid: count,
  model: z.string(),
  label: z.string(),
  started: count,
  seen: count,
  /** The newest message that its model was given, and the newest that its person was. */
  told: count,
  shown: count,
});

const messageRow = z.object({
  seq: count,
  uid: z.string(),
  sender: z.string(),
  voice: z.enum(["model", "person", "board"]),
  receiver: z.string().nullable(),
  addressed: z.string().nullable(),
  text: z.string(),
  at: count,
});

const claimRow = z.object({
  key: z.string(),
  path: z.string(),
  uid: z.string(),
  kind: z.enum(["claim", "write"]),
  reason: z.string(),
  at: count,
  until: count,
});

/** One harness that is at work in the project. Times are ms since 1970. */
export type Agent = z.infer<typeof agentRow>;

/**
 * What was said. `uid` and `receiver` are agents (`receiver` null: everybody), `sender` and `addressed` what they were
 * called then; `voice` says who spoke: a model, a person, or the board itself.
 */
export type Message = z.infer<typeof messageRow>;

/** A file that an agent is holding until a time; a "claim" was asked for, and covers what lies below it as well. */
export type Claim = z.infer<typeof claimRow>;

export function agentRows(sql: Sql): Agent[] {
  return read(agentRow, sql.prepare("SELECT * FROM agents ORDER BY started, id").all());
}

export function claimRows(sql: Sql): Claim[] {
  return read(claimRow, sql.prepare("SELECT * FROM claims ORDER BY path").all());
}

/** Those after a message, oldest first. */
export function messageRows(sql: Sql, after = 0): Message[] {
  return read(
    messageRow,
    sql.prepare("SELECT * FROM messages WHERE seq > ? ORDER BY seq").all(after),
  );
}

/** The number of the newest message there ever was. */
export function newestMessage(sql: Sql): number {
  const row = sql.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").get();
  return z.object({ seq: count }).optional().parse(row)?.seq ?? 0;
}

/** A row of another shape counts as none. */
function read<T>(shape: z.ZodType<T>, rows: readonly unknown[]): T[] {
  return rows.flatMap((row) => {
    const parsed = shape.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
