/** How the test files are divided among processes, and what became of them together. */

/** What came of one process, as `deno test` counts. */
export type Counts = { passed: number; failed: number; ignored: number };

/** Folders whose tests take long begin first, so that nothing long is left for the end. */
const LONG = [
  "tests/workspace/commit/",
  "tests/e2e/",
  "tests/sandbox/",
  "tests/release/",
  "tests/verify/",
  "tests/vectors/",
  "tests/tasks/",
  "tests/shell/",
  "tests/workers/",
  "tests/features/",
  "tests/faults/",
];

/** Most files of one process: of the long ones few. */
const MANY = 12;
const FEW = 4;

/** Test files in groups that belong to one folder, the long ones first. */
export function batches(files: readonly string[]): string[][] {
  const isLong = (file: string) => LONG.some((folder) => file.startsWith(folder));
  const long = files.filter(isLong);
  const short = files.filter((file) => !isLong(file));
  return [...groups(long, FEW), ...groups(short, MANY)];
}

function groups(files: readonly string[], most: number): string[][] {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, at) => files.slice(at * most, (at + 1) * most));
}

/** The counts of the last line of `deno test`; a process that ended badly without one is a failure. */
export function countsOf(
  output: string,
  { code, isTests }: { code: number; isTests: boolean },
): Counts {
  const plain = output.replaceAll(/\x1b\[[0-9;]*m/g, "");
  const line = plain.match(/^(?:ok|FAILED) \| \d+ passed.*$/gm)?.at(-1) ?? "";
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  const counts = { passed: count("passed"), failed: count("failed"), ignored: count("ignored") };
  const saysNothing = counts.failed === 0 && (code !== 0 || (isTests && line === ""));
  return saysNothing ? { ...counts, failed: 1 } : counts;
}

/** The last line of `deno test`, over all processes. */
export function summary(all: readonly Counts[], milliseconds: number): string {
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0);
  const seconds = Math.round(milliseconds / 1000);
  const time = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  const ignored = sum("ignored") > 0 ? ` | ${sum("ignored")} ignored` : "";
  const word = sum("failed") > 0 ? "FAILED" : "ok";
  return `${word} | ${sum("passed")} passed | ${sum("failed")} failed${ignored} (${time})`;
}
