import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { bind } from "@/agent/bind.ts";
import { PythonVm } from "@/python/vm.ts";
import { type PythonParts, runPython } from "@/tools/run_python.ts";
import { definition } from "@/tools/spec.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { fingerprint } from "@/workspace/hashline.ts";
import { VM_LIMITS } from "../support/python_vm.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

async function withTool(
  body: (tool: ToolSpec, dir: string) => Promise<void>,
  more: Pick<PythonParts, "takeRefusals"> = {},
): Promise<void> {
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const scratch = join(dir, "vm");
      const vm = new PythonVm({ processes, workspace: dir, scratch, limits: () => VM_LIMITS });
      await body(runPython({ vm, outputCharsMax: () => 4_000, ...more }), dir);
    })
  );
}

Deno.test({ name: "run_python computes, remembers and shows what it prints", ignore }, async () => {
  await withTool(async (tool, dir) => {
    const host = testHost(dir);
    const first = await callTool(tool, { content: "n = 6\nprint('six')\nn * 7" }, host);
    equal(first.status, "ok");
    match(
      first.text,
      /^\[Success\] ran in .*s\.\n\nsix\n\n=> 42\n\n\(kept for your next run_python call: n\)$/,
    );
    equal(host.seen.join(""), "six\n");
    match(
      (await callTool(tool, { content: "input() * n", stdin: "ab" }, host)).text,
      /=> 'abababababab'/,
    );
    match((await callTool(tool, { content: "n", reset: "yes" }, host)).text, /NameError/);
    equal((await callTool(tool, { reset: true }, host)).status, "ok");
  });
});

Deno.test({ name: "run_python says itself which connections it was refused", ignore }, async () => {
  const refused = ["example.org is not an allowed host"];
  await withTool(async (tool, dir) => {
    const host = testHost(dir);
    const first = await callTool(tool, { content: "1" }, host);
    match(first.text, /=> 1[^]*\n\[System\] example\.org is not an allowed host$/);
    equal(/System/.test((await callTool(tool, { content: "1" }, host)).text), false);
  }, { takeRefusals: () => refused.splice(0) });
});

Deno.test("run_python refuses to run nothing", async () => {
  await withTool(async (tool, dir) => {
    for (
      const input of [{}, { content: "" }, { content: " \n" }, { content: "", reset: "false" }]
    ) {
      equal(await callTool(tool, input, testHost(dir)), {
        status: "failed",
        text: "There is no code to run: content is empty",
      });
    }
  });
});

Deno.test({ name: "run_python takes code that was copied out of a listing", ignore }, async () => {
  await withTool(async (tool, dir) => {
    const rows = ["def f():", "    return 7", "", "f()"];
    const listed = rows.map((row, at) => `${at + 1}:${fingerprint(row)}|${row}`).join("\n");
    match((await callTool(tool, { content: listed }, testHost(dir))).text, /=> 7/);
    match(
      (await tool.preview?.({ content: listed }, testHost(dir))) ?? "",
      /\ndef f\(\):\n {4}return 7\n\nf\(\)$/,
    );
  });
});

Deno.test("run_python takes what models call its parameters, and flags as words", async () => {
  await withTool(async (tool) => {
    const reset = (value: unknown) => {
      const bound = bind(tool, { code: "1", input: "a", reset: value });
      return bound.ok ? bound.input : bound.problem;
    };
    for (const value of [true, "true", "TRUE", "yes", "on", "1", 1]) {
      equal(reset(value), { content: "1", stdin: "a", reset: true }, String(value));
    }
    for (const value of [false, "false", "False", "no", "off", "0", 0, ""]) {
      equal(reset(value), { content: "1", stdin: "a", reset: false }, String(value));
    }
    match(String(reset("perhaps")), /at reset$/);
    equal(bind(tool, { reset: "false" }), { ok: true, input: { reset: false } });
    equal(definition(tool).raw, ["content", "stdin"]);
    const { properties } = definition(tool).schema as { properties: { reset: { type: string } } };
    equal(properties.reset.type, "boolean");
    equal(tool.subject({ content: "import os" }), { kind: "none" });
    equal([tool.effect({}), tool.process?.({})], ["changes", "inside"]);
  });
});

Deno.test({
  name: "run_python shows the code and which Python is to run it before it does",
  ignore,
}, async () => {
  await withTool(async (tool, dir) => {
    const input = { content: "print(input())", stdin: "a\nb", reset: true };
    const preview = await tool.preview?.(input, testHost(dir)) ?? "";
    match(
      preview,
      /^# \/.*python3?\n# first, everything that was defined is forgotten\nprint\(input\(\)\)\n# answers for input\(\):\n# {3}a\n# {3}b$/,
    );
    await Deno.mkdir(join(dir, ".venv", "bin"), { recursive: true });
    await Deno.writeTextFile(join(dir, ".venv", "pyvenv.cfg"), "");
    await Deno.writeTextFile(join(dir, ".venv", "bin", "python"), "", { mode: 0o755 });
    const own = await tool.preview?.({ content: "1" }, testHost(dir)) ?? "";
    ok(own.startsWith(`# ${dir}/.venv/bin/python, this project's own Python\n1`), own);
  });
});

Deno.test("run_python says in a sentence what it did", async () => {
  await withTool(async (tool) => {
    const one = { content: "2 ** 10\n" };
    equal(tool.summary(one), "run Python: 2 ** 10");
    equal(tool.summary({ content: "a\nb" }, { status: "ok", text: "" }), "ran 2 lines of Python");
    equal(tool.summary({ reset: true }), "run Python from a clean start");
    equal(
      tool.summary(one, { status: "failed", text: "", meta: { raised: "KeyError" } }),
      "ran Python: 2 ** 10, which raised KeyError",
    );
    equal(
      tool.summary(one, { status: "failed", text: "", meta: { lost: "late" } }),
      "ran Python: 2 ** 10; Python was lost with all variables",
    );
    equal(tool.summary(one, { status: "denied", text: "" }), "did not run Python: 2 ** 10");
    equal(tool.summary(one, { status: "interrupted", text: "" }), "did not finish Python: 2 ** 10");
  });
});
