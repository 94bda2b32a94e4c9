/** Runs vectors against the product and says of each what came of it. */
import type { Adapters } from "./adapter.ts";
import { type Difference, differences } from "./compare.ts";
import type { Vector } from "./vector_file.ts";

/** What came of one vector. `actual` is what the adapter answered. */
export type Outcome =
  & { vector: Vector }
  & (
    | { status: "passed"; actual: unknown }
    | { status: "failed"; why: string }
    | { status: "skipped"; reason: string }
  );

/** Runs vectors one after the other, in order. Never throws: what an adapter throws is that vector's failure. */
export async function judge(
  vectors: readonly Vector[],
  adapters: Adapters,
  believedWrong: Readonly<Record<string, string>> = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const vector of vectors) {
    const outcome = await judgeOne(vector, adapters);
    outcomes.push(weigh(outcome, believedWrong[vector.hash]));
  }
  return outcomes;
}

async function judgeOne(vector: Vector, adapters: Adapters): Promise<Outcome> {
  const adapter = adapters[vector.component];
  if (!adapter) return { vector, status: "skipped", reason: "no adapter" };
  const asked = Object.fromEntries(Object.keys(vector.expected).map((key) => [key, undefined]));
  let actual: unknown;
  try {
    actual = await adapter(structuredClone(vector.input), { id: vector.id, expected: asked });
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { vector, status: "failed", why: `the adapter threw ${clipped(text)}` };
  }
  if (actual === undefined) {
    return { vector, status: "skipped", reason: `not implemented: ${shapeOf(vector)}` };
  }
  const differing = differences(actual, vector.expected);
  if (differing.length === 0) return { vector, status: "passed", actual };
  return { vector, status: "failed", why: differing.map(described).join("; ") };
}

/** A vector believed wrong is skipped while it fails; once it passes, the belief is. */
function weigh(outcome: Outcome, belief: string | undefined): Outcome {
  const { vector } = outcome;
  if (belief === undefined || outcome.status === "skipped") return outcome;
  if (outcome.status === "failed") {
    return { vector, status: "skipped", reason: `believed wrong: ${belief}` };
  }
  return { vector, status: "failed", why: `passes, though believed wrong: ${belief}` };
}

function shapeOf({ input, expected }: Vector): string {
  const keys = typeof input === "object" && input !== null ? Object.keys(input) : [typeof input];
  return `(${keys.join(", ")}) → (${Object.keys(expected).join(", ")})`;
}

function described({ key, actual, expected }: Difference): string {
  return `${key} is ${clipped(shown(actual))}, expected ${clipped(shown(expected))}`;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "absent";
}

const SHOWN_CHARS_MAX = 400;

function clipped(text: string): string {
  const line = text.replaceAll("\n", "⏎");
  return line.length <= SHOWN_CHARS_MAX ? line : `${line.slice(0, SHOWN_CHARS_MAX)}…`;
}
