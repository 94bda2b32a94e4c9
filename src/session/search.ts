/** Finding a session by what was said in it. */
import type { SessionRecord } from "@/protocol/session.ts";
import { visible } from "@/lib/visible.ts";
import { clipAround } from "@/lib/clip.ts";
import { formatSessions, listSessions, type SessionEntry } from "@/session/find.ts";
import { sessionError } from "@/session/file.ts";
import { readSession } from "@/session/read.ts";
import { toTranscript, type TranscriptEntry } from "@/session/transcript.ts";

/** A session in which the words stand, with some of the places. */
export type SessionHit = { session: SessionEntry; excerpts: readonly string[]; count: number };

const EXCERPT_CHARS = 100;
const EXCERPTS_MAX = 3;

/**
 * Sessions whose title, messages, calls or results contain the text, whatever its case; newest first. One session is
 * read at a time. What cannot be read is said in `notices`.
 */
export async function searchSessions(
  dir: string,
  text: string,
): Promise<{ hits: readonly SessionHit[]; notices: readonly string[] }> {
  const { sessions, notices } = await listSessions(dir);
  const hits: SessionHit[] = [];
  const problems = [...notices];
  const wanted = text.toLowerCase();
  for (const session of wanted === "" ? [] : sessions) {
    try {
      const places = placesIn((await readSession(session.path)).records, session, wanted);
      if (places.length === 0) continue;
      hits.push({ session, excerpts: places.slice(0, EXCERPTS_MAX), count: places.length });
    } catch (error) {
      problems.push(sessionError(`search session "${session.id}"`, error).message);
    }
  }
  return { hits, notices: problems };
}

/** Hits as lines: the session as in a list, and its excerpts below. */
export function formatHits(hits: readonly SessionHit[]): string {
  return hits.flatMap(({ session, excerpts, count }) => {
    const left = count - excerpts.length;
    return [
      formatSessions([session]),
      ...excerpts.map((excerpt) => `      ${visible(excerpt, { oneLine: true })}`),
      ...(left > 0 ? [`      and ${left} more ${left === 1 ? "place" : "places"}`] : []),
    ];
  }).join("\n");
}

/** One excerpt for each entry of the transcript in which the words stand. */
function placesIn(
  records: readonly SessionRecord[],
  { title }: SessionEntry,
  wanted: string,
): string[] {
  const places: string[] = [];
  for (const text of [title, ...toTranscript(records).map(wordsOf)]) {
    const at = text.toLowerCase().indexOf(wanted);
    if (at === -1) continue;
    places.push(clipAround(text.replace(/\s/g, " "), at, EXCERPT_CHARS).text.trim());
  }
  return places;
}

function wordsOf(entry: TranscriptEntry): string {
  if (entry.kind !== "call") return entry.text;
  const { name, input, result } = entry;
  return [name, JSON.stringify(input) ?? "", result?.text ?? ""].join("\n");
}
