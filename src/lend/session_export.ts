/** What `/export` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import { withSentence } from "@/lib/file_error.ts";
import { resolve } from "@/lib/path.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { SessionLog } from "@/session/log.ts";
import type { SessionsPart } from "@/terminal/commands/lent/sessions.ts";
import { done, refused } from "@/terminal/commands/spec.ts";

/** Build it. */
export function exporter(
  { place, conversation: { log }, processes }: Pick<
    AppParts,
    "place" | "conversation" | "processes"
  >,
): SessionsPart["exportAs"] {
  return async (format, file) => {
    const { exported } = await import("@/session/export.ts");
    const records = await savedRecords(log);
    const { id } = log;
    const text = exported(records, { id, format });
    if (file === undefined && format !== "html") return done(text);
    const path = resolve(place.stoodIn, file ?? `${id}.html`);
    try {
      const { writeNewFile } = await import("@/workspace/new_file.ts");
      await writeNewFile(path, text, { processes });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) {
        throw withSentence(error, `Cannot write "${path}"`);
      }
      return refused(`Nothing was written: "${path}" is there already; name another file`);
    }
    return done(`Written to ${path}`);
  };
}

/** The session as it stands on disk. */
async function savedRecords(log: SessionLog): Promise<readonly SessionRecord[]> {
  await log.flush();
  if (log.path === undefined) return [];
  const { readSession } = await import("@/session/read.ts");
  return (await readSession(log.path)).records;
}
