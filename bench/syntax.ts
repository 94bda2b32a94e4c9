/** How fast a long file is outlined, from its text to the JSON that a model reads. */
import { Syntax } from "@/workers/syntax.ts";
import { outlineText } from "@/workspace/syntax/outline_text.ts";
import { elapsedMs, interleave, type Row } from "./measure.ts";

const LINES = 5_000;

/** Five lines of it declare a function. */
const FUNCTION = (n: number) =>
  `export async function step${n}(input: string, count = ${n}): Promise<number> {\n` +
  `  const parts = input.split(",").map((part) => part.trim());\n` +
  `  if (parts.length > count) return await other(parts, { count });\n` +
  `  return parts.length;\n` +
  `}\n`;

/** TypeScript, by a worker that has to start and by one that is there. */
export async function syntax(runs: number): Promise<Row[]> {
  const text = Array.from({ length: LINES / 5 }, (_, n) => FUNCTION(n)).join("");
  const head = { file: "long.ts", language: "typescript" };
  const { signal } = new AbortController();
  const outline = async (by: Syntax) => {
    outlineText(head, await by.outline({ language: "typescript", text }, signal));
  };
  const warm = new Syntax();
  await outline(warm);
  const samples = await interleave({
    first: () =>
      elapsedMs(async () => {
        const cold = new Syntax();
        await outline(cold);
        cold.close();
      }),
    next: () => elapsedMs(() => outline(warm)),
  }, runs);
  warm.close();
  const unit = "ms";
  return [
    { name: `${LINES} lines, worker and grammar to start`, unit, values: samples.first ?? [] },
    {
      name: `${LINES} lines, the next`,
      unit,
      values: samples.next ?? [],
      goal: { kind: "median", atMost: 1_000 },
    },
  ];
}
