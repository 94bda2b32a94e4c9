/**
 * One run of the full screen's transcript in a process of its own: the session of a FILE is drawn again, then a reply comes in
 * by tokens of four characters, 170 a second, and a frame is drawn each thirtieth of a second. Time is not waited for:
 * what the process computes is the same, and CPU time is what is told.
 */
import process from "node:process";
import { Frame } from "@/terminal/full/frame.ts";
import { Editor } from "@/terminal/full/editor.ts";
import { activityRow, composeTail } from "@/terminal/full/tail.ts";
import { StatusFold, statusLine } from "@/terminal/full/status.ts";
import { registers } from "@/terminal/full/view/registers.ts";
import { Transcript } from "@/terminal/full/view/transcript.ts";
import { readSession } from "@/session/read.ts";
import { reply } from "./transcript_case.ts";

const SIZE = { columns: 120, rows: 40 };
const LATEST = 60;
const TOKEN_CHARS = 4;
const TOKENS_A_SECOND = 170;
const FRAMES_A_SECOND = 30;
const SPINNER_SECONDS = 10;
const TICKS_A_SECOND = 10;

/** What one run took. */
export type Ran = {
  openMs: number;
  openCpuMs: number;
  openBytes: number;
  streamCpuMs: number;
  streamBytes: number;
  clears: number;
  /** CPU time of ten seconds of a running call. */
  spinnerCpuMs: number;
  /** What the process held, looked at after each part. */
  memoryMB: number;
};

const [file = ""] = Deno.args;
const encoder = new TextEncoder();
using sink = Deno.openSync("/dev/null", { write: true });
let written = { bytes: 0, clears: 0 };
let nowMs = 0;
const look = registers({ colored: true });
const frame = new Frame((text) => {
  const bytes = encoder.encode(text);
  sink.writeSync(bytes);
  written.bytes += bytes.length;
  written.clears += text.match(/\x1b\[[23]J|\x1b\[\?1049h|\x1b\[\d*;?\d*r/g)?.length ?? 0;
});
const editor = new Editor();
const status = new StatusFold(() => nowMs);
const view = new Transcript({
  look,
  showsThinking: () => false,
  changed: () => {},
  now: () => nowMs,
});

console.log(JSON.stringify(await run()));

async function run(): Promise<Ran> {
  const { records } = await readSession(file);
  const openStart = performance.now();
  const openCpu = process.cpuUsage();
  await view.preload();
  view.replay(records, LATEST);
  draw();
  const openMs = performance.now() - openStart;
  const openCpuMs = sinceMs(openCpu);
  const openBytes = written.bytes;
  const held = [rssMB()];
  written = { bytes: 0, clears: 0 };
  const streamCpuMs = cpuMs(stream);
  held.push(rssMB());
  const { bytes: streamBytes, clears } = written;
  const spinnerCpuMs = cpuMs(spin);
  held.push(rssMB());
  const memoryMB = Math.max(...held);
  return { openMs, openCpuMs, openBytes, streamCpuMs, streamBytes, clears, spinnerCpuMs, memoryMB };
}

function stream(): void {
  const text = reply();
  const tokensAFrame = TOKENS_A_SECOND / FRAMES_A_SECOND;
  let due = 0;
  for (let at = 0; at < text.length;) {
    due += tokensAFrame;
    nowMs += 1_000 / FRAMES_A_SECOND;
    for (; due >= 1 && at < text.length; due--, at += TOKEN_CHARS) {
      const event = {
        type: "delta",
        channel: "text",
        text: text.slice(at, at + TOKEN_CHARS),
      } as const;
      view.sink(event);
      status.sink(event);
    }
    draw();
  }
  view.sink({
    type: "message",
    message: { role: "assistant", content: [{ type: "text", text }], stop: "end" },
  });
  draw();
}

function spin(): void {
  view.sink({ type: "tool_start", callId: "s", name: "run_cmd", summary: "run deno test" });
  for (let tick = 0; tick < SPINNER_SECONDS * TICKS_A_SECOND; tick++) {
    nowMs += 1_000 / TICKS_A_SECOND;
    draw();
  }
}

function draw(): void {
  frame.commit(view.takeFinished(SIZE.columns));
  const tail = composeTail(
    {
      live: (rowsMax) => view.tail(SIZE.columns, rowsMax),
      panel: () => [],
      notes: [],
      activity: activityRow({ label: "working", ms: nowMs, hint: "Esc interrupts" }, look),
      field: { editor, prompt: `${look.you("❯")} ` },
      status: statusLine(
        { model: "ollama/m", windowTokens: 65_536, cost: 0.12, mode: "ask" },
        status.counts,
        {
          columns: SIZE.columns,
          ink: look,
          now: nowMs,
        },
      ),
    },
    SIZE,
    look,
  );
  frame.draw(tail);
}

function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return sinceMs(start);
}

function sinceMs(start: ReturnType<typeof process.cpuUsage>): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function rssMB(): number {
  return Deno.memoryUsage().rss / 1_048_576;
}
