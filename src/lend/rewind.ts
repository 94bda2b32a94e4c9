/** What `/rewind` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import type { Live } from "@/compose/live.ts";
import { clipEnd } from "@/lib/clip.ts";
import type { RewindPart, RewindWhat } from "@/terminal/commands/lent/rewind.ts";
import { type CommandResult, done, misused, refused } from "@/terminal/commands/spec.ts";
import type { UndoOptions } from "@/workspace/undo.ts";
import { chooseOn } from "./choosing.ts";
import { tookBack } from "./undo.ts";

const LABEL_CHARS_MAX = 60;
const PATHS_SHOWN = 10;

/** What the person is asked; the first is where the cursor stands. */
const WHAT: Readonly<Record<string, RewindWhat | undefined>> = {
  "leave it as it is": undefined,
  "conversation and files": "both",
  "conversation only": "conversation",
  "files only": "files",
};

type Needs =
  & Pick<
    AppParts,
    "place" | "profile" | "conversation" | "isInteractive" | "journal" | "commits"
  >
  & {
    live: Pick<Live, "harness" | "screen">;
  };

/** Build it. `holdForPerson` says who holds one of the files that go back. */
export function rewindPart(
  parts: Needs,
  { holdForPerson: hold }: { holdForPerson: NonNullable<UndoOptions["hold"]> },
): RewindPart {
  const { live, isInteractive } = parts;
  const to: RewindPart["to"] = async (turn, wanted) => {
    const { harness } = live;
    const turns = harness.turns();
    const unknown = unknownTurn(turns, turn);
    if (unknown !== undefined) return refused(unknown);
    const paths = await pathsAfter(parts, turn);
    const problem = wanted === "files"
      ? undefined
      : newestProblem(turns, turn, paths) ?? summaryProblem(turns, turn);
    if (problem !== undefined) return refused(problem);
    if (wanted === undefined && !isInteractive) {
      return misused(`Say what goes back: /rewind ${turn} conversation, files or both`);
    }
    const what = wanted ?? await ask(live.screen, { turn, paths });
    if (what === undefined) return done("Everything stays as it is");
    return await goBack(parts, { turn, what, paths, hold });
  };
  return {
    to,
    fork: async (turn) => await (await import("./fork.ts")).fork(parts, turn),
    choose: async () => {
      const { harness, screen } = live;
      const rows = messagesOf(harness);
      if (rows.length === 0) return refused("There is no message to go back to yet");
      if (screen.pick === undefined) {
        const lines = rows.map(({ turn, before, text }) =>
          `  /rewind ${before}  turn ${turn}: ${text}`
        );
        return done(["What goes back to before which message:", ...lines].join("\n"));
      }
      const picked = await screen.pick({
        title: "Go back to before a message",
        text: "What goes back, the conversation, the files or both, is asked next.",
        rows: rows.map(({ turn, text }) => ({ label: text, detail: `turn ${turn}` })),
        current: rows.length - 1,
        actions: [{ key: "enter", label: "go back to before it" }],
      });
      const row = picked.isCancelled ? undefined : rows[picked.row];
      return row === undefined ? done("Everything stays as it is") : await to(row.before);
    },
  };
}

export type Turns = ReturnType<Live["harness"]["turns"]>;

/** The messages that can be gone back to, each with the turn before it. */
function messagesOf(harness: Live["harness"]): { turn: number; before: number; text: string }[] {
  const turns = harness.turns();
  const messages = harness.messages();
  return turns.flatMap(({ turn, at }, index) => {
    const message = at === undefined ? undefined : messages[at];
    if (message?.role !== "user") return [];
    const words = message.content.map((part) => part.type === "text" ? part.text : "(image)");
    const text = clipEnd(words.join(" ").replaceAll(/\s+/g, " ").trim(), LABEL_CHARS_MAX);
    return [{ turn, before: turns[index - 1]?.turn ?? 0, text }];
  });
}

/** Why a turn is none of this conversation; 0 is its beginning. */
export function unknownTurn(turns: Turns, wanted: number): string | undefined {
  if (wanted === 0 || turns.some(({ turn }) => turn === wanted)) return undefined;
  return turns.length === 0
    ? "There is no turn yet"
    : `Turn ${wanted} is not in this conversation; /rewind lists what is`;
}

/** The conversation cannot go back to where it is; edits of turns that were taken back can still stand. */
function newestProblem(
  turns: Turns,
  toTurn: number,
  paths: readonly string[],
): string | undefined {
  if (toTurn !== (turns.at(-1)?.turn ?? 0)) return undefined;
  const files = paths.length === 0 ? "" : `; /rewind ${toTurn} files takes back later edits`;
  return `Nothing came after turn ${toTurn}: it is the newest${files}`;
}

/** What follows a turn can only be cut off where it begins, and in a summary nothing begins. */
function summaryProblem(turns: Turns, toTurn: number): string | undefined {
  const next = turns.find(({ turn }) => turn > toTurn);
  if (next === undefined || next.at !== undefined) return undefined;
  const first = turns.findIndex(({ at }) => at !== undefined);
  const earliest = turns[first - 1]?.turn;
  return `Turn ${next.turn} is inside a summary, so the conversation cannot go back to before it` +
    `${earliest === undefined ? "" : `; /rewind ${earliest} is the earliest`}. ` +
    `/rewind ${toTurn} files takes the files back alone`;
}

async function pathsAfter({ journal }: Needs, toTurn: number): Promise<readonly string[]> {
  const { listEdits } = await import("@/workspace/undo.ts");
  const opened = await journal();
  const edits = (await listEdits(opened, opened.session))
    .filter(({ turn, state }) => turn > toTurn && state === "live");
  return [...new Set(edits.flatMap(({ paths }) => paths))];
}

async function ask(
  screen: Live["screen"],
  { turn, paths }: { turn: number; paths: readonly string[] },
): Promise<RewindWhat | undefined> {
  const shown = paths.slice(0, PATHS_SHOWN).join(", ");
  const left = paths.length - PATHS_SHOWN;
  const files = paths.length === 0
    ? "No file was changed since by the AI"
    : `Files that were changed since: ${shown}${left > 0 ? ` and ${left} more` : ""}`;
  const text = `Go back to the end of turn ${turn}. ${files}. What goes back?`;
  const options = Object.keys(WHAT).filter((one) =>
    paths.length > 0 || WHAT[one] === undefined || WHAT[one] === "conversation"
  );
  const answer = await chooseOn(screen, { text, options, freeText: false });
  return answer === undefined ? undefined : WHAT[answer];
}

/** What the model is told where it does not know of those changes any more. */
function goneSince(paths: readonly string[]): string {
  return "The person went back to this point of the conversation. " +
    `Changes that you made after it are taken back, in: ${paths.join(", ")}`;
}

type Way = { turn: number; what: RewindWhat; paths: readonly string[] } & Pick<UndoOptions, "hold">;

/** The files first: where they cannot go back, nothing does. */
async function goBack(
  parts: Needs,
  { turn, what, paths, hold }: Way,
): Promise<CommandResult> {
  const { live: { harness }, conversation: { log } } = parts;
  const told: string[] = [];
  if (what === "files" && paths.length === 0) {
    return refused(`No edit after turn ${turn} stands; there is nothing to take back`);
  }
  if (what !== "conversation" && paths.length > 0) {
    const [{ undoAfter }, journal, git] = await Promise.all([
      import("@/workspace/undo.ts"),
      parts.journal(),
      parts.commits(),
    ]);
    const undone = await undoAfter(journal, turn, { git, hold, again: `/rewind ${turn} ${what}` });
    if (!undone.ok) {
      return refused(
        what === "both"
          ? `${undone.reason}\nNothing went back; /rewind ${turn} conversation leaves the files as they are`
          : undone.reason,
      );
    }
    told.push(undone.text);
  }
  if (what !== "files") harness.emit({ type: "rewind", toTurn: turn });
  // What was read of them before no longer holds.
  if (told.length > 0) {
    harness.add(what === "both" ? goneSince(paths) : tookBack("took back", paths), "hook");
  }
  await log.flush();
  if (what !== "files") {
    told.push(
      `The conversation is at the end of turn ${turn} again; what came after is not sent any more`,
    );
  }
  return done(told.join("\n"));
}
