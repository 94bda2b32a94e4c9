/** Timing by interleaved runs: what else the machine does hits all variants alike, so that ratios hold. */

/** What one variant took, run by run, in the unit of its bench. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** Runs all variants in turn, `runs` times, after one turn that is not counted; a variant gives its own figure. */
export async function interleave(
  variants: Readonly<Record<string, () => Promise<number>>>,
  runs: number,
): Promise<Samples> {
  const samples: Record<string, number[]> = {};
  for (let run = -1; run < runs; run++) {
    for (const [name, measure] of Object.entries(variants)) {
      const figure = await measure();
      if (run >= 0) (samples[name] ??= []).push(figure);
    }
  }
  return samples;
}

/** Milliseconds that an action takes. */
export async function elapsedMs(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? NaN;
  return (upper + lower) / 2;
}

/** What a bench reports. `goal` is a bound on the median, or on its ratio to the first variant's. */
export type Row = {
  name: string;
  unit: "ms" | "MB" | "KB" | "MB/s" | "lines";
  values: readonly number[];
  goal?: { kind: "ratio" | "median"; atMost: number } | { kind: "median"; atLeast: number };
};

/** One line a row: median, smallest, ratio to the first row, and whether the goal is met. */
export function table(rows: readonly Row[]): string[] {
  const base = median(rows[0]?.values ?? []);
  const wide = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, unit, values, goal }) => {
    const middle = median(values);
    const ratio = middle / base;
    const figures = `median ${shown(middle)} ${unit}, min ${shown(Math.min(...values))} ${unit}`;
    const verdict = goal ? `, ${judged(goal, { ratio, median: middle }, unit)}` : "";
    return `  ${name.padEnd(wide)}  ${figures}, ratio ${
      ratio.toFixed(2)
    } (${values.length} runs)${verdict}`;
  });
}

function judged(
  goal: NonNullable<Row["goal"]>,
  got: { ratio: number; median: number },
  unit: string,
): string {
  const value = got[goal.kind];
  const of = goal.kind === "ratio" ? "×" : ` ${unit}`;
  if ("atLeast" in goal) {
    return `goal ≥ ${goal.atLeast}${of}: ${value >= goal.atLeast ? "met" : "MISSED"}`;
  }
  return `goal ≤ ${goal.atMost}${of}: ${value <= goal.atMost ? "met" : "MISSED"}`;
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
