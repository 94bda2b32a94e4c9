/** What /ps and /vm are lent. */
import { clipEnd } from "./lib/clip.ts";
import type { Programs } from "./programs.ts";
import { ShellError } from "./shell/shell.ts";
import { type CommandHost, done, refused } from "./terminal/commands/spec.ts";

const COMMAND_CHARS_SHOWN = 100;
const LAST_CHARS_SHOWN = 120;
const TAIL_LINES = 40;

/** Commands that live. */
export function psPart({ shell }: Programs): CommandHost["ps"] {
  return {
    list: async () => {
      const rows = await shell.list();
      if (rows.length === 0) return "No command is running";
      return rows.map(({ session, state, ageS, command, last }) => {
        const line = clipEnd(command.replace(/\s+/g, " ").trim(), COMMAND_CHARS_SHOWN);
        const said = last === "" ? "" : `\n      ${clipEnd(last, LAST_CHARS_SHOWN)}`;
        return `${session}  ${state}, ${age(ageS)}  ${line}${said}`;
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

/** The Python process. */
export function vmPart({ vm }: Programs): CommandHost["vm"] {
  return {
    status: () => {
      const { scratch, running } = vm.state();
      if (running === undefined) {
        return `No Python is running; the next run_python starts one in ${scratch}`;
      }
      const { python, isWrapped, ageS, snippets, names } = running;
      const where = isWrapped ? "inside the sandbox" : "not in a sandbox";
      const ran = snippets === 1 ? "1 snippet" : `${snippets} snippets`;
      return [
        `Python ${python.version} (${python.executable}), ${where}, up for ${age(ageS)}, ${ran}`,
        names.length === 0 ? "It remembers nothing" : `It remembers ${names.join(", ")}`,
        `It runs in ${scratch}`,
      ].join("\n");
    },
    reset: async () =>
      done(
        await vm.reset()
          ? "Everything that was defined is forgotten; the model is told with its next call"
          : "No Python is running, so there is nothing to forget",
      ),
    stop: async () =>
      done(
        await vm.stop()
          ? "The process was ended; the next run_python starts a new one"
          : "No Python is running",
      ),
  };
}

async function known(act: () => Promise<string>): ReturnType<CommandHost["ps"]["tail"]> {
  try {
    return done(await act());
  } catch (error) {
    if (error instanceof ShellError) return refused(error.message);
    throw error;
  }
}

function age(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
