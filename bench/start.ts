/** How long the program takes to start, against an empty Deno program in the same run. */
import { interleave, type Row } from "./measure.ts";
import { other, program, scratch, took, tookToPrompt } from "./program.ts";

/** `--version`: goal at most one and a half times an empty program. */
export async function version(runs: number): Promise<Row[]> {
  await using at = await scratch();
  const samples = await interleave({
    empty: async () => (await took(other(`${at.dir}/empty.ts`), at)).ms,
    version: async () => (await took(program("--version"), at)).ms,
  }, runs);
  return [
    { name: "empty program", unit: "ms", values: samples.empty ?? [] },
    {
      name: "--version",
      unit: "ms",
      values: samples.version ?? [],
      goal: { kind: "ratio", atMost: 1.5 },
    },
  ];
}

/** The first prompt of each screen in a pseudo-terminal: goal at most three times a program that prints one and ends. */
export async function firstPrompt(runs: number): Promise<Row[]> {
  await using at = await scratch();
  const samples = await interleave({
    empty: async () => (await tookToPrompt("> ", other(`${at.dir}/prompt.ts`), at)).ms,
    full: async () => (await tookToPrompt("❯", program("-m", "demo/tour"), at)).ms,
    plain: async () => (await tookToPrompt("> ", program("--plain", "-m", "demo/tour"), at)).ms,
  }, runs);
  return [
    { name: "empty program", unit: "ms", values: samples.empty ?? [] },
    {
      name: "full screen",
      unit: "ms",
      values: samples.full ?? [],
      goal: { kind: "ratio", atMost: 3 },
    },
    {
      name: "plain screen",
      unit: "ms",
      values: samples.plain ?? [],
      goal: { kind: "ratio", atMost: 3 },
    },
  ];
}
