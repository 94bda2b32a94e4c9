import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { StatusCommand, type StatusInput, statusInput } from "@/talk/status_command.ts";
import { livingWith, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

const facts = (workspace: string, cost?: number): StatusInput =>
  statusInput({ session: "s", model: "ollama/gemma4:e4b", workspace }, {
    windowTokens: 1000,
    contextTokens: 250,
    ...(cost !== undefined && { cost }),
    mode: "plan",
  });

type Made = {
  dir: string;
  /** What is drawn now. */
  text(command: string, cost?: number): string;
  /** Resolves when the program has answered, however often. */
  changed(): Promise<void>;
};

async function withCommand(use: (made: Made) => Promise<void>): Promise<void> {
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      let changes = 0;
      const made = new StatusCommand({
        person: () => ({ processes, env: {} }),
        onChange: () => void changes++,
      });
      await use({
        dir,
        text: (command, cost) => made.text(command, facts(dir, cost)),
        changed: () => until(() => changes > 0),
      });
    })
  );
}

/** What a command line comes to, drawn as often as it changes. */
async function shown(command: string, { cost }: { cost?: number } = {}): Promise<string> {
  let shown = "";
  await withCommand(async ({ text, changed }) => {
    equal(text(command, cost), "");
    await changed();
    shown = text(command, cost);
    // It was told nothing new: it does not run again.
    equal(text(command, cost), shown);
  });
  return shown;
}

Deno.test("StatusCommand shows the first line of what the program prints, without anything that acts", async () => {
  equal(
    await shown("printf '\\n\\033[32mmain\\033[0m \\033]0;x\\007ok\\nsecond'"),
    "main \\x1b]0;x\\x07ok",
  );
  equal(await shown("printf '\\342\\200\\256abc'"), "\\u{202e}abc");
  equal(await shown("head -c 5000000 /dev/zero | tr '\\0' x"), "x".repeat(200));
  equal(await shown("true"), "");
});

Deno.test("StatusCommand tells the program the state, in the names that such programs know", async () => {
  const read =
    'python3 -c \'import json,sys; d=json.load(sys.stdin); print(d["model"]["display_name"], ' +
    'd["context_window"]["used_percentage"], d["cost"]["total_cost_usd"], d["permission_mode"])\'';
  equal(await shown(read, { cost: 0.5 }), "gemma4:e4b 25 0.5 plan");
});

Deno.test("StatusCommand says how a program fails, and ends one that does not", async () => {
  equal(await shown("exit 3"), "STATUS_COMMAND: exit code 3");
  equal(await shown("kill -9 $$"), "STATUS_COMMAND: exit code 137");
  const mark = `${7_000_000 + Deno.pid}`;
  match(await shown(`sleep ${mark} & sleep ${mark}`), /not done within 1 s/);
  await withProcesses(async (processes) => equal(await livingWith(processes, `sleep ${mark}`), []));
});

Deno.test("StatusCommand runs again when something has changed, and is off without a command", async () => {
  await withCommand(async ({ dir, text }) => {
    const command = `echo run >> runs; wc -l < runs`;
    const comesTo = (shown: string, cost: number) => until(() => text(command, cost) === shown);
    await comesTo("1", 0);
    await comesTo("2", 1);
    equal((await Deno.readTextFile(join(dir, "runs"))).trim().split("\n").length, 2);
    equal(text("", 2), "");
  });
});

Deno.test("statusInput() tells no window and no percentage before the model was asked", () => {
  const facts = { session: "s", model: "anthropic/x", workspace: "/ws" };
  const before = statusInput(facts, { contextTokens: 500, mode: "ask" });
  equal(before.context_window, { used_tokens: 500 });
  const after = statusInput(facts, { windowTokens: 1000, contextTokens: 500, mode: "ask" });
  equal(after.context_window, {
    context_window_size: 1000,
    used_tokens: 500,
    used_percentage: 50,
  });
});
