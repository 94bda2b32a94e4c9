/** Signals at a run without a terminal: one result on every path, and a session that can go on. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.test(`${signal} ends a running turn with one result and exit ${code}`, () =>
    withWorkspace(async (dir) => {
      await using api = startFakeOllama([{
        text: "one two three",
        fault: { kind: "stall", at: "end" },
      }]);
      const ran = await harness(["-m", "ollama/m", "-p", "hi", "--output", "jsonl"], {
        cwd: dir,
        home: dir,
        env: { OLLAMA_HOST: api.url },
        onStart: async (child) => {
          while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
          await new Promise((resolve) => setTimeout(resolve, 100));
          child.kill(signal);
        },
      });
      const records = ran.stdout.trimEnd().split("\n").map((line) =>
        JSON.parse(line) as Record<string, unknown>
      );
      const results = records.filter((one) => one["type"] === "result");
      equal([ran.code, results.length, results[0]?.["exitCode"], results[0]?.["stop"]], [
        code,
        1,
        code,
        "abort",
      ]);
      // The next turn on the same session is valid.
      await using next = startFakeOllama([{ text: "Hello there." }]);
      const again = await harness(["-m", "ollama/m", "-c", "-p", "go on"], {
        cwd: dir,
        home: dir,
        env: { OLLAMA_HOST: next.url },
      });
      equal([again.code, again.stdout], [0, "Hello there.\n"]);
    }));
}

for (const format of ["json", "jsonl", "text"] as const) {
  Deno.test(`a signal before anything was asked ends with one result in ${format}`, () =>
    withWorkspace(async (dir) => {
      // The program looks for Ollama first, and here nothing answers: then the signal comes.
      using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const ran = await harness(["-p", "hi", "--output", format], {
        cwd: dir,
        home: dir,
        env: { OLLAMA_HOST: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}` },
        onStart: async (child) => {
          using _ = await listener.accept();
          child.kill("SIGTERM");
          await child.status;
        },
      });
      const records = ran.stdout.split("\n").filter((line) => line !== "").map((line) =>
        JSON.parse(line) as Record<string, unknown>
      );
      const told = { json: [undefined], jsonl: ["session", "result"], text: [] }[format];
      equal([ran.code, records.map((one) => one["type"])], [143, told]);
      const result = records.at(-1);
      if (result !== undefined) equal([result["exitCode"], result["stop"]], [143, "abort"]);
    }));
}
