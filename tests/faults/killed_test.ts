/**
 * The real program killed at random moments of a turn, then resumed: nothing of what a server has seen is lost, the first
 * request is one that a strict server takes, and no file is half written. `deno task faults` kills it 500 times.
 */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { times } from "./count.ts";
import { faultWorld, REACHED } from "./world.ts";

const KILLS = times(4, 500);
const FILES = 12;
/** Longer than the whole turn takes, so that some kills come before anything was said and some after the end. */
const TURN_MS = 1_600;
const LINE = "one line of many, to be written whole or not at all\n";

/** Writes files one after the other, then changes them. */
function script(_: unknown, index: number): ScriptedReply {
  const filepath = `f${index % FILES}.txt`;
  if (index >= 2 * FILES) return { text: "All written." };
  const content = LINE.repeat(1 + index);
  return {
    text: `Step ${index}.`,
    calls: [{ name: "write_file", arguments: { filepath, content }, id: `c${index}` }],
    cut: 40,
  };
}

for (let kill = 0; kill < KILLS; kill += 1) {
  const under = REACHED[kill % REACHED.length];
  if (under === undefined) continue;
  const afterMs = Math.round(Math.random() * TURN_MS);
  Deno.test(`${under.wire}: killed after ${afterMs} ms, nothing is lost and the session goes on (${kill + 1})`, () =>
    faultWorld(under, async ({ dir, home, start, run }) => {
      await using api = start(script);
      await run(api, ["-p", "write them all"], (child) => {
        setTimeout(() => {
          try {
            child.kill("SIGKILL");
          } catch (error) {
            if (!(error instanceof TypeError)) throw error; // It had ended by itself.
          }
        }, afterMs);
      });
      const seen = api.bodies.length;
      for (const { name } of Deno.readDirSync(dir)) {
        if (name.startsWith(".harness-")) continue; // Begun beside the file; gone with the next change.
        const text = Deno.readTextFileSync(join(dir, name));
        equal(text, LINE.repeat(text.length / LINE.length), name);
      }
      await using next = start([script(undefined, 0), { text: "Yes." }]);
      const again = await run(next, ["-c", "-p", "go on"]);
      if (seen === 0 && again.code === 1) return ok(/no session/i.test(again.stderr), again.stderr);
      equal([again.code, again.stdout, next.bodies.length], [0, "Yes.\n", 2], again.stderr);
      const left = [...Deno.readDirSync(dir)].map(({ name }) => name);
      equal(left.filter((name) => !/^f\d+\.txt$/.test(name)), []);
      const history = JSON.stringify(next.bodies[0]);
      // The steps whose results the server was sent: each is there, once.
      for (let step = 0; step < seen - 1; step += 1) {
        equal(history.split(`Step ${step}.`).length - 1, 1, `step ${step} of ${seen}`);
      }
      if (seen > 0) ok(history.includes("write them all"));
      const torn = [...Deno.readDirSync(join(home, "sessions"))].filter(({ name }) =>
        name.includes("torn")
      );
      ok(torn.length <= 1);
    }));
}
