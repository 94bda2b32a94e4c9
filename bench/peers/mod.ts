/**
 * harness beside the programs that people know, each against a local server of its own wire that answers at once. They have to
 * be installed (see bench/README.md), so this runs only when it is asked for by name.
 */
import type { FakeApi } from "../../tests/support/fake_api.ts";
import type { ScriptedReply } from "../../tests/support/scripted_reply.ts";
import { interleave, type Row, type Samples, table } from "../measure.ts";
import { build, msToDrawn, type Scratch, scratch, took } from "../program.ts";
import { CALLS } from "../turn.ts";
import { type Peer, PEERS } from "./programs.ts";
import { hasTools, resultsIn, serve } from "./servers.ts";

const ROOT = Deno.env.get("PEERS") ?? "/tmp/peers";
const HELLO = "hello";
const TASK = "Read the file again and again.";
const TRIAL_S = 90;

/** A program that has shown that it runs here. */
type Seat = { peer: Peer; command: readonly string[]; at: Scratch; api: FakeApi; version: string };

/** All measures in turn. */
export async function peers(runs: number): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  const seats: Seat[] = [];
  const missing: string[] = [];
  for (const peer of PEERS) {
    const seat = await seated(peer, stack);
    const said = await trial(seat);
    if (said === undefined) seats.push(seat);
    else missing.push(`  ${peer.name} did not run: ${said}`);
  }
  const lines = seats.map(({ peer, version }) => `  ${peer.name} ${version}`).concat(missing);
  for (const measure of [requests, hello, calls, typed]) lines.push(...await measure(seats, runs));
  return lines;
}

async function seated(peer: Peer, stack: AsyncDisposableStack): Promise<Seat> {
  const made = stack.use(await scratch());
  const file = `${made.workspace}/notes.txt`;
  await Deno.writeTextFile(file, "one more line\n".repeat(2 * CALLS));
  const api = stack.use(serve(peer.wire, (body) => answer(peer, file, body)));
  const around = { home: made.dir, workspace: made.workspace, url: api.url };
  for (const [path, text] of Object.entries(peer.files?.(around) ?? {})) {
    const target = `${made.dir}/${path}`;
    await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(target, text);
  }
  const env = {
    PATH: made.env.PATH ?? "",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    HOME: made.dir,
    ...peer.env(around),
  };
  const { npm } = peer;
  const at = { ...made, env };
  if (npm === undefined) {
    const built = await build(made);
    const { XDG_CACHE_HOME = "" } = built.at.env;
    const own = { ...at, env: { ...env, XDG_CACHE_HOME } };
    return { peer, command: [built.file], at: own, api, version: "" };
  }
  const folder = npm.package.slice(npm.package.lastIndexOf("/") + 1);
  return {
    peer,
    command: [`${ROOT}/${folder}/node_modules/.bin/${npm.bin}`],
    at,
    api,
    version: "",
  };
}

function answer(peer: Peer, file: string, body: unknown): ScriptedReply {
  const done = resultsIn(body);
  if (!hasTools(body) || !JSON.stringify(body).includes(TASK) || done >= CALLS) {
    return { text: "Hello." };
  }
  return { calls: [{ ...peer.read(file, done + 1), id: `call_${done}` }] };
}

/** Runs everything once; undefined when it went well, else what was said. */
async function trial(seat: Seat): Promise<string | undefined> {
  const version = await said(seat, ["--version"]);
  if (version.code !== 0) return version.text;
  seat.version = version.text;
  for (const prompt of [HELLO, TASK]) {
    const before = seat.api.requests.length;
    const { code, text } = await said(seat, seat.peer.print(prompt));
    const asked = seat.api.bodies.slice(before).filter(hasTools).length;
    const wanted = prompt === TASK ? CALLS + 1 : 1;
    if (code !== 0 || asked < wanted) {
      return `${JSON.stringify(prompt)} ended with ${code} after ${asked} requests: ${text}`;
    }
  }
  return undefined;
}

async function said({ command: [file = ""], at }: Seat, args: readonly string[]) {
  try {
    const { code, stdout, stderr } = await new Deno.Command(file, {
      args: [...args],
      cwd: at.workspace,
      env: at.env,
      clearEnv: true,
      stdin: "null",
      signal: AbortSignal.timeout(TRIAL_S * 1_000),
    }).output();
    const decoder = new TextDecoder();
    const [out, err] = [decoder.decode(stdout).trim(), decoder.decode(stderr).trim()];
    const text = code === 0 ? out || err : err || out;
    return { code, text: text.split("\n").at(-1) ?? "" };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { code: 127, text: `${file} is not installed` };
  }
}

/** Bytes of the first request with tools. */
async function requests(seats: readonly Seat[]): Promise<string[]> {
  const rows = await Promise.all(seats.map(({ peer, api }): Row => {
    const first = api.requests.find((_, at) => hasTools(api.bodies[at]));
    const bytes = new TextEncoder().encode(first?.body ?? "").length;
    return { name: peer.name, unit: "KB", values: [bytes / 1_000] };
  }));
  return ["  first request with tools", ...table(rows)];
}

async function hello(seats: readonly Seat[], runs: number): Promise<string[]> {
  const lines = await turns(seats, { prompt: HELLO, figure: "ms", runs });
  return ["  -p hello, start to end", ...lines];
}

async function calls(seats: readonly Seat[], runs: number): Promise<string[]> {
  const lines = await turns(seats, { prompt: TASK, figure: "cpuMs", runs });
  return [`  ${CALLS} calls, CPU of all its processes`, ...lines];
}

/** A prompt without a terminal: a figure of each program, and its peak memory. */
async function turns(
  seats: readonly Seat[],
  { prompt, figure, runs }: { prompt: string; figure: "ms" | "cpuMs"; runs: number },
): Promise<string[]> {
  const peaks: Record<string, number[]> = {};
  const samples = await eachOf(seats, runs, async ({ peer, command, at }) => {
    const all = await took([...command, ...peer.print(prompt)], at);
    (peaks[peer.name] ??= []).push(all.peakMB);
    return all[figure];
  });
  // Without the first turn, as times are.
  const counted = Object.entries(peaks).map(([name, values]) => [name, values.slice(1)]);
  return [
    ...rowsOf(samples, "ms"),
    "  the same, peak memory of the largest of its processes",
    ...rowsOf(Object.fromEntries(counted), "MB"),
  ];
}

/** Until a typed letter is drawn. One that draws none is named. */
async function typed(seats: readonly Seat[], runs: number): Promise<string[]> {
  const able: Seat[] = [];
  const lines = ["  in a terminal, until a typed letter is drawn"];
  for (const seat of seats) {
    try {
      await msToDrawn([...seat.command, ...seat.peer.talk], seat.at);
      able.push(seat);
    } catch (error) {
      lines.push(`  ${seat.peer.name} drew none: ${String(error).slice(0, 300)}`);
    }
  }
  const samples = await eachOf(
    able,
    runs,
    ({ peer, command, at }) => msToDrawn([...command, ...peer.talk], at),
  );
  return [...lines, ...rowsOf(samples, "ms")];
}

function eachOf(
  seats: readonly Seat[],
  runs: number,
  measure: (seat: Seat) => Promise<number>,
): Promise<Samples> {
  return interleave(
    Object.fromEntries(seats.map((seat) => [seat.peer.name, () => measure(seat)])),
    runs,
  );
}

function rowsOf(samples: Samples, unit: Row["unit"]): string[] {
  return table(Object.entries(samples).map(([name, values]) => ({ name, unit, values })));
}
