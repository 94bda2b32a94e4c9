/** `/agents` where there is a picker: who else is here and what each holds, with what the person can do about it. */
import type { ScreenParts } from "@/compose/parts.ts";
import { ageText } from "@/lib/age_text.ts";
import { seenFrom } from "@/lib/path_within.ts";
import { type CommandResult, done } from "@/terminal/commands/spec.ts";
import type { Desk } from "./desk.ts";
import { release, say } from "./orders.ts";

const SAY = 0;
const RELEASE = 1;

/** A row of the picker: an agent, or a file that it holds. */
type Row = { agent: string; path?: string; label: string; detail: string };

/** Let the person choose. Without anybody else, or where they choose nothing, who is here as text. */
export async function choose(
  desk: Desk,
  { pick, asker }: Pick<ScreenParts, "pick" | "asker">,
): Promise<CommandResult> {
  await desk.refresh();
  const rows = await rowsOf(desk);
  if (pick === undefined || rows.length === 0) return done(await desk.describe());
  const picked = await pick({
    title: "Agents in this project",
    text: "The other harnesses at work here, and the files that each is holding.",
    rows,
    actions: [
      { key: "enter", label: "say something to it" },
      { key: "r", label: "take the file away" },
    ],
  });
  const row = picked.isCancelled ? undefined : rows[picked.row];
  if (picked.isCancelled || row === undefined) return done(await desk.describe());
  if (picked.action === RELEASE && row.path !== undefined) return await release(desk, row.path);
  if (picked.action !== SAY) return done(`${row.agent} is not a file; choose one that it holds`);
  const question = { text: `What is ${row.agent} to be told?`, options: [] };
  const [text = ""] = await asker([question], new AbortController().signal) ?? [];
  return text.trim() === "" ? done("Nothing was said") : await say(desk, text, row.agent);
}

async function rowsOf(desk: Desk): Promise<readonly Row[]> {
  const board = await desk.board();
  const { agents, claims } = await board.look();
  const self = desk.member?.id;
  return agents.filter(({ id }) => id !== self).flatMap(({ id, uid, model, label }): Row[] => [
    { agent: id, label: id, detail: [model, label].filter((text) => text !== "").join("  ") },
    ...claims.filter((claim) => claim.uid === uid).map(({ path, reason, at }) => ({
      agent: id,
      path,
      label: `  ${seenFrom(board.top, path)}`,
      detail: [`held by ${id} for ${ageText((board.now() - at) / 1_000)}`, reason].filter((text) =>
        text !== ""
      ).join(", "),
    })),
  ]);
}
