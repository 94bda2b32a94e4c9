/** A long session opens fast and with bounded memory. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import type { DurableEvent } from "@/protocol/event.ts";
import { newestSession } from "@/session/find.ts";
import { SessionLog } from "@/session/log.ts";
import { encodeRecord } from "@/session/record.ts";
import { grownBy } from "../support/grown_by.ts";
import { withWorkspace } from "../support/workspace.ts";

const BYTES = 25_000_000;

/** Turns of five calls each, with results of 1.5 KB, until the file is large enough. */
async function writeBig(path: string): Promise<number> {
  using file = await Deno.open(path, { createNew: true, write: true });
  const encoder = new TextEncoder();
  let written = 0;
  let records = 0;
  for (let turn = 0; written < BYTES; turn += 1) {
    const events: DurableEvent[] = turn === 0
      ? [{ type: "session", uid: "0199-big", cwd: "/p", profile: "" }]
      : turnOf(turn);
    const lines = events.map((event) =>
      encodeRecord({ v: 1, at: new Date(turn).toISOString(), event })
    );
    const bytes = encoder.encode(lines.join(""));
    written += await file.write(bytes);
    records += events.length;
  }
  return records;
}

function turnOf(turn: number): DurableEvent[] {
  const calls = Array.from({ length: 5 }, (_, n) => callOf(`${turn}-${n}`)).flat();
  return [{ type: "turn_start", turn }, ...calls, { type: "turn_end", turn, stop: "end" }];
}

function callOf(id: string): DurableEvent[] {
  const call = { type: "tool_call" as const, id, name: "read_file", input: { filepath: "a.py" } };
  const text = 'some line of "code" = 42;\u2028\n'.repeat(55);
  return [
    { type: "message", message: { role: "assistant", stop: "tool_calls", content: [call] } },
    {
      type: "decision",
      callId: id,
      asked: false,
      decision: { verdict: "allow", by: "rule", reason: "" },
    },
    {
      type: "message",
      message: { role: "tool", callId: id, name: "read_file", result: { status: "ok", text } },
    },
    { type: "tool_end", callId: id, summary: "read a.py", ms: 3 },
  ];
}

Deno.test("SessionLog.open() reads 25 MB whole, fast and with bounded memory", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "big.jsonl");
    const count = await writeBig(path);
    const start = performance.now();
    const { log, records, notices } = await SessionLog.open(path, { isRecording: () => true });
    const ms = performance.now() - start;
    await log.close();
    const grown = await grownBy("session", path) / 1e6;
    equal([records.length, notices], [count, []]);
    // 0.3 s and 100 MB where it was measured; the limits only catch what grows out of proportion.
    ok(ms < 60_000, `${ms} ms`);
    ok(grown < 300, `${grown} MB`);
    const from = performance.now();
    equal((await newestSession(dir, "/p")).turns > 1_000, true);
    ok(performance.now() - from < 60_000);
  });
});
