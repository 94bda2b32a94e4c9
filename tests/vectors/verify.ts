/** The `verify.*` and `tdd.lock` vectors against real trees and real commands. */
import { join } from "node:path";
import { z } from "zod";
import { AutoVerify } from "@/agent/hooks/auto_verify.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import type { Check } from "@/verify/check.ts";
import { findChecks } from "@/verify/detect.ts";
import { shownTail } from "@/verify/failure.ts";
import { FailureLoop } from "@/verify/failure_loop.ts";
import { type CheckResult, runCheck } from "@/verify/run_check.ts";
import { isTestFile } from "@/verify/test_files.ts";
import { pathCall } from "../support/guarded_call.ts";
import { withProcesses } from "../support/processes.ts";
import { withTree } from "../verify/tree.ts";
import type { Adapter, Adapters } from "./adapter.ts";

const detectInput = z.object({
  tree: z.array(z.string()).optional(),
  trees: z.array(z.array(z.string())).optional(),
  changed: z.array(z.string()).default([]),
  check: z.string().optional(),
  exit: z.number().default(0),
  tool_result: z.string().optional(),
});

const detect: Adapter = async (raw) => {
  const { tree, trees, changed, check, exit, tool_result: result } = detectInput.parse(raw);
  if (result !== undefined) return { scheduled: await runs(["a.py"], result) };
  if (check !== undefined) return { failed: (await exited(exit)).kind === "failed" };
  if (trees !== undefined) {
    const lists = trees.map((one) => named(one, one.filter((path) => path.endsWith(".py"))));
    return { checks: await Promise.all(lists) };
  }
  if (tree !== undefined) return { checks: await named(tree, changed) };
  return { runs: await runs(changed, "File written") };
};

/** Names of the checks of a tree; what a file says stands in brackets after its name. */
async function named(tree: readonly string[], changed: readonly string[]): Promise<string[]> {
  const files = Object.fromEntries(tree.map((entry) => {
    const [, path = entry, said] = /^([^(]+)\((.*)\)$/.exec(entry) ?? [];
    const [key = "", value = ""] = said?.split(/: (.*)/) ?? [];
    const name = key.replace(/^tasks\./, "");
    const table = path === "deno.json" ? "tasks" : "scripts";
    return [path, said === undefined ? "" : JSON.stringify({ [table]: { [name]: value } })];
  }));
  return (await checksOf(files, changed)).map(({ name }) => name);
}

async function checksOf(
  files: Readonly<Record<string, string>>,
  changed: readonly string[],
): Promise<readonly Check[]> {
  let checks: readonly Check[] = [];
  await withTree(files, async (dir) => {
    const paths = changed.map((path) => join(dir, path));
    checks = await findChecks(paths, { roots: [dir], isInstalled: () => Promise.resolve(true) });
  });
  return checks;
}

/** What pytest's check comes to when its program ends with this code. */
async function exited(code: number): Promise<CheckResult> {
  const [check] = await checksOf({ "pytest.ini": "" }, ["a.py"]);
  if (check === undefined) throw new Error("pytest.ini declares no check");
  return await ranAs(check, `exit ${code}`);
}

async function ranAs(check: Partial<Check>, line: string): Promise<CheckResult> {
  let result: CheckResult = { kind: "aborted" };
  await withProcesses(async (processes) => {
    result = await runCheck({ name: "x", ...check, root: "/", program: "sh", args: ["-c", line] }, {
      ...{ processes, workspace: "/ws", signal: new AbortController().signal, timeoutS: 60 },
    });
  });
  return result;
}

/** How often the check of a project is run at the end of a turn in which calls had this result. */
async function runs(changed: readonly string[], text: string): Promise<number> {
  let count = 0;
  const status = /^\[System\]/.test(text) ? "denied" : /^\[Error\]/.test(text) ? "failed" : "ok";
  await withTree({ "pytest.ini": "" }, async (dir) => {
    const hook = new AutoVerify({
      isOn: () => true,
      failuresMax: () => 3,
      outputCharsMax: () => 2_000,
      checksOf: (paths) =>
        findChecks(paths, { roots: [dir], isInstalled: () => Promise.resolve(true) }),
      whyNotPermitted: () => Promise.resolve(undefined),
      run: () => {
        count += 1;
        return Promise.resolve({ kind: "passed", ms: 1 });
      },
      named: (root) => root,
      emit: () => {},
    });
    for (const path of changed.map((one) => join(dir, one))) {
      await hook.afterTool(pathCall("write_file", [path]), { status, text, changed: [path] });
    }
    await hook.beforeStop(new AbortController().signal);
  });
  return count;
}

const loopInput = z.object({
  outputs: z.array(z.string()).optional(),
  chars: z.number().optional(),
});

const loop: Adapter = async (raw) => {
  const { outputs, chars } = loopInput.parse(raw);
  if (chars !== undefined) {
    const tail = shownTail(`\x1b[31m${"x".repeat(chars)}`, DEFAULT_SETTINGS.VERIFY_OUTPUT_CHARS);
    return { kept_tail: tail.length };
  }
  if (outputs === undefined) return await environment();
  const failures = new FailureLoop(() => 3);
  const said = outputs.map((output) =>
    output === "pass" ? failures.passed() : failures.failed(output)
  );
  const count = (verdict: string) => said.filter((one) => one === verdict).length;
  return {
    fed_back: count("feed"),
    gave_up: count("give_up") > 0,
    recovered: count("recovered"),
  };
};

async function environment(): Promise<Record<string, string>> {
  const line = 'read -r x && in=open || in=closed; echo "$CI $NO_COLOR $in"; exit 1';
  const result = await ranAs({}, line);
  if (result.kind !== "failed") throw new Error(`The check came to ${JSON.stringify(result)}`);
  const [CI = "", NO_COLOR = "", stdin = ""] = result.output.trim().split(" ");
  return { CI, NO_COLOR, stdin };
}

const lock: Adapter = async (raw) => {
  const { path } = z.object({ path: z.string() }).parse(raw);
  let locked = false;
  await withTree({}, async (dir) => {
    locked = await isTestFile(join(dir, path), [dir]);
  });
  return { locked };
};

export const adapters: Adapters = {
  "verify.detect": detect,
  "verify.loop": loop,
  "tdd.lock": lock,
};
