/** What the full screen's transcript costs: a long reply with and without a long session before it, and opening that session. */
import { fileURLToPath } from "node:url";
import { interleave, type Row } from "./measure.ts";
import { other, output, scratch } from "./program.ts";
import { session } from "./transcript_case.ts";
import type { Ran } from "./transcript_child.ts";

const CHILD = fileURLToPath(new URL("./transcript_child.ts", import.meta.url));
const LONG_TURNS = 150;

/** Each run is a process of its own, so that nothing is compiled or warm from the one before. */
export async function transcript(runs: number): Promise<Row[]> {
  await using at = await scratch();
  for (const [name, turns] of [["short", 0], ["long", LONG_TURNS]] as const) {
    const lines = session(turns).map((record) => `${JSON.stringify(record)}\n`);
    await Deno.writeTextFile(`${at.dir}/${name}.jsonl`, lines.join(""));
  }
  const ran: Record<"short" | "long", Ran[]> = { short: [], long: [] };
  const once = async (name: "short" | "long") => {
    const result: Ran = JSON.parse(await output([...other(CHILD), `${at.dir}/${name}.jsonl`], at));
    if (result.clears > 0) throw new Error("The screen was cleared while a reply came in");
    ran[name].push(result);
    return result.streamCpuMs;
  };
  await interleave({
    short: () => once("short"),
    long: () => once("long"),
  }, runs);
  // The first turn of both is not counted.
  const [short, long] = [ran.short.slice(1), ran.long.slice(1)];
  const of = (from: readonly Ran[], figure: keyof Ran) => from.map((one) => one[figure]);
  return [
    { name: "reply of 9.3 KB, no session, CPU", unit: "ms", values: of(short, "streamCpuMs") },
    {
      name: "the same after 150 turns, CPU",
      unit: "ms",
      values: of(long, "streamCpuMs"),
      goal: { kind: "median", atMost: 1_000 },
    },
    {
      name: "latest 60 items of 150 turns drawn",
      unit: "ms",
      values: of(long, "openMs"),
      goal: { kind: "median", atMost: 250 },
    },
    { name: "the same, CPU", unit: "ms", values: of(long, "openCpuMs") },
    {
      name: "ten seconds of a spinner, CPU",
      unit: "ms",
      values: of(long, "spinnerCpuMs"),
      goal: { kind: "median", atMost: 100 },
    },
    {
      name: "memory with 9 MB of session",
      unit: "MB",
      values: of(long, "memoryMB"),
      goal: { kind: "median", atMost: 130 },
    },
    {
      name: "written for the reply",
      unit: "KB",
      values: of(long, "streamBytes").map((bytes) => bytes / 1_000),
      goal: { kind: "median", atMost: 300 },
    },
    {
      name: "written for the latest 60",
      unit: "KB",
      values: of(long, "openBytes").map((bytes) => bytes / 1_000),
      goal: { kind: "median", atMost: 100 },
    },
  ];
}
