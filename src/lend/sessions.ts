/** What commands about sessions are lent. */
import type { Harness } from "@/agent/harness.ts";
import type { AppParts } from "@/compose/parts.ts";
import { withSentence } from "@/lib/file_error.ts";
import { resolve } from "@/lib/path.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { SessionLog } from "@/session/log.ts";
import { cleanTitle } from "@/session/title.ts";
import type { SessionsPart } from "@/terminal/commands/lent/sessions.ts";
import { done, refused } from "@/terminal/commands/spec.ts";

/** Build it. */
export function sessionsPart(
  { place, conversation, settings }: Pick<AppParts, "place" | "conversation" | "settings">,
  harness: Pick<Harness, "emit">,
): SessionsPart {
  const { log } = conversation;
  return {
    list: async () => {
      const { formatSessions, listSessions } = await import("@/session/find.ts");
      const { sessions, notices } = await listSessions(place.paths.sessions);
      const body = sessions.length === 0 ? "No sessions are saved" : formatSessions(sessions);
      return [body, ...notices].join("\n");
    },
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
    exportAs: async (format, file) => {
      const { toJson, toMarkdown } = await import("@/session/export.ts");
      const records = await savedRecords(log);
      const text = format === "json" ? toJson(records, log.id) : toMarkdown(records, log.id);
      if (file === undefined) return done(text);
      const path = resolve(place.stoodIn, file);
      try {
        await Deno.writeTextFile(path, text, { createNew: true });
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) {
          throw withSentence(error, `Cannot write "${path}"`);
        }
        return refused(`Nothing was written: "${path}" is there already; name another file`);
      }
      return done(`Written to ${path}`);
    },
  };
}

/** The session as it stands on disk. */
async function savedRecords(log: SessionLog): Promise<readonly SessionRecord[]> {
  await log.flush();
  if (log.path === undefined) return [];
  const { readSession } = await import("@/session/read.ts");
  return (await readSession(log.path)).records;
}
