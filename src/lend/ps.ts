/** What `/ps` is lent: commands that live. */
import type { Programs } from "@/compose/programs.ts";
import { ageText } from "@/lib/age_text.ts";
import { clipEnd } from "@/lib/clip.ts";
import { ShellError } from "@/shell/shell.ts";
import type { PsPart } from "@/terminal/commands/lent/ps.ts";
import { done, refused } from "@/terminal/commands/spec.ts";

const COMMAND_CHARS_SHOWN = 100;
const LAST_CHARS_SHOWN = 120;
const TAIL_LINES = 40;

/** Build it. */
export function psPart({ shell }: Pick<Programs, "shell">): PsPart {
  return {
    list: async () => {
      const rows = await shell.list();
      if (rows.length === 0) return "No command is running";
      return rows.map(({ session, state, ageS, command, last }) => {
        const line = clipEnd(command.replace(/\s+/g, " ").trim(), COMMAND_CHARS_SHOWN);
        const said = last === "" ? "" : `\n      ${clipEnd(last, LAST_CHARS_SHOWN)}`;
        return `${session}  ${state}, ${ageText(ageS)}  ${line}${said}`;
      }).join("\n");
    },
    tail: (session) =>
      known(() => {
        const lines = shell.tail(session).trimEnd().split("\n");
        return Promise.resolve(lines.slice(-TAIL_LINES).join("\n") || "It has printed nothing");
      }),
    stop: (session) =>
      known(async () => {
        const ended = await shell.end(session);
        return "session" in ended ? `${ended.session} (${ended.command}) was ended` : "";
      }),
  };
}

async function known(act: () => Promise<string>): ReturnType<PsPart["tail"]> {
  try {
    return done(await act());
  } catch (error) {
    if (error instanceof ShellError) return refused(error.message);
    throw error;
  }
}
