/** The `vm` vectors against a real Python. */
import { join } from "node:path";
import { z } from "zod";
import { resultText } from "@/lib/tool_result.ts";
import { PythonVm, vmLimitsOf, type VmOutcome } from "@/python/vm.ts";
import { vmResult } from "@/python/outcome_text.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { withProcesses } from "../support/processes.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Adapter, Adapters } from "./adapter.ts";

/** What an endless loop is given; the setting's 20 s would only be waited for. */
const TIMEOUT_S = 2;

const vmInput = z.object({
  code: z.string().optional(),
  calls: z.array(z.string()).default([]),
  limit: z.number().optional(),
});

type Place = { workspace: string; vm: PythonVm; run(code: string): Promise<string> };

const vm: Adapter = async (raw) => {
  const { code, calls, limit } = vmInput.parse(raw);
  return await inPlace(limit, async (place) => {
    if (limit !== undefined) return await cut(place);
    if (code !== undefined) return await one(place, code);
    let second = "";
    for (const call of calls) second = await place.run(call);
    return { second: second.split("\n").find((line) => line.startsWith("=>")) };
  });
};

async function inPlace<T>(
  limit: number | undefined,
  body: (place: Place) => Promise<T>,
): Promise<T> {
  const results: T[] = [];
  const outputCharsMax = limit ?? DEFAULT_SETTINGS.VM_OUTPUT_CHARS;
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const workspace = join(dir, "project");
      await Deno.mkdir(workspace);
      const made = new PythonVm({
        ...{ processes, workspace, scratch: join(dir, "vm") },
        limits: () => ({ ...vmLimitsOf(DEFAULT_SETTINGS), timeoutS: TIMEOUT_S, outputCharsMax }),
      });
      const watch = { signal: new AbortController().signal, onOutput: () => {} };
      const run = async (code: string) => told(await made.run({ code }, watch), outputCharsMax);
      results.push(await body({ workspace, vm: made, run }));
    })
  );
  const [result] = results;
  if (result === undefined) throw new Error("Nothing was run");
  return result;
}

function told(outcome: VmOutcome, outputCharsMax: number): string {
  return resultText(vmResult(outcome, outputCharsMax), { name: "run_python", input: {} });
}

async function one({ workspace, vm, run }: Place, code: string): Promise<Record<string, unknown>> {
  const imported = /^import (\w+_module)$/.exec(code)?.[1];
  if (imported !== undefined) {
    await Deno.writeTextFile(join(workspace, `${imported}.py`), "x = 1\n");
  }
  const text = await run(code);
  const kept = /\(kept for your next run_python call: (.*)\)$/.exec(text)?.[1] ?? "";
  return {
    starts_with: text,
    mentions: text,
    kept_line: kept.split(", ").filter((name) => name !== ""),
    works: text.startsWith("[Success]"),
    vm_alive: vm.state().running !== undefined,
    __pycache__: [...Deno.readDirSync(workspace)].some(({ name }) => name === "__pycache__"),
  };
}

/** How much of the beginning and of the end is left of 20,000 characters. */
async function cut({ run }: Place): Promise<Record<string, number>> {
  const text = await run('print("x" * 20000)');
  const [head = "", tail = ""] = text.match(/x{2,}/g) ?? [];
  return { head: head.length, tail: tail.length };
}

export const adapters: Adapters = { vm };
