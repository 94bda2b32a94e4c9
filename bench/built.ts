/** How long the single file takes to start, against an empty Deno program in the same run. */
import { startFakeOllama } from "../tests/support/fake_ollama.ts";
import { RUN_FLAGS } from "@/release/flags.ts";
import { interleave, type Row } from "./measure.ts";
import { CALLS, HELLO, nextCall } from "./turn.ts";
import { build, other, type Scratch, scratch, took, tookToPrompt } from "./program.ts";

const MODEL = "ollama/gemma4:e4b";

/** Size, first start, and later starts: `--version`, the first prompt of each screen, and `-p hello`. */
export async function built(runs: number): Promise<Row[]> {
  let isCalling = false;
  await using api = startFakeOllama((body) => isCalling ? nextCall(body) : HELLO);
  await using made = await scratch({ OLLAMA_HOST: api.url });
  const { file, at } = await build(made);
  const first = await firstStart(file, at);
  const chunks = [Deno.execPath(), "run", ...RUN_FLAGS, await entryPoint(at)];
  await Deno.writeTextFile(`${at.workspace}/notes.txt`, "one\ntwo\n");
  const peaks: number[] = [];
  const callPeaks: number[] = [];
  const ms = async (command: readonly string[]) => (await took(command, at)).ms;
  const samples = await interleave({
    empty: () => ms(other(`${at.dir}/empty.ts`)),
    chunks: () => ms([...chunks, "--version"]),
    version: () => ms([file, "--version"]),
    full: async () => (await tookToPrompt("❯", [file, "-m", "demo/tour"], at)).ms,
    prompt: async () => (await tookToPrompt("> ", [file, "--plain", "-m", "demo/tour"], at)).ms,
    hello: async () => {
      const { ms, peakMB } = await took([file, "-p", "hello", "-m", MODEL], at);
      peaks.push(peakMB);
      return ms;
    },
    calls: async () => {
      isCalling = true;
      const { cpuMs, peakMB } = await took([file, "-p", "Read it.", "-m", MODEL], at);
      isCalling = false;
      callPeaks.push(peakMB);
      return cpuMs;
    },
  }, runs);
  const { empty = [], version = [], prompt = [], hello = [] } = samples;
  return [
    { name: "empty program", unit: "ms", values: empty },
    { name: "--version", unit: "ms", values: version, goal: { kind: "ratio", atMost: 1.5 } },
    { name: "--version, same chunks by deno run", unit: "ms", values: samples.chunks ?? [] },
    {
      name: "first prompt, full",
      unit: "ms",
      values: samples.full ?? [],
      goal: { kind: "ratio", atMost: 3 },
    },
    { name: "first prompt, plain", unit: "ms", values: prompt, goal: { kind: "ratio", atMost: 3 } },
    { name: "-p hello", unit: "ms", values: hello, goal: atMost(150) },
    { name: "-p hello, peak", unit: "MB", values: peaks.slice(1), goal: atMost(90) },
    { name: `${CALLS} calls, CPU`, unit: "ms", values: samples.calls ?? [], goal: atMost(500) },
    { name: `${CALLS} calls, peak`, unit: "MB", values: callPeaks.slice(1), goal: atMost(100) },
    { name: "first start, unpacking", unit: "ms", values: first, goal: atMost(2500) },
    {
      name: "size",
      unit: "MB",
      values: [(await Deno.stat(file)).size / 1e6],
      goal: atMost(45),
    },
  ];
}

function atMost(bound: number): NonNullable<Row["goal"]> {
  return { kind: "median", atMost: bound };
}

/** Three starts that unpack. */
async function firstStart(file: string, at: Scratch): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const cache = `${at.dir}/cache${run}`;
    const fresh = { ...at, env: { ...at.env, XDG_CACHE_HOME: cache } };
    times.push((await took([file, "--version"], fresh)).ms);
    await Deno.remove(cache, { recursive: true });
  }
  return times;
}

/** Where the file has unpacked its entry point. */
async function entryPoint(at: Scratch): Promise<string> {
  const { XDG_CACHE_HOME: cache = "" } = at.env;
  await took([`${at.dir}/harness`, "--version"], at);
  for await (const { name } of Deno.readDir(`${cache}/harness`)) {
    if (name.startsWith("rt-")) return `${cache}/harness/${name}/app/main.js`;
  }
  throw new Error(`Nothing was unpacked in ${cache}`);
}
