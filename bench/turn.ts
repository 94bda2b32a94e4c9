/** What a turn costs beside the model: a local server that speaks Ollama's format answers at once. */
import { startFakeOllama } from "../tests/support/fake_ollama.ts";
import type { ScriptedReply } from "../tests/support/scripted_reply.ts";
import { interleave, type Row } from "./measure.ts";
import { other, output, program, type Scratch, scratch, took } from "./program.ts";

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

/** A turn of 20 calls, one a reply: what passes at the model server between a reply and the next request. */
export async function roundTrip(runs: number): Promise<Row[]> {
  const trips: number[] = [];
  let repliedAt: number | undefined;
  await using api = startFakeOllama((body) => {
    if (repliedAt !== undefined) trips.push(performance.now() - repliedAt);
    const reply = nextCall(body);
    repliedAt = reply.calls === undefined ? undefined : performance.now();
    return reply;
  });
  await using at = await scratch({ OLLAMA_HOST: api.url });
  await Deno.writeTextFile(`${at.workspace}/notes.txt`, "one\ntwo\n");
  for (let run = 0; run < runs; run++) await turn(at);
  return [{
    name: "each round trip",
    unit: "ms",
    values: trips,
    goal: { kind: "median", atMost: 5 },
  }];
}

async function turn(at: Scratch): Promise<void> {
  const command = program("-p", "Read it.", "-m", MODEL, "--output", "json");
  const { calls }: { calls: { status: string }[] } = JSON.parse(await output(command, at));
  const done = calls.filter(({ status }) => status === "ok").length;
  if (done !== CALLS) throw new Error(`${done} of ${CALLS} calls were done`);
}

/** Calls read_file until the history has twenty results; a range of its own each, so that it is no circle. */
function nextCall(body: unknown): ScriptedReply {
  const { messages } = body as { messages: { role: string }[] };
  const done = messages.filter(({ role }) => role === "tool").length;
  if (done >= CALLS) return { text: "Read." };
  const range = { start: 1, end: done + 1 };
  return { calls: [{ name: "read_file", arguments: { filepath: "notes.txt", ...range } }] };
}
