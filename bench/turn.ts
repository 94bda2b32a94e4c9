/** What a turn costs beside the model: a local server that speaks Ollama's format answers at once. */
import { startFakeOllama } from "../tests/support/fake_ollama.ts";
import { interleave, type Row } from "./measure.ts";
import { other, output, program, scratch, took } from "./program.ts";

const MODEL = "ollama/gemma4:e4b";
const CALLS = 20;

/** `-p hello` against an empty program: time, and the peak memory of each. */
export async function print(runs: number): Promise<Row[]> {
  await using api = startFakeOllama(() => ({ text: "Hello." }));
  await using at = await scratch({ OLLAMA_HOST: api.url });
  const peaks: Record<"empty" | "hello", number[]> = { empty: [], hello: [] };
  const measured = (name: keyof typeof peaks, command: readonly string[]) => async () => {
    const { ms, peakMB } = await took(command, at);
    peaks[name].push(peakMB);
    return ms;
  };
  const samples = await interleave({
    empty: measured("empty", other(`${at.dir}/empty.ts`)),
    hello: measured("hello", program("-p", "hello", "-m", MODEL)),
  }, runs);
  return [
    { name: "empty program", unit: "ms", values: samples.empty ?? [] },
    { name: "-p hello", unit: "ms", values: samples.hello ?? [] },
    { name: "empty program, peak", unit: "MB", values: peaks.empty.slice(1) },
    {
      name: "-p hello, peak",
      unit: "MB",
      values: peaks.hello.slice(1),
      goal: { kind: "median", atMost: 90 },
    },
  ];
}

/** A turn of 20 calls, one a reply: what each took from request to request, model server included. */
export async function roundTrip(runs: number): Promise<Row[]> {
  await using api = startFakeOllama((body) => nextCall(body));
  await using at = await scratch({ OLLAMA_HOST: api.url });
  await Deno.writeTextFile(`${at.workspace}/notes.txt`, "one\ntwo\n");
  const tools: number[] = [];
  const samples = await interleave({
    turn: async () => {
      const { durationMs, calls } = await turn(at);
      tools.push(...calls.map(({ ms }) => ms));
      return durationMs / CALLS;
    },
  }, runs);
  return [
    {
      name: "each round trip",
      unit: "ms",
      values: samples.turn ?? [],
      goal: { kind: "median", atMost: 5 },
    },
    { name: "the tool in it", unit: "ms", values: tools },
  ];
}

type Result = { durationMs: number; calls: { status: string; ms: number }[] };

async function turn(at: Awaited<ReturnType<typeof scratch>>): Promise<Result> {
  const command = program("-p", "Read it.", "-m", MODEL, "--output", "json");
  const result: Result = JSON.parse(await output(command, at));
  const done = result.calls.filter(({ status }) => status === "ok").length;
  if (done !== CALLS) throw new Error(`${done} of ${CALLS} calls were done`);
  return result;
}

/** Calls read_file until the history has twenty results; a range of its own each, so that it is no circle. */
function nextCall(body: unknown) {
  const { messages } = body as { messages: { role: string }[] };
  const done = messages.filter(({ role }) => role === "tool").length;
  if (done >= CALLS) return { text: "Read." };
  const range = { start: 1, end: done + 1 };
  return { calls: [{ name: "read_file", arguments: { filepath: "notes.txt", ...range } }] };
}
