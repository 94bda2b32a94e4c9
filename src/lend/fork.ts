/** What `/fork` is lent. */
import type { Live } from "@/compose/live.ts";
import type { AppParts } from "@/compose/parts.ts";
import { sessionId } from "@/session/file.ts";
import { forkSession } from "@/session/fork.ts";
import { type CommandResult, done, refused } from "@/terminal/commands/spec.ts";
import { unknownTurn } from "./rewind.ts";

type Needs = Pick<AppParts, "place" | "profile" | "conversation" | "isInteractive"> & {
  live: Pick<Live, "harness">;
};

/**
 * Go on in a copy, whole or to the end of a turn. The log is cut where the next turn begins, so that a turn which is in a
 * summary by now is as good as any.
 */
export async function fork(
  { place, profile, conversation: { log }, isInteractive, live: { harness } }: Needs,
  toTurn?: number,
): Promise<CommandResult> {
  const turns = harness.turns();
  const problem = toTurn === undefined ? undefined : unknownTurn(turns, toTurn);
  if (problem !== undefined) return refused(problem);
  await log.flush();
  const { path, id, unsaved } = log;
  if (path === undefined || unsaved > 0) {
    return refused(
      turns.length === 0
        ? "Nothing was said yet that could be copied"
        : "This conversation is not saved, so there is nothing to copy; /record on saves it",
    );
  }
  const beforeTurn = turns.find(({ turn }) => toTurn !== undefined && turn > toTurn)?.turn;
  const made = await forkSession(path, { cwd: place.workspace, profile: profile.name, beforeTurn });
  const copy = sessionId(made);
  const text = `Session "${copy}" begins as a copy of "${id}"${
    beforeTurn === undefined ? "" : ` to the end of turn ${toTurn}`
  }; files are as they were left`;
  return isInteractive ? done(text, { next: { kind: "saved", id: copy } }) : done(text);
}
