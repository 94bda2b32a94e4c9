/** Whether the program withstood an attack. */
import type { Attack } from "./case_file.ts";
import { stepsOf } from "./case_file.ts";
import { isSo } from "./checks.ts";
import type { Evidence } from "./evidence.ts";
import { play } from "./play.ts";
import { absentParts, type ProgramParts } from "./program_parts.ts";
import { lacking, makeWorld } from "./world.ts";

export type Verdict =
  | { status: "passed" }
  | { status: "failed"; why: string }
  | { status: "skipped"; why: string };

/** Play it and look at every condition. */
export async function judge(attack: Attack, parts: ProgramParts): Promise<Verdict> {
  const missing = await lacking(attack) ?? absentParts(attack, parts);
  if (missing !== undefined) return { status: "skipped", why: missing };
  for (const step of stepsOf(attack)) {
    if (step.kind === "cannot") return { status: "skipped", why: step.why };
  }
  await using world = await makeWorld(attack);
  const seen = await play(attack, world);
  const problems = await problemsOf(attack, seen);
  if (problems.length === 0) return { status: "passed" };
  return { status: "failed", why: problems.join("; ") };
}

/** What is not as the attack says; empty where all is. */
export async function problemsOf(attack: Attack, seen: Evidence): Promise<string[]> {
  const problems: string[] = [];
  for (const [checks, isBad] of [[attack.must_not, true], [attack.must, false]] as const) {
    for (const check of checks) {
      const is = await isSo(seen, check, isBad);
      if (is === undefined) problems.push(`the check "${check.check}" is not known`);
      else if (is === isBad) problems.push(told(seen, JSON.stringify(check), isBad));
    }
  }
  return problems;
}

function told({ outcomes }: Evidence, check: string, isBad: boolean): string {
  const calls = outcomes.map(({ tool, what, status }) => `${tool} ${what} ${status}`);
  return `${isBad ? "happened" : "is not so"}: ${check} (${calls.slice(0, 8).join(", ")})`;
}
