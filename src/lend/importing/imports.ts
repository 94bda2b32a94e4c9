/** An import as the person meets it: the preview, and the writing of what was shown. */
import type { Place } from "@/compose/place.ts";
import { counted } from "@/lib/counted.ts";
import { describe } from "@/lib/describe.ts";
import { isThere } from "@/lib/is_there.ts";
import { join } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";
import { visible } from "@/lib/visible.ts";
import type { StatePaths } from "@/settings/paths.ts";
import { type Change, planImport } from "./plan.ts";
import { OTHER_INSTRUCTIONS } from "./sources.ts";
import { type Target, targetsOf, writeTarget } from "./targets.ts";

export type ImportPlaces = { home: string | undefined; workspace: string; paths: StatePaths };

/** Where a run looks, and writes. */
export function importPlaces({ env, workspace, paths }: Place): ImportPlaces {
  return { home: env["HOME"] ?? env["USERPROFILE"], workspace, paths };
}

/** What would be done. `count` is how many things would be written. */
export type Import = { text: string; count: number; targets: readonly Target[] };

const RULES_SHOWN = 4;
/** Much more than any rule or command line has: what is asked about is shown whole. */
const CHARS_SHOWN = 8_000;

/** Look, and say what would be done. */
export async function lookForImport(places: ImportPlaces): Promise<Import> {
  const { changes, left, looked } = await planImport(places);
  const targets = await targetsOf(changes, places);
  const others = await othersIn(places.workspace);
  const count = targets.reduce((sum, target) => sum + target.changes.length, 0);
  const there = targets.flatMap(({ isThere }) => isThere);
  const lines = [
    ...(looked.length === 0
      ? ["Nothing of Claude Code, Codex, opencode, Cursor, VS Code or Gemini was found"]
      : []),
    ...targets.filter((target) => target.changes.length > 0).flatMap((target) => [
      `To ${target.path}:`,
      ...target.changes.map((change) => `  + ${lineOf(change)}`),
    ]),
    ...targets.some(({ changes }) => changes.some(isJudge)) ? [FAILS_CLOSED] : [],
    ...section("There already, and left as it is:", there.map(lineOf)),
    ...section("Not taken:", left),
    ...section(
      "Not read by harness; put what counts of them into AGENTS.md:",
      others,
    ),
  ];
  return { text: lines.join("\n"), count, targets };
}

/** Where they come from such a hook lets everything pass. */
const FAILS_CLOSED =
  'A PreToolUse hook that fails makes the call a question here; "onError": "allow" beside its command has it pass';

function isJudge(change: Change): boolean {
  return change.kind === "hook" && change.event === "PreToolUse";
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  - ${oneLine(line)}`)];
}

function lineOf(change: Change): string {
  const from = `  (${change.from})`;
  if (change.kind !== "rules") return oneLine(change.said) + from;
  const texts = change.rules.map((rule) =>
    typeof rule === "string" ? rule : `${rule.tool}, exactly: ${rule.literal}`
  );
  const more = texts.length > RULES_SHOWN ? `, and ${texts.length - RULES_SHOWN} more` : "";
  const ours = `${texts.slice(0, RULES_SHOWN).join(", ")}${more}`;
  return oneLine(`${change.verdict} ${change.said} → ${ours}`) + from;
}

function oneLine(text: string): string {
  return visible(text.length > CHARS_SHOWN ? `${text.slice(0, CHARS_SHOWN)}…` : text, {
    oneLine: true,
  });
}

async function othersIn(workspace: string): Promise<readonly string[]> {
  const found = await Promise.all(
    OTHER_INSTRUCTIONS.map(async (name) => await isThere(join(workspace, name)) ? [name] : []),
  );
  return found.flat();
}

/** Write what was shown. Stops at the first file that cannot be written: what refuses comes before what allows. */
export async function writeImport(
  { targets }: Import,
  places: ImportPlaces,
): Promise<{ isDone: boolean; text: string }> {
  const lines: string[] = [];
  for (const target of targets.filter(({ changes }) => changes.length > 0)) {
    try {
      await writeTarget(target, places);
      lines.push(`Wrote ${counted(target.changes.length, "thing")} to ${target.path}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const text = `${describe(error)}. Nothing of what comes after it was written`;
      return { isDone: false, text: [...lines, text].join("\n") };
    }
  }
  const isProject = targets.some(({ path }) => isWithin(path, places.workspace));
  if (isProject) {
    lines.push("What was written into the project waits for your trust: /trust shows it");
  }
  return { isDone: true, text: lines.join("\n") };
}
