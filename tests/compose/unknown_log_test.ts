import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "@/lib/path.ts";
import { unknownLog } from "@/compose/unknown_log.ts";
import { withWorkspace } from "../support/workspace.ts";

const seen = {
  server: "http://127.0.0.1:1",
  model: "m",
  place: "event",
  word: "mood\x1b[2J",
} as const;

Deno.test("unknownLog() notes each word once, visibly, and nothing while it is off", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "debug.log");
    let isOn = false;
    const note = unknownLog({ path, isOn: () => isOn, warn: () => {} });
    note(seen);
    isOn = true;
    note(seen);
    note(seen);
    note({ ...seen, word: "other" });
    const lines = (await Deno.readTextFile(path)).split("\n");
    equal(lines.length, 3);
    match(lines[0] ?? "", /^\S+Z http:\/\/127\.0\.0\.1:1 m: unknown event "mood\\x1b\[2J"$/);
    equal((await Deno.stat(path)).mode ?? 0, 0o100600);
  });
});

Deno.test("unknownLog() says once that it cannot write, and goes on", async () => {
  await withWorkspace((dir) => {
    const warned: string[] = [];
    const note = unknownLog({ path: dir, isOn: () => true, warn: (line) => warned.push(line) });
    note(seen);
    note({ ...seen, word: "other" });
    equal(warned.length, 1);
    match(warned[0] ?? "", /^Cannot write to "/);
    return Promise.resolve();
  });
});
