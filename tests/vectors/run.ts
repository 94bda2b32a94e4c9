/** `deno task vectors [FILE…] [--only COMPONENT]`: runs vector files against the product. */
import { fileURLToPath } from "node:url";
import { type Adapters, allAdapters } from "./adapter.ts";
import { BELIEVED_WRONG } from "./believed_wrong.ts";
import { judge, type Outcome } from "./judge.ts";
import { readVectors, type Vector } from "./vector_file.ts";

/** The files that are run when none is named. */
export const OWN_FILES: readonly string[] = ["vectors.json", "tool-call-vectors.json"].map((name) =>
  fileURLToPath(new URL(`../testdata/${name}`, import.meta.url))
);

if (import.meta.main) Deno.exit(await main(Deno.args, allAdapters()));

async function main(args: readonly string[], adapters: Adapters): Promise<number> {
  const only = args.includes("--only") ? args[args.indexOf("--only") + 1] : undefined;
  const files = args.filter((word) => word !== "--only" && word !== only);
  if (files.some((file) => file.startsWith("-"))) {
    console.error("Usage: deno task vectors [FILE…] [--only COMPONENT]");
    return 2;
  }
  let vectors: Vector[];
  try {
    vectors = (await Promise.all((files.length > 0 ? files : OWN_FILES).map(readVectors))).flat();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  const wanted = vectors.filter(({ component }) =>
    only === undefined || component.startsWith(only)
  );
  const { lines, isGood } = report(await judge(wanted, adapters, BELIEVED_WRONG));
  for (const line of lines) console.log(line);
  return isGood ? 0 : 1;
}

/** A line for each failure and each reason to skip, and the counts last. Good: something passed and nothing failed. */
export function report(outcomes: readonly Outcome[]): { lines: string[]; isGood: boolean } {
  const lines: string[] = [];
  const skips = new Map<string, number>();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const outcome of outcomes) {
    const { status, vector } = outcome;
    counts[status] += 1;
    if (status === "failed") {
      lines.push(`FAIL ${vector.id} [${vector.component} ${vector.hash}] ${outcome.why}`);
    } else if (status === "skipped") {
      const line = `${vector.component}: ${outcome.reason}`;
      skips.set(line, (skips.get(line) ?? 0) + 1);
    }
  }
  for (const [line, count] of skips) lines.push(`skipped ${count} of ${line}`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  lines.push(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  return { lines, isGood: counts.failed === 0 && counts.passed > 0 };
}
