/** `harness sessions list|show|search|export`: saved sessions without a conversation; needs no accepted terms. */
import { PersonError } from "@/protocol/error.ts";
import { findPlace } from "@/compose/place.ts";
import { exported, type ExportFormat } from "@/session/export.ts";
import { findSession, formatSessions, listSessions } from "@/session/find.ts";
import { omissions, readSession } from "@/session/read.ts";
import { answer, tell } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";

export type SessionsRequest =
  | { do: "list" }
  | { do: "search"; text: string }
  | { do: "export"; query: string; format: ExportFormat };

/** Print what was asked for; resolves to the exit code. Throws PersonError. */
export async function sessionsCommand(request: SessionsRequest): Promise<number> {
  const { paths } = await findPlace({});
  if (request.do === "list") {
    const { sessions, notices } = await listSessions(paths.sessions);
    notices.forEach(tell);
    if (sessions.length === 0) tell("no sessions are saved");
    else answer(formatSessions(sessions));
    return EXIT.done;
  }
  if (request.do === "search") {
    const { formatHits, searchSessions } = await import("@/session/search.ts");
    const { hits, notices } = await searchSessions(paths.sessions, request.text);
    notices.forEach(tell);
    if (hits.length === 0) tell(`no session holds "${request.text}"`);
    else answer(formatHits(hits));
    return EXIT.done;
  }
  const { query, format } = request;
  const { path, id } = await findSession(paths.sessions, query);
  const contents = await readSession(path);
  if (contents.records.length === 0) {
    throw new PersonError("state", `Session "${id}" holds nothing that can be read`);
  }
  omissions(id, contents).forEach(tell);
  answer(exported(contents.records, { id, format }));
  return EXIT.done;
}
