/** What a turn costs beside the model: a local server that speaks Ollama's format answers at once. */
import { fileURLToPath } from "node:url";
import { startFakeOllama } from "../tests/support/fake_ollama.ts";
import type { ScriptedReply } from "../tests/support/scripted_reply.ts";
import { elapsedMs, interleave, median, type Row } from "./measure.ts";
import { other, output, program, scratch, took } from "./program.ts";

const MODEL = "ollama/gemma4:e4b";
export const CALLS = 20;
const THINKING_MS = 50;
/** With the tokens that a server would count: of fewer the program would ask what became of the prompt. */
export const HELLO: ScriptedReply = { text: "Hello.", usage: { input: 3_000, output: 2 } };

/** `-p hello` against an empty program: time, and the peak memory of each. */
export async function print(runs: number): Promise<Row[]> {
  await using api = startFakeOllama(() => HELLO);
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

/**
 * A turn of 20 calls, one a reply: what passes at the model server between a reply and the next request. The same of a
 * client that sends the same bytes and does nothing else is the server's own time and the connection's. The server thinks
 * for a moment before it replies.
 */
export async function roundTrip(runs: number): Promise<Row[]> {
  const trips: Record<"bare" | "turn", number[]> = { bare: [], turn: [] };
  let asked: keyof typeof trips = "bare";
  const scripts = { bare: timed(thinking, trips.bare), turn: timed(thinking, trips.turn) };
  await using api = startFakeOllama((body) => scripts[asked](body));
  await using at = await scratch({ OLLAMA_HOST: api.url });
  await Deno.writeTextFile(`${at.workspace}/notes.txt`, "one\ntwo\n");
  const command = program("-p", "Read it.", "-m", MODEL, "--output", "json");
  const bodies = `${at.dir}/bodies.json`;
  const bare = other(BARE_CLIENT, api.url, bodies);
  const cpu: number[] = [];
  const peaks: number[] = [];
  for (let run = 0; run < runs; run++) {
    asked = "turn";
    const { cpuMs, peakMB } = await took(command, at);
    cpu.push(cpuMs);
    peaks.push(peakMB);
    if (trips.turn.length !== (run + 1) * CALLS) throw new Error(`${trips.turn.length} calls came`);
    const sent = api.requests.slice(-(CALLS + 1)).map(({ body }) => body);
    await Deno.writeTextFile(bodies, JSON.stringify(sent));
    asked = "bare";
    await output(bare, at);
  }
  const own = trips.turn.map((trip) => trip - median(trips.bare));
  return [
    { name: "a client that does nothing", unit: "ms", values: trips.bare },
    { name: "each round trip", unit: "ms", values: trips.turn },
    { name: "of it ours", unit: "ms", values: own, goal: { kind: "median", atMost: 3 } },
    {
      name: "of it ours, slowest of 100",
      unit: "ms",
      values: [slowestOfHundred(own)],
      goal: { kind: "median", atMost: 10 },
    },
    { name: "CPU of the run", unit: "ms", values: cpu, goal: { kind: "median", atMost: 500 } },
    { name: "peak of the run", unit: "MB", values: peaks, goal: { kind: "median", atMost: 100 } },
  ];
}

const BARE_CLIENT = fileURLToPath(new URL("bare_client.ts", import.meta.url));

function slowestOfHundred(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;
}

/** One search of a tree of 20,000 files, with what the program makes of it, against ripgrep alone. */
export async function search(runs: number): Promise<Row[]> {
  const trips: number[] = [];
  const calls = [{ name: "search_in_file", arguments: { query: NEEDLE } }];
  const script = (body: unknown) => results(body) === 0 ? { calls } : { text: "Found." };
  await using api = startFakeOllama(timed(script, trips));
  await using at = await scratch({ OLLAMA_HOST: api.url });
  await makeTree(at.workspace);
  const samples = await interleave({
    ripgrep: () => elapsedMs(() => output(["rg", "-n", NEEDLE, "."], at)),
    search: async () => {
      await output(program("-p", "Find it.", "-m", MODEL), at);
      return trips.at(-1) ?? NaN;
    },
  }, runs);
  return [
    { name: "ripgrep", unit: "ms", values: samples.ripgrep ?? [] },
    { name: "search_in_file", unit: "ms", values: samples.search ?? [] },
  ];
}

const NEEDLE = "needle_in_the_tree";

/** 200 folders of 100 files of 2 KB; every thousandth file has the needle. */
async function makeTree(root: string): Promise<void> {
  const filler = "const value = compute(input, options);\n".repeat(50);
  for (let folder = 0; folder < 200; folder++) {
    const dir = `${root}/part${folder}`;
    await Deno.mkdir(dir);
    for (let file = 0; file < 100; file++) {
      const needle = (folder * 100 + file) % 1_000 === 0 ? `// ${NEEDLE}\n` : "";
      await Deno.writeTextFile(`${dir}/file${file}.ts`, filler + needle);
    }
  }
}

/** A script that notes what passes between one of its replies with a call and the next request. */
function timed(
  script: (body: unknown) => ScriptedReply | Promise<ScriptedReply>,
  trips: number[],
) {
  let repliedAt: number | undefined;
  return async (body: unknown): Promise<ScriptedReply> => {
    if (repliedAt !== undefined) trips.push(performance.now() - repliedAt);
    const reply = await script(body);
    repliedAt = reply.calls === undefined ? undefined : performance.now();
    return reply;
  };
}

/** As `nextCall`, by a model that takes as long as the fastest that there are, and has read all that it was sent. */
async function thinking(body: unknown): Promise<ScriptedReply> {
  await new Promise((done) => setTimeout(done, THINKING_MS));
  return { ...nextCall(body), usage: { input: JSON.stringify(body).length / 4, output: 20 } };
}

/** Calls read_file until the history has twenty results; a range of its own each, so that it is no circle. */
export function nextCall(body: unknown): ScriptedReply {
  const done = results(body);
  if (done >= CALLS) return { text: "Read." };
  const range = { start: 1, end: done + 1 };
  return { calls: [{ name: "read_file", arguments: { filepath: "notes.txt", ...range } }] };
}

/** How many tool results the history of a request has. */
function results(body: unknown): number {
  const { messages } = body as { messages: { role: string }[] };
  return messages.filter(({ role }) => role === "tool").length;
}
