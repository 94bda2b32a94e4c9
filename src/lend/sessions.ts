/** What commands about sessions are lent. */
import type { Harness } from "@/agent/harness.ts";
import type { AppParts, ScreenParts } from "@/compose/parts.ts";
import { clipEnd } from "@/lib/clip.ts";
import { localMinute } from "@/lib/local_time.ts";
import { PersonError } from "@/protocol/error.ts";
import { cleanTitle } from "@/session/title.ts";
import type { SessionsPart } from "@/terminal/commands/lent/sessions.ts";
import { done, refused } from "@/terminal/commands/spec.ts";
import { recordingPart } from "./recording.ts";
import { exporter } from "./session_export.ts";

/** Build it. */
export function sessionsPart(
  { place, conversation, settings, processes }: Pick<
    AppParts,
    "place" | "conversation" | "settings" | "processes"
  >,
  { harness, screen }: { harness: Pick<Harness, "emit">; screen: Pick<ScreenParts, "pick"> },
): SessionsPart {
  const { log } = conversation;
  const { sessions: dir } = place.paths;
  const list = async () => {
    const { formatSessions, listSessions } = await import("@/session/find.ts");
    const { sessions, notices } = await listSessions(dir);
    const body = sessions.length === 0 ? "No sessions are saved" : formatSessions(sessions);
    return [body, ...notices].join("\n");
  };
  const load = (id: string) =>
    id === log.id
      ? refused(`"${id}" is the session you are in`)
      : done("", { next: { kind: "saved", id } });
  return {
    list,
    search: async (text) => {
      const { formatHits, searchSessions } = await import("@/session/search.ts");
      await log.flush();
      const { hits, notices } = await searchSessions(dir, text);
      return [hits.length === 0 ? `No saved session holds "${text}"` : formatHits(hits), ...notices]
        .join("\n");
    },
    load: async (query) => {
      const { findSession } = await import("@/session/find.ts");
      return load((await findSession(dir, query)).id);
    },
    choose: async () => {
      if (screen.pick === undefined) return done(`${await list()}\n/load ID goes on with one`);
      const id = await pickSession(dir, { pick: screen.pick, current: log.id });
      return id === undefined ? done("This session goes on") : load(id);
    },
    ...recordingPart(log, settings),
    title: () =>
      `${
        conversation.title === "" ? "(no title)" : conversation.title
      }\nid ${log.id}, uid ${log.uid}`,
    retitle: async (title) => {
      const clean = cleanTitle(title, settings.current.SESSION_TITLE_MAX_LEN);
      if (clean === "") return refused(`"${title}" leaves no title`);
      harness.emit({ type: "title", title: clean });
      conversation.title = clean;
      const id = await log.rename(clean);
      return done(`This session is now "${clean}", id ${id}`);
    },
    exportAs: exporter({ place, conversation, processes }),
  };
}

const TITLE_CHARS_MAX = 48;

/** The id of the session that the person chooses, newest first. Throws PersonError where none is saved. */
async function pickSession(
  dir: string,
  { pick, current }: Required<Pick<ScreenParts, "pick">> & { current: string },
): Promise<string | undefined> {
  const { listSessions } = await import("@/session/find.ts");
  const { sessions } = await listSessions(dir);
  if (sessions.length === 0) throw new PersonError("state", "No sessions are saved", "");
  const picked = await pick({
    title: "Load session",
    text: "Go on with a saved session. The one you are in stays saved.",
    rows: sessions.map(({ id, title, firstText, updatedAt, cwd }) => ({
      label: clipEnd(
        title === "" ? firstText.replaceAll(/\s+/g, " ") || id : title,
        TITLE_CHARS_MAX,
      ),
      detail: [localMinute(updatedAt), cwd ?? ""].join("  ").trim(),
      isCurrent: id === current,
    })),
    actions: [{ key: "enter", label: "load it" }],
  });
  return picked.isCancelled ? undefined : sessions[picked.row]?.id;
}
