/**
 * `deno task attacks [FILE…] [--only WORD]`: plays files of attacks against the real program; `--damage` the forty starts
 * over a damaged state directory.
 */
import { fileURLToPath } from "node:url";
import { type Attack, needsNetwork, readAttacks } from "./case_file.ts";
import { damagedStarts } from "./damage.ts";
import { judgeInNetwork } from "./in_network.ts";
import { judge, type Verdict } from "./judge.ts";
import { readProgramParts } from "./program_parts.ts";

/** The file that is played when none is named. */
export const OWN_FILE = fileURLToPath(new URL("../testdata/attacks.json", import.meta.url));

/** Attacks that are played at the same time. */
const AT_ONCE = 2;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const only = args.includes("--only") ? args[args.indexOf("--only") + 1] : undefined;
  const isDamage = args.includes("--damage");
  const files = args.filter((word) => !["--only", "--damage", only].includes(word));
  if (files.some((file) => file.startsWith("-"))) {
    console.error("Usage: deno task attacks [FILE…] [--damage] [--only ID|COMPONENT]");
    return 2;
  }
  let attacks: Attack[];
  try {
    const named = files.length > 0 || isDamage ? files : [OWN_FILE];
    attacks = [
      ...isDamage ? damagedStarts() : [],
      ...(await Promise.all(named.map(readAttacks))).flat(),
    ];
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  const wanted = attacks.filter(({ id, component }) =>
    only === undefined || id.startsWith(only) || component === only
  );
  const counts = { passed: 0, failed: 0, skipped: 0 };
  await playAll(wanted, ({ id, component, title }, verdict) => {
    counts[verdict.status] += 1;
    if (verdict.status === "failed") {
      console.log(`FAIL ${id} [${component}] ${title}: ${verdict.why}`);
    }
    if (verdict.status === "skipped") console.log(`skipped ${id} [${component}]: ${verdict.why}`);
  });
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

/** Play attacks, some at once, and tell of each in the order in which they stand. */
export async function playAll(
  attacks: readonly Attack[],
  tell: (attack: Attack, verdict: Verdict) => void,
): Promise<void> {
  const parts = await readProgramParts();
  const verdicts: Promise<Verdict>[] = [];
  let free: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  for (const attack of attacks) {
    const [before, ...others] = free;
    const verdict = Promise.resolve(before).then(() =>
      needsNetwork(attack) ? judgeInNetwork(attack, parts) : judge(attack, parts)
    ).catch((error: unknown): Verdict => ({
      status: "failed",
      why: `the runner: ${error instanceof Error ? error.stack : error}`,
    }));
    verdicts.push(verdict);
    free = [...others, verdict];
  }
  for (const [at, attack] of attacks.entries()) {
    const verdict = await verdicts[at];
    if (verdict !== undefined) tell(attack, verdict);
  }
}
