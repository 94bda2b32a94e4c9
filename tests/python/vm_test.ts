/** Snippets, with the real Python of this machine. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { vmResult } from "@/python/outcome_text.ts";
import { vmTest, watching } from "../support/python_vm.ts";

vmTest("run() answers with the last expression and what was printed", async ({ text }) => {
  match(await text("2 ** 10"), /^\[Success\] ran in \d+\.\d\ds\.\n\n=> 1024$/);
  match(
    await text(
      "import statistics\nscores = [88, 92, 79, 95, 61]\n" +
        'print("mean", statistics.mean(scores))\nsorted(scores)[-2]',
    ),
    /^\[Success\] ran in 0\.\d\ds\.\n\nmean 83\n\n=> 92\n\n\(kept for your next run_python call: scores, statistics\)$/,
  );
  match(await text("sorted(scores)[0]"), /=> 61$/);
  match(await text("_ + 1"), /=> 62$/);
  match(await text("a = 1\n_b = 2"), /\n\n\(kept for your next run_python call: a\)$/);
  match(await text("None"), /^\[Success\] ran in \d+\.\d\ds\.$/);
  match(await text('"""a\nb"""'), /=> 'a\\nb'$/);
  match(await text("'x' * 5000"), /=>\n'x{1333}\n\[3002 characters left out\]\nx{665}'$/);
});

vmTest("run() names what a snippet bound again, and not what it only changed", async ({ text }) => {
  match(await text("a = [1]; b = 2"), /call: a, b\)$/);
  match(await text("a.append(2)"), /^\[Success\] ran in \d+\.\d\ds\.$/);
  match(await text("b = 3"), /call: b\)$/);
  match(
    await text("for n in range(20): globals()[f'v{n:02}'] = n"),
    /call: n, v00, v01, v02, v03, v04, v05, v06, v07, v08, v09, v10 and 9 more\)$/,
  );
});

vmTest("run() shows an exception without our own frames", async ({ text }) => {
  const first = await text("print('x')\nraise ValueError('n')");
  match(first, /^The code raised ValueError after 0\.\d\ds\. It had printed:\nx\n\nTraceback/);
  match(first, /File "<vm>", line 2, in <module>\n {4}raise ValueError\('n'\)\nValueError: n$/);
  ok(!first.includes("<harness>"));
  match(
    await text("if True\n pass"),
    /\n\n {2}File "<vm>", line 1\n[\s\S]*SyntaxError: expected ':'$/,
  );
  await text("def f():\n    return 1 / 0");
  const older = await text("f()");
  match(older, /File "<vm>", line 1, in <module>\n {4}f\(\)/);
  match(older, /File "<vm, call 3>", line 2, in f\n {4}return 1 \/ 0/);
  const chained = await text(
    "try:\n  f()\nexcept ZeroDivisionError as e:\n  raise KeyError(1) from e",
  );
  match(chained, /direct cause[\s\S]*KeyError: 1$/);
  ok(!chained.includes("<harness>"));
  match(await text("kept = 1\n1 / 0"), /\(kept for your next run_python call: kept\)$/);
  match(
    await text("def r(): r()\nr()"),
    /Previous line repeated \d+ more times[\s\S]*RecursionError/,
  );
});

vmTest(
  "run() goes on after a snippet that put its own in the place of Python's functions",
  async ({ text }) => {
    const taken =
      "import builtins\nfor name in ('compile', 'isinstance', 'sorted', 'repr', 'open', 'dict'):\n" +
      "    setattr(builtins, name, None)\ndel builtins.print, builtins.len\nbuiltins._ = str\nkept = 1";
    match(await text(taken), /^\[Success\][^]*call: builtins, kept, name\)$/);
    match(await text("print(len(repr(kept)), _(3))"), /\n\n1 3$/);
  },
);

vmTest("run() gives answers to input() and to what is started", async ({ text }) => {
  match(
    await text("a = input('name: '); print('hello', a, input())", { stdin: "Jo\n한글" }),
    /name: hello Jo 한글/,
  );
  match(
    await text("import os; _ = os.system('cat')", { stdin: "to the child" }),
    /\n\nto the child\n/,
  );
  match(
    await text("input()"),
    /EOFError[\s\S]*\(There is no answer left for input\(\): give the answers in stdin/,
  );
  match(await text("import sys; sys.stdin.read()"), /=> ''\n/);
});

vmTest("run() takes exit() for the end of a snippet", async ({ run, text }) => {
  await text("a = 1");
  match(await text("exit()"), /\(exit\(\) ends the snippet and not the VM\)$/);
  match(
    await text("import sys; sys.exit(3)"),
    /^The code called exit\(\) with exit code 3\. That ends/,
  );
  match(await text("raise SystemExit('no config')"), /with the message "no config"/);
  match(await text("a"), /=> 1$/);
  equal((await run("1")).kind, "answered");
});

vmTest(
  "run() keeps a process over broken code, memory and files that are too big",
  async ({ text, scratch }) => {
    await text("a = 1");
    match(
      await text("bytearray(4 * 512 * 1024 * 1024)"),
      /MemoryError[\s\S]*\(The process may take 512 MB \(VM_MEMORY_MB\)/,
    );
    const big = await text(
      "with open('big', 'wb') as f:\n  for _ in range(4): f.write(b'x' * 1024 * 1024)",
    );
    match(big, /OSError: \[Errno 27\][\s\S]*\(No file may grow over 2 MB \(VM_FILE_MB\)\)/);
    equal((await Deno.stat(join(scratch, "big"))).size, 2 * 1024 * 1024);
    match(await text("import resource; resource.getrlimit(resource.RLIMIT_CORE)"), /=> \(0, 0\)/);
    match(await text("resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) if False else a"), /=> 1$/);
  },
  { fileMb: 2 },
);

vmTest("output is shown as it comes and cut in the middle", async ({ vm, text }) => {
  const seen = watching();
  await vm.run({ code: "import time\nprint('one')\ntime.sleep(0.1)\nprint('two')" }, seen);
  equal(seen.seen.join(""), "one\ntwo\n");
  ok(seen.seen.length >= 2);
  const long = await text("print('x' * 20000)");
  match(long, /\n\nx{2666}\n\[1 lines \(16000 characters\) left out\]\nx{1334}$/);
});

vmTest("printing never wears out", async ({ text, vm, scratch }) => {
  await text("line = 'x' * (1 << 20)");
  const seen = watching();
  const started = performance.now();
  const outcome = await vm.run({ code: "for _ in range(100): print(line)\nprint('end')" }, seen);
  ok(performance.now() - started < 60_000);
  match(vmResult(outcome, 100).text, /x\nend$/);
  ok(seen.seen.join("").length < 110_000, "what is watched has an end");
  match(seen.seen.join(""), /is not shown\]\n$/);
  match(await text("print('still here')"), /\n\nstill here$/);
  equal([...Deno.readDirSync(scratch)], []);
});

vmTest("output of any kind is read", async ({ text }) => {
  match(
    await text("print('가나다'); print('\\ud83d', '\\ud800'); '\\udfff'"),
    /가나다\n\\ud83d \\ud800\n\n=> '\\udfff'$/,
  );
  match(
    await text("import os; os.write(1, b'\\x1e\\x00\\xff\\x1eabc:1\\x1e'); print('after')"),
    /after/,
  );
  match(await text("os.system('echo child; echo error >&2'); print('mine')"), /child\nerror\nmine/);
  match(await text("print('\\r10%\\r100%')"), /\n\n100%$/);
  match(await text("import sys; print('err', file=sys.stderr)"), /\n\nerr/);
  match(await text("s = '\ud800'"), /UnicodeEncodeError/);
  match(await text("print('Straße 한 🎉', end='')"), /\n\nStraße 한 🎉$/);
});

vmTest("what a snippet does to its streams is over with it", async ({ text }) => {
  for (
    const code of [
      "import sys, os; sys.stdout.close()",
      "os.close(0); os.close(1); os.close(2)",
      "import io; sys.stdout = sys.stderr = io.StringIO(); sys.stdin = None",
      "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)",
      "os.dup2(os.open(os.devnull, os.O_WRONLY), 1)",
    ]
  ) {
    match(await text(code), /^\[Success\]/, code);
    match(await text("print('back')"), /\n\nback$/, code);
  }
});

vmTest("what comes after the answer stands in the next result", async ({ text, run }) => {
  await run(
    "import threading, time, subprocess\np = subprocess.Popen('sleep 0.2; echo late', shell=True)",
  );
  match(await text("p.wait()"), /late\n\n=> 0$/);
  match(
    await text("import os\nif os.fork() == 0: print('child')\nelse: os.wait()\nos.getpid() > 0"),
    /child[\s\S]*=> True\n/,
  );
});

vmTest(
  "the project is imported, anew after a change, and never written to",
  async ({ workspace, text }) => {
    const file = join(workspace, "project_module.py");
    await Deno.writeTextFile(file, "def answer():\n    return 1\n");
    await Deno.mkdir(join(workspace, "src", "pkg"), { recursive: true });
    await Deno.writeTextFile(join(workspace, "src", "pkg", "__init__.py"), "name = 'pkg'\n");
    match(
      await text("import project_module, pkg\nproject_module.answer(), pkg.name"),
      /=> \(1, 'pkg'\)/,
    );
    await Deno.writeTextFile(file, "def answer():\n    return 22\n");
    const again = await text("import project_module\nproject_module.answer()");
    match(
      again,
      /=> 22\n\n\(changed since they were imported, so import them again: project_module\)/,
    );
    match(
      await text(
        "import os, subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import pkg, project_module'])",
      ),
      /returncode=0/,
    );
    const names = (path: string) => [...Deno.readDirSync(path)].map(({ name }) => name).sort();
    equal(names(workspace), ["project_module.py", "src"]);
    equal(names(join(workspace, "src", "pkg")), ["__init__.py"]);
  },
);

vmTest(
  "it runs in its own directory, and what lies there takes no other module's place",
  async ({ scratch, workspace, text }) => {
    await Deno.mkdir(scratch);
    await Deno.writeTextFile(join(scratch, "json.py"), "raise SystemExit('planted')\n");
    await Deno.writeTextFile(join(scratch, "statistics.py"), "raise SystemExit('planted')\n");
    await Deno.writeTextFile(join(scratch, "helper.py"), "x = 7\n");
    match(
      await text("import json, statistics, helper, os\nos.getcwd(), helper.x"),
      new RegExp(`=> \\('${scratch}', 7\\)`),
    );
    await text("open('note.txt', 'w').write('x')");
    equal(await Deno.readTextFile(join(scratch, "note.txt")), "x");
    equal([...Deno.readDirSync(workspace)], []);
    await text("os.chdir('/')");
    match(await text("os.getcwd()"), /=> '\/'$/);
    match(await text("import os\nos.getcwd()", { reset: true }), new RegExp(`=> '${scratch}'`));
  },
);

vmTest("reset empties it", async ({ text }) => {
  await text("a = 1\nimport os");
  match(
    await text("'a' in globals(), 'os' in globals(), __name__", { reset: true }),
    /=> \(False, False, '__main__'\)$/,
  );
  match(await text("", { reset: true }), /^\[Success\]/);
});

vmTest("code is taken as models write it", async ({ text }) => {
  match(await text("```python\n1 + 1\n```"), /=> 2$/);
  match(await text("    x = 2\n    x"), /=> 2\n/);
  match(await text("\ufeffx\r\n"), /=> 2$/);
  match(await text("import asyncio\nawait asyncio.sleep(0)\n'awaited'"), /=> 'awaited'/);
  match(
    await text("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nP(1)"),
    /=> P\(x=1\)/,
  );
  match(await text("import pickle; pickle.loads(pickle.dumps(P(2)))"), /=> P\(x=2\)/);
});

vmTest("snippets that are asked at once run one after the other", async ({ run }) => {
  const outcomes = await Promise.all(["a = 1", "a += 1", "a"].map((code) => run(code)));
  const last = outcomes.at(-1);
  ok(last?.kind === "answered");
  equal(last.answer.value, "2");
});
