/** Edit reliability: real edits, asked for in three formats with the slips of small models, by what came of each. */
import { applyPatch } from "diff";
import { prepareEdit } from "@/workspace/file_edit.ts";
import { fingerprint } from "@/workspace/hashline.ts";
import { Readings } from "@/workspace/readings.ts";
import { splitLines } from "@/workspace/text_file.ts";
import { type Case, caseOf, type Format, FORMATS, type Slip, SLIPS } from "./ask_edit.ts";
import { PACKAGE, realEdits } from "./real_edits.ts";
import { seeded } from "./random.ts";

const EDITS = 1_000;
const SEED = 7;
/** What patch(1) does without being asked. */
const FUZZ = 2;

/** `helped`: refused, and the model has the anchors of what it meant, so that the next try can be right. */
export type Outcome = "right" | "refused" | "helped" | "wrong";

/** What came of the cases of a format and a slip. */
export type Tally = { format: Format; slip: Slip; counts: Record<Outcome, number> };

/** Every edit in every format with every slip that it can have. */
export async function editTallies(count = EDITS): Promise<Tally[]> {
  const edits = await realEdits(count);
  const random = seeded(SEED);
  const dir = await Deno.makeTempDir({ prefix: "harness-bench-" });
  const tallies: Tally[] = [];
  try {
    for (const format of FORMATS) {
      for (const slip of SLIPS) {
        const counts = { right: 0, refused: 0, helped: 0, wrong: 0 };
        for (const edit of edits) {
          const made = caseOf(edit, { format, slip, random });
          if (made !== undefined) counts[await outcomeOf(made, `${dir}/file.js`)] += 1;
        }
        tallies.push({ format, slip, counts });
      }
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
  return tallies;
}

/** What the program makes of a case. A diff, which edit_file does not take, goes to jsdiff as patch(1) would apply it. */
export async function outcomeOf(made: Case, path: string): Promise<Outcome> {
  const { asked, now, right, target } = made;
  if ("diff" in asked) {
    const after = applyPatch(now, asked.diff, { fuzzFactor: FUZZ });
    if (after === false) return "refused";
    return after === right ? "right" : "wrong";
  }
  const readings = new Readings();
  const encoder = new TextEncoder();
  readings.note(path, splitLines(made.read).map((text, at) => ({ line: at + 1, text })));
  readings.noteWhole(path, encoder.encode(made.read));
  await Deno.writeTextFile(path, now);
  const prepared = await prepareEdit(readings, { path, spelled: "file.js" }, {
    path: "file.js",
    old: asked.old,
    new: asked.new,
  });
  if (prepared.kind === "ready") {
    return new TextDecoder().decode(prepared.bytes) === right ? "right" : "wrong";
  }
  if (prepared.kind === "unchanged") return now === right ? "right" : "wrong";
  const shown = new Set((prepared.shown ?? []).map(({ line }) => line));
  const lines = splitLines(now);
  const isInHand = (line: number) =>
    shown.has(line) || asked.old.includes(`${line}:${fingerprint(lines[line - 1] ?? "")}`);
  return isInHand(target.from) && isInHand(target.to) ? "helped" : "refused";
}

/** The tallies as lines of a table. */
export function editTable(tallies: readonly Tally[]): string[] {
  const lines = [`  ${EDITS} edits of ${PACKAGE}; a case counts where the edit can have the slip`];
  for (const { format, slip, counts } of tallies) {
    const { right, refused, helped, wrong } = counts;
    const all = right + refused + helped + wrong;
    const share = (count: number) => `${(count / all * 100).toFixed(1)} %`.padStart(8);
    lines.push(
      `  ${format.padEnd(8)} ${slip.padEnd(12)} ${String(all).padStart(5)} cases: landed right ${
        share(right)
      }, refused with the anchors in hand ${share(helped)}, refused ${
        share(refused)
      }, landed wrong ${wrong}`,
    );
  }
  return lines;
}
