/** The product against the vector files: a test for each component, and tests that the runner tells right from wrong. */
import { deepStrictEqual as assertEquals, ok } from "node:assert";
import { basename } from "node:path";
import { once } from "@/lib/once.ts";
import { allAdapters } from "./vectors/adapter.ts";
import { BELIEVED_WRONG } from "./vectors/believed_wrong.ts";
import { differences } from "./vectors/compare.ts";
import { judge, type Outcome } from "./vectors/judge.ts";
import { OWN_FILES, report } from "./vectors/run.ts";
import { readVectors, type Vector } from "./vectors/vector_file.ts";

const adapters = allAdapters();
const files = await Promise.all(
  OWN_FILES.map(async (path) => ({ name: basename(path), vectors: await readVectors(path) })),
);

/** Components whose adapters start programs and wait for them; they are not run again in another order. */
const SLOW: readonly string[] = [
  "shell.waiting",
  "vm",
  "git",
  "verify.loop",
  "platform.deno",
  "deepthink",
  "subagent",
];

const quick = files.flatMap(({ vectors }) => vectors)
  .filter(({ component }) => adapters[component] !== undefined && !SLOW.includes(component));

const judged = once(() => judge(quick, adapters, BELIEVED_WRONG));

for (const { name, vectors } of files) {
  for (const [component, group] of Map.groupBy(vectors, ({ component }) => component)) {
    Deno.test({
      name: `vectors of ${component} in ${name} are met`,
      ignore: adapters[component] === undefined,
      fn: async () => {
        const outcomes = SLOW.includes(component)
          ? await judge(group, adapters, BELIEVED_WRONG)
          : (await judged()).filter(({ vector }) => group.includes(vector));
        const { lines } = report(outcomes);
        assertEquals(lines.filter((line) => line.startsWith("FAIL ")), []);
      },
    });
  }
}

Deno.test("judge() fails each vector whose expectation says something else", async () => {
  const met = (await judged()).filter(({ status }) => status === "passed");
  ok(met.length > 0);
  for (const outcome of met) {
    if (outcome.status !== "passed") continue;
    const { component, expected, id } = outcome.vector;
    for (const [key, value] of Object.entries(expected)) {
      const missed = differences(outcome.actual, { ...expected, [key]: other(key, value) });
      assertEquals(missed.map((difference) => difference.key), [key], `${component} ${id}`);
    }
  }
});

Deno.test("judge() counts the same under other ids and in another order", async () => {
  const shuffled = quick.map((vector, index): Vector => ({ ...vector, id: `x-${index}` }))
    .reverse();
  const counts = (outcomes: readonly Outcome[]) => report(outcomes).lines.at(-1);
  assertEquals(counts(await judge(shuffled, adapters, BELIEVED_WRONG)), counts(await judged()));
});

/** An expectation that the same outcome cannot meet. */
function other(key: string, value: unknown): unknown {
  if (typeof value === "number") return /_max$|_within_s$/.test(key) ? -1 : value + 1_000_000;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return `≠${value}≠`;
  if (Array.isArray(value)) return [...value, "≠"];
  return value === null ? "≠" : { ...value, "≠": true };
}
