/** `/undo`: take back what the AI changed, one edit or one turn at a time. */
import type { UndoOutcome } from "./lent/undo.ts";
import { type CommandResult, defineCommand, done, misused, refused } from "./spec.ts";

export const undo = defineCommand({
  name: "undo",
  usage: [
    { form: "/undo", brief: "Take back the newest AI edit of this session" },
    { form: "/undo turn", brief: "Take back all AI edits of the newest turn, or none of them" },
    { form: "/undo list", brief: "List the edits that can be taken back" },
    { form: "/undo show [id]", brief: "Show what an edit changed" },
  ],
  async run(args, host) {
    const [word = "", id] = args.split(/\s+/);
    switch (word) {
      case "":
        return told(await host.undo.undo());
      case "turn":
        return told(await host.undo.undoTurn());
      case "list":
        return done(await host.undo.list());
      case "show":
        return told(await host.undo.show(id));
      default:
        return misused(`/undo does not know "${word}"; it takes nothing, turn, list or show`);
    }
  },
});

/** An undo's outcome as a command's. */
export function told(outcome: UndoOutcome): CommandResult {
  return outcome.ok ? done(outcome.text) : refused(outcome.reason);
}
