/** Which sessions there are, and which one a person means. */
import { join, resolve } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { clipEnd } from "@/lib/clip.ts";
import { localMinute } from "@/lib/local_time.ts";
import { visible } from "@/lib/visible.ts";
import type { SessionSummary } from "@/session/fold.ts";
import { assertRegular, SESSION_SUFFIX, sessionError, sessionId } from "@/session/file.ts";
import { scanSummary, scanUpdatedAt } from "@/session/scan.ts";

/** One session of a list. */
export type SessionEntry = SessionSummary & { id: string; path: string };

/** What a sessions directory holds, newest first, and what in it could not be read. */
export type SessionList = { sessions: readonly SessionEntry[]; notices: readonly string[] };

const READ_AT_ONCE = 8;
const LISTED_MAX = 20;
/** Clocks differ, zones are set wrong; more than a day is no time that this clock has had. */
const CLOCK_AHEAD_MS = 86_400_000;

/** Not exactly one session is meant. `candidates` are those that could be; the message lists them, or `there` where none is. */
export class NotOneSession extends PersonError {
  readonly candidates: readonly SessionEntry[];

  constructor(
    message: string,
    { candidates = [], there = [] }: {
      candidates?: readonly SessionEntry[];
      there?: readonly SessionEntry[];
    } = {},
  ) {
    const listed = candidates.length > 0 ? candidates : there;
    super(
      "state",
      listed.length === 0 ? message : `${message}\n${formatSessions(listed, LISTED_MAX)}`,
      listed.length === 0 ? '"harness sessions list" shows what there is' : "",
    );
    this.candidates = candidates;
  }
}

/** All sessions of a directory; none when it does not exist. */
export async function listSessions(dir: string, now: Date = new Date()): Promise<SessionList> {
  const notices: string[] = [];
  const sessions = await readAll(await sessionPaths(dir), {
    read: readEntry,
    onProblem: (problem) => notices.push(problem),
  });
  return { sessions: sessions.sort(newestFirst(now)), notices };
}

/** The one session that a person names by id, title, uid or a part of them. Throws NotOneSession. */
export async function findSession(dir: string, query: string): Promise<SessionEntry> {
  const path = (await sessionPaths(dir)).find((path) => sessionId(path) === query);
  const named = path === undefined ? undefined : await readEntry(path);
  if (named !== undefined) return named;
  const { sessions } = await listSessions(dir);
  const matches = matchSessions(sessions, query);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only !== undefined) {
    throw new NotOneSession(
      `${matches.length} sessions match "${query}"; name one of them by its id:`,
      { candidates: matches },
    );
  }
  throw noneOf(`No session has the id or title "${query}", or one that contains it`, sessions);
}

/**
 * The session last worked on in a directory. Throws NotOneSession when there is none. Of most files only the end is
 * read, for the time of their last change.
 */
export async function newestSession(
  dir: string,
  cwd: string,
  now: Date = new Date(),
): Promise<SessionEntry> {
  const ends = await readAll(await sessionPaths(dir), { read: readEnd });
  const here = await realOrSame(cwd);
  for (const { path } of ends.sort(newestFirst(now))) {
    const entry = await readEntry(path);
    if (entry?.cwd !== undefined && await realOrSame(entry.cwd) === here) return entry;
  }
  throw noneOf(`No session was worked on in "${cwd}"`, (await listSessions(dir)).sessions);
}

/** The message names what there is instead. */
function noneOf(message: string, there: readonly SessionEntry[]): NotOneSession {
  return new NotOneSession(there.length === 0 ? message : `${message}. There are:`, { there });
}

type Reading<T> = {
  read(path: string): Promise<T | undefined>;
  /** Told what cannot be read. */
  onProblem?(problem: string): void;
};

/** Reads files, some at once, and leaves out those that say nothing or cannot be read. */
async function readAll<T>(
  paths: readonly string[],
  { read, onProblem }: Reading<T>,
): Promise<T[]> {
  const results: T[] = [];
  const left = [...paths];
  const work = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      try {
        const result = await read(path);
        if (result !== undefined) results.push(result);
      } catch (error) {
        onProblem?.(sessionError(`read session "${sessionId(path)}"`, error).message);
      }
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, work));
  return results;
}

/** What a session is found by. */
type Named = { id: string; title: string; uid?: string; firstText?: string };

/** What a list names a session by besides its id. */
function aboutOf({ title, firstText = "" }: Pick<Named, "title" | "firstText">): string {
  return title === "" ? firstText : title;
}

const UID_PREFIX_CHARS_MIN = 8;

/**
 * The sessions a query means, in the order given. Exact id or uid beats everything; then the exact title, whatever its
 * case; then a part of id or title, or of the first words where there is no title; then the start of a uid.
 */
export function matchSessions<S extends Named>(sessions: readonly S[], query: string): S[] {
  const wanted = query.normalize("NFC");
  const exact = sessions.filter(({ id, uid }) => id.normalize("NFC") === wanted || uid === wanted);
  if (exact.length > 0) return exact;
  const folded = foldCase(wanted.trim());
  const titled = sessions.filter(({ title }) => title !== "" && foldCase(title) === folded);
  if (titled.length > 0) return titled;
  const partly = sessions.filter((session) =>
    foldCase(session.id).includes(folded) || foldCase(aboutOf(session)).includes(folded)
  );
  if (partly.length > 0 || folded.length < UID_PREFIX_CHARS_MIN) return partly;
  return sessions.filter(({ uid }) => uid?.startsWith(folded));
}

/** Sessions as lines of a list: id, title or first words, last change, directory. */
export function formatSessions(sessions: readonly SessionEntry[], linesMax = Infinity): string {
  const idWidth = Math.max(0, ...sessions.map(({ id }) => id.length));
  const lines = sessions.slice(0, linesMax).map(({ id, title, firstText, updatedAt, cwd }) => {
    const about = title === "" ? `"${clipEnd(firstText, 60)}"` : title;
    const line = `  ${id.padEnd(idWidth)}  ${localMinute(updatedAt)}  ${about}  ${cwd ?? ""}`;
    return visible(line, { oneLine: true }).trimEnd();
  });
  const left = sessions.length - lines.length;
  return [...lines, ...(left > 0 ? [`  and ${left} more`] : [])].join("\n");
}

/** What was worked on by a clock that was far ahead says nothing, and comes last: it would be the newest for years. */
function newestFirst(now: Date): (a: { updatedAt: string }, b: { updatedAt: string }) => number {
  const latest = new Date(now.getTime() + CLOCK_AHEAD_MS).toISOString();
  return ({ updatedAt: a }, { updatedAt: b }) => {
    if (a > latest !== b > latest) return a > latest ? 1 : -1;
    return a < b ? 1 : a > b ? -1 : 0;
  };
}

function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

async function sessionPaths(dir: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (!isDirectory && name.endsWith(SESSION_SUFFIX)) paths.push(join(dir, name));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw sessionError("list sessions", error);
  }
  return paths;
}

/** Undefined for an empty file: the name of a session that is being created or renamed. */
async function readEntry(path: string): Promise<SessionEntry | undefined> {
  return await withFile(path, async (file, { changedAt }) => {
    const summary = await scanSummary(file);
    const updatedAt = summary.updatedAt === "" ? changedAt : summary.updatedAt;
    return { ...summary, updatedAt, id: sessionId(path), path };
  });
}

/** When a session was last worked on. */
async function readEnd(path: string): Promise<{ path: string; updatedAt: string } | undefined> {
  return await withFile(path, async (file, { size, changedAt }) => {
    const updatedAt = await scanUpdatedAt(file, size);
    return { path, updatedAt: updatedAt === "" ? changedAt : updatedAt };
  });
}

type FileFacts = { size: number; changedAt: string };

async function withFile<T>(
  path: string,
  read: (file: Deno.FsFile, facts: FileFacts) => Promise<T>,
): Promise<T | undefined> {
  await assertRegular(path);
  using file = await Deno.open(path);
  const { size, mtime } = await file.stat();
  if (size === 0) return undefined;
  return await read(file, { size, changedAt: mtime?.toISOString() ?? "" });
}

/** The real path; a directory that is gone is compared by its spelling. */
export async function realOrSame(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Error) return resolve(path);
    throw error;
  }
}
