/** The life and the deaths of the process behind run_python. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { PythonVm } from "@/python/vm.ts";
import { vmResult } from "@/python/outcome_text.ts";
import { livingWith, withProcesses } from "../support/processes.ts";
import { VM_LIMITS, vmTest, watching } from "../support/python_vm.ts";
import { withWorkspace } from "../support/workspace.ts";

let isInside = false;

vmTest(
  "run() says in three kinds of death that the variables are gone",
  async ({ text, processes, run }) => {
    const gone = /All variables are gone; the next run_python starts a new process with none\./;
    const marker = `loop${Math.random()}`;
    await text(`a = 1`);
    const late = await text(
      `print('so far'); import subprocess; subprocess.Popen(['sh', '-c', 'sleep 60; : ${marker}'])\nwhile True: pass`,
    );
    match(late, /^The code was stopped after 1 s \(VM_TIMEOUT\), and Python with it\./);
    match(late, gone);
    match(late, /It had printed:\nso far$/);
    match(await text("a"), /NameError/);
    equal(await livingWith(processes, marker), []);
    const died = await text("print('last words'); import os; os._exit(3)");
    match(died, /^Python has ended while the code ran, with exit code 3\./);
    match(died, gone);
    match(died, /It had printed:\nlast words$/);
    const crashed = await text("import ctypes; ctypes.string_at(0)");
    match(crashed, /^Python has ended while the code ran, by SIGSEGV\./);
    match(crashed, /Segmentation fault[\s\S]*File "<vm 1>", line 1/);
    const unreadable = await text(
      "import os\nfor fd in range(3, 20):\n  try: os.write(fd, b'{}\\n')\n  except OSError: pass\n" +
        "import time; time.sleep(5)",
    );
    match(unreadable, /^Python's answer could not be read/);
    match(unreadable, gone);
    equal(vmResult(await run("1 + 1"), 100).status, "ok");
  },
  { timeoutS: 1 },
);

vmTest(
  "an interrupt stops a snippet and keeps the variables",
  async ({ vm, text, processes }) => {
    await text("a = 5");
    const tookMs: number[] = [];
    const marker = `sleep ${100_000 + Math.floor(Math.random() * 1e9)}`;
    for (
      const code of [
        "b = 1\nprint('on', flush=True)\nwhile True: pass",
        "print('on'); import time; time.sleep(60)",
        `print('on'); import subprocess; subprocess.run('${marker}'.split())`,
      ]
    ) {
      const abort = new AbortController();
      let stoppedAt = 0;
      const outcome = await vm.run({ code }, {
        signal: abort.signal,
        onOutput: () =>
          setTimeout(() => {
            stoppedAt = performance.now();
            abort.abort();
          }, 50),
      });
      tookMs.push(performance.now() - stoppedAt);
      const result = vmResult(outcome, 4_000);
      equal(result.status, "interrupted", result.text);
      match(
        result.text,
        /^Interrupted after \d\.\d s\. The variables are kept\.\n\nIt had printed:\non/,
      );
    }
    ok(Math.min(...tookMs) < 4_000, `${tookMs} ms`);
    equal(await livingWith(processes, marker), []);
    match(await text("a, b"), /=> \(5, 1\)$/);
  },
  {},
  { interruptMs: 5_000 },
);

vmTest(
  "an interrupt ends a snippet that does not stop, and says that the variables are gone",
  async ({ vm, text }) => {
    await text("a = 5");
    const tookMs: number[] = [];
    for (
      const code of [
        "def spin():\n  while True: pass\nprint('on')\n" +
        "while True:\n  try: spin()\n  except BaseException: pass",
        "print('on')\nmax(range(10 ** 12))",
      ]
    ) {
      const abort = new AbortController();
      let stoppedAt = 0;
      const outcome = await vm.run({ code }, {
        signal: abort.signal,
        onOutput: () =>
          setTimeout(() => {
            stoppedAt = performance.now();
            abort.abort();
          }, 50),
      });
      tookMs.push(performance.now() - stoppedAt);
      const { status, text: said } = vmResult(outcome, 4_000);
      equal(status, "interrupted");
      match(said, /did not stop by itself, so Python was ended\. All variables are gone/);
    }
    ok(Math.min(...tookMs) < 10_000, `${tookMs} ms`);
    match(await text("a"), /NameError/);
  },
);

vmTest(
  "a signal that is there before a snippet begins stops it",
  async ({ vm, text }) => {
    await text("a = 1");
    const outcome = await vm.run({ code: "a = 2" }, watching(AbortSignal.abort()));
    equal(vmResult(outcome, 100).status, "interrupted");
    match(await text("a"), /=> 1$/);
  },
  {},
  { interruptMs: 5_000 },
);

vmTest("stop() and state() say what there is", async ({ vm, text, scratch }) => {
  equal(vm.state(), { scratch });
  equal(await vm.stop(), false);
  await text("a = 1");
  const { running } = vm.state();
  ok(running !== undefined);
  match(running.python.version, /^3\.\d+\.\d+/);
  equal([running.isWrapped, running.snippets, running.names], [false, 1, ["a"]]);
  equal(await vm.stop(), true);
  equal(vm.state(), { scratch });
  match(await text("1"), /\(What earlier calls defined is gone: the person ended the process\)/);
  ok(!(await text("1")).includes("gone"));
});

vmTest("a process that ended between two calls is told", async ({ vm, run, text }) => {
  await run(
    "a = 1\nimport threading, os, time\nthreading.Thread(target=lambda: (time.sleep(0.2), os._exit(1))).start()",
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  equal(vm.state().running, undefined);
  match(
    await text("1"),
    /\(What earlier calls defined is gone: the process has ended between two calls\)/,
  );
});

Deno.test(
  "nothing is left when the processes are closed",
  () =>
    withWorkspace(async (dir) => {
      const marker = `sleep ${100_000 + Math.floor(Math.random() * 1e9)}`;
      await withProcesses(async (processes) => {
        const vm = new PythonVm({
          processes,
          workspace: dir,
          scratch: join(dir, "vm"),
          limits: () => VM_LIMITS,
        });
        await vm.run(
          { code: `import subprocess; subprocess.Popen('${marker}'.split())` },
          watching(),
        );
        equal((await livingWith(processes, marker)).length, 1);
      });
      await withProcesses(async (processes) => equal(await livingWith(processes, marker), []));
    }),
);

Deno.test({
  name: "the project's own Python is preferred, and another one taken when it does not start",
  ignore: Deno.build.os === "windows",
}, () =>
  withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const [workspace, scratch] = [join(dir, "project"), join(dir, "vm")];
      const bin = join(workspace, ".venv", "bin");
      await Deno.mkdir(bin, { recursive: true });
      const vm = new PythonVm({ processes, workspace, scratch, limits: () => VM_LIMITS });
      await Deno.writeTextFile(
        join(bin, "python"),
        "#!/bin/sh\necho broken environment >&2\nexit 1\n",
        { mode: 0o755 },
      );
      equal((await vm.interpreter())?.isOfProject, false, "no environment without pyvenv.cfg");
      await Deno.writeTextFile(join(workspace, ".venv", "pyvenv.cfg"), "home = /usr/bin\n");
      equal(await vm.interpreter(), { path: join(bin, "python"), isOfProject: true });
      const first = vmResult(await vm.run({ code: "1" }, watching()), 100).text;
      match(
        first,
        /=> 1\n\n\(This Python does not start \(.*\.venv\/bin\/python: broken environment\)\. It runs in .*python3.* instead\)$/,
      );
      await vm.stop();
      await Deno.remove(join(workspace, ".venv"), { recursive: true });
      const made = await processes.run({
        program: "/usr/bin/python3",
        args: ["-m", "venv", "--without-pip", join(workspace, ".venv")],
        cwd: dir,
      });
      if (made.code !== 0) return; // This machine's Python has no venv.
      const own =
        vmResult(await vm.run({ code: "import sys; sys.prefix" }, watching()), 1_000).text;
      match(own, new RegExp(`=> '${workspace}/.venv'`));
    })
  ));

vmTest(
  "what does not start is told in a sentence",
  async ({ run }) => {
    const { status, text } = vmResult(await run("1"), 100);
    equal(status, "failed");
    match(
      text,
      /^No Python could be started:\n.*Cannot start "\/nowhere\/python"[\s\S]*Install Python 3\.8/,
    );
  },
  {},
  { wrap: () => (inner) => ({ ...inner, program: "/nowhere/python" }) },
);

vmTest(
  "a process on the wrong side of the boundary is not used",
  async ({ text, vm }) => {
    match(await text("a = 1"), /^\[Success\]/);
    equal(vm.state().running?.isWrapped, false);
    isInside = true;
    match(
      await text("'a' in globals()"),
      /=> False\n\n\(.*gone: it runs inside the sandbox from now on\)$/,
    );
    equal(vm.state().running?.isWrapped, true);
    match(await text("b = 1\nb"), /=> 1/);
    isInside = false;
    match(await text("1"), /gone: it runs outside the sandbox from now on\)$/);
  },
  {},
  { wrap: () => isInside ? (inner) => inner : undefined },
);
