/** `harness sessions list|show|export`: saved sessions without a conversation; needs no accepted terms. */
import { PersonError } from "./protocol/error.ts";
import { findPlace } from "./place.ts";
import { toJson, toMarkdown } from "./session/export.ts";
import { findSession, formatSessions, listSessions } from "./session/find.ts";
import { omissions, readSession } from "./session/read.ts";
import { stderr, stdout } from "./terminal/process.ts";
import { EXIT } from "./terminal/result.ts";

export type SessionsRequest =
  | { do: "list" }
  | { do: "export"; query: string; format: "markdown" | "json" };

/** Print what was asked for; resolves to the exit code. Throws PersonError. */
export async function sessionsCommand(request: SessionsRequest): Promise<number> {
  const { paths } = await findPlace({});
  if (request.do === "list") {
    const { sessions, notices } = await listSessions(paths.sessions);
    for (const notice of notices) stderr(`harness: ${notice}\n`);
    if (sessions.length === 0) stderr("harness: no sessions are saved\n");
    else stdout(`${formatSessions(sessions)}\n`);
    return EXIT.done;
  }
  const { query, format } = request;
  const { path, id } = await findSession(paths.sessions, query);
  const contents = await readSession(path);
  if (contents.records.length === 0) {
    throw new PersonError("state", `Session "${id}" holds nothing that can be read`);
  }
  for (const notice of omissions(id, contents)) stderr(`harness: ${notice}\n`);
  const text = format === "json" ? toJson(contents.records, id) : toMarkdown(contents.records, id);
  stdout(text.endsWith("\n") ? text : `${text}\n`);
  return EXIT.done;
}
