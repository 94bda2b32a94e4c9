/** What `/record` is lent: whether the conversation is saved. */
import type { AppParts } from "@/compose/parts.ts";
import type { SessionLog } from "@/session/log.ts";
import type { SessionsPart } from "@/terminal/commands/lent/sessions.ts";

/** Build it. */
export function recordingPart(
  log: SessionLog,
  settings: AppParts["settings"],
): Pick<SessionsPart, "recording" | "record"> {
  const recording = () => recordingText(log, settings.current.SAVE_CHAT_HISTORY);
  return {
    recording,
    record: async (on) => {
      if (on === settings.current.SAVE_CHAT_HISTORY) return recording();
      // What was said while it was on is saved before it is off.
      if (!on) await log.flush();
      settings.setForSession("SAVE_CHAT_HISTORY", on);
      await log.flush();
      return recording();
    },
  };
}

/** Whether it is saved and what of it is on disk. */
function recordingText({ path }: SessionLog, isOn: boolean): string {
  if (isOn) {
    return `Recording is on: this conversation is saved ${
      path === undefined ? "with its first message" : `in "${path}"`
    }`;
  }
  return [
    "Recording is off: nothing more of this conversation, of its sub-agents or of what you type is written",
    path === undefined
      ? "Nothing of it is on disk"
      : `What was said before is still in "${path}"; it is yours to delete when you have left`,
    "Edits of files can be taken back as before, so what they changed is kept for /undo",
    "/record on saves it again, with what was said meanwhile",
  ].join("\n");
}
