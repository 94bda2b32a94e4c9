/** Commands of every kind, with real programs. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { canAdopt } from "@/sandbox/adopter.ts";
import { ShellError } from "@/shell/shell.ts";
import { livingWith } from "../support/processes.ts";
import { shellTest, uniqueSeconds, watch } from "../support/shell.ts";
import { until } from "../support/until.ts";

shellTest(
  "run() gives what a command prints, in the order it was printed",
  async ({ run, dir }) => {
    equal(await run("echo out; echo err >&2; pwd"), {
      ...{ kind: "ended", code: 0, output: `out\nerr\n${dir}\n` },
    });
    equal(await run("exit 3"), { kind: "ended", code: 3, output: "" });
    // What keeps a command passes a signal on as an exit code.
    const signal = canAdopt() ? {} : { signal: "SIGKILL" };
    equal(await run("kill -9 $$"), { kind: "ended", code: 137, ...signal, output: "" });
    const missing = await run("no-such-program-here");
    ok(missing.kind === "ended" && missing.code === 127);
    match(missing.output, /no-such-program-here: (command )?not found\n$/);
  },
);

shellTest("a prompt comes back at once and is answered, round by round", async ({ shell }) => {
  const program = "printf 'name: '; read a; printf 'age: '; read b; echo \"$a is $b\"";
  const started = performance.now();
  const first = await shell.run({ command: program }, watch());
  ok(performance.now() - started < 20_000);
  ok(first.kind === "waiting");
  equal([first.session, first.why, first.output], ["s1", "prompt", "name: "]);
  const second = await shell.send("s1", "jo", watch());
  ok(second.kind === "waiting");
  equal([second.session, second.output], ["s1", "age: "]);
  equal(await shell.send("", "7", watch()), { kind: "ended", code: 0, output: "jo is 7\n" });
  equal(await shell.list(), []);
});

shellTest("answers can be given up front", async ({ shell }) => {
  const request = { command: 'read a; read b; echo "$b $a"', stdin: "one\ntwo" };
  equal(await shell.run(request, watch()), { kind: "ended", code: 0, output: "two one\n" });
});

shellTest(
  "a program that reads is waiting although its prompt ends in a newline",
  async ({ shell }) => {
    const started = performance.now();
    const outcome = await shell.run({ command: "echo 'which one?'; cat" }, watch());
    ok(outcome.kind === "waiting");
    ok(performance.now() - started < 20_000, "did not take the long silence");
    equal(outcome.why, Deno.build.os === "linux" ? "reads" : "idle");
    await shell.end("s1");
  },
);

shellTest(
  "what is left is seen also where a command has killed what kept it",
  async ({ run, shell }) => {
    // Elsewhere its parent is this test.
    if (!canAdopt()) return;
    const outcome = await run(`echo up; sleep ${uniqueSeconds()} & kill -9 $PPID; sleep 60`);
    ok(outcome.kind === "ended", outcome.kind);
    equal([outcome.code, outcome.output, outcome.left?.session], [137, "up\n", "s1"]);
    await shell.end("s1");
    equal(await shell.list(), []);
  },
);

shellTest("a silent sleep and a busy loop are waited out", async ({ run }) => {
  const outcome = await run("sleep 1; echo slept");
  equal(outcome, { kind: "ended", code: 0, output: "slept\n" });
  const busy = await run("end=$((SECONDS+2)); while [ $SECONDS -lt $end ]; do :; done; echo done");
  equal(busy, { kind: "ended", code: 0, output: "done\n" });
});

shellTest(
  "long silence is offered as waiting, and listening on takes it up again",
  async ({ shell, run }) => {
    const outcome = await run("echo begin; sleep 3; echo end");
    ok(outcome.kind === "waiting");
    equal([outcome.why, outcome.output], ["silent", "begin\n"]);
    equal(await shell.send(undefined, "", watch()), { kind: "ended", code: 0, output: "end\n" });
  },
);

shellTest(
  "without the kernel's answer an idle program is waiting, a busy one is not",
  async ({ run, shell }) => {
    const prompt = await run("echo 'which one?'; read x");
    ok(prompt.kind === "waiting");
    equal(prompt.why, "idle");
    await shell.end(prompt.session);
    const busy = await run(
      "end=$((SECONDS+2)); while [ $SECONDS -lt $end ]; do :; done; echo done",
    );
    equal(busy, { kind: "ended", code: 0, output: "done\n" });
  },
  { asksKernel: false, limits: { waitS: 6 } },
);

shellTest("a runaway command is stopped with everything it started", async ({ processes, run }) => {
  const seconds = uniqueSeconds();
  const outcome = await run(
    `echo x; (setsid sleep ${seconds} &); while :; do echo y; sleep 0.05; done`,
  );
  ok(outcome.kind === "late");
  equal(outcome.seconds, 1);
  match(outcome.output, /^x\ny\n/);
  equal(await livingWith(processes, `sleep ${seconds}`), []);
}, { limits: { deadlineS: 1 } });

shellTest("a command that keeps printing is not stopped", async ({ run }) => {
  const outcome = await run("for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.25; done");
  ok(outcome.kind === "ended");
  match(outcome.output, /^1\n2\n.*10\n$/s);
});

shellTest(
  "a command with a background child ends, and the child has a handle",
  async ({ processes, shell }) => {
    const seconds = uniqueSeconds();
    const started = performance.now();
    const outcome = await shell.run({ command: `sleep ${seconds} & echo up` }, watch());
    ok(performance.now() - started < 20_000);
    equal(outcome, {
      ...{ kind: "ended", code: 0, output: "up\n", left: { session: "s1", processes: 1 } },
    });
    equal((await shell.list()).map(({ session, state }) => [session, state]), [[
      "s1",
      "background",
    ]]);
    const quiet = await shell.send("s1", "", watch());
    equal([quiet.kind, quiet.output], ["running", ""]);
    equal((await shell.end("s1")).kind, "stopped");
    equal(await livingWith(processes, `sleep ${seconds}`), []);
    equal(await shell.list(), []);
  },
);

shellTest(
  "a server in the background is read on, and outlives an interrupt of the listening",
  async ({ shell }) => {
    const command = "echo ready; i=0; while :; do i=$((i+1)); echo line $i; sleep 0.1; done";
    const started = await shell.run({ command, background: true }, watch());
    ok(started.kind === "running");
    match(started.output, /^ready\nline 1\n/);
    const more = await shell.send(started.session, "", watch());
    ok(more.kind === "running");
    match(more.output, /^line \d+\n/);
    ok(!more.output.includes("ready"));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    equal((await shell.send(started.session, "", watch(abort.signal))).kind, "aborted");
    equal((await shell.list()).length, 1);
    await shell.end(started.session);
  },
);

shellTest("a background command that ends at once says so", async ({ shell }) => {
  const outcome = await shell.run(
    { command: "echo broken >&2; exit 4", background: true },
    watch(),
  );
  equal(outcome, { kind: "ended", code: 4, output: "broken\n" });
});

shellTest("how a background command ended is told to whoever asks", async ({ shell }) => {
  const started = await shell.run(
    { command: "sleep 2.5; echo bye; exit 5", background: true },
    watch(),
  );
  ok(started.kind === "running");
  await until(async () => (await shell.list())[0]?.state === "ended");
  equal(await shell.send(undefined, "", watch()), { kind: "ended", code: 5, output: "bye\n" });
  equal(await shell.list(), []);
});

shellTest(
  "an interrupt ends the command and keeps what it printed",
  async ({ processes, shell }) => {
    const seconds = uniqueSeconds();
    const abort = new AbortController();
    const on = { signal: abort.signal, onOutput: () => setTimeout(() => abort.abort(), 10) };
    const started = performance.now();
    const outcome = await shell.run({ command: `echo partial; sleep ${seconds}` }, on);
    ok(outcome.kind === "aborted");
    equal(outcome.output, "partial\n");
    ok(performance.now() - started < 20_000);
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  },
);

shellTest("output is shown as it appears", async ({ shell }) => {
  const on = watch();
  await shell.run({ command: "echo one; sleep 0.1; echo two" }, on);
  equal(on.seen, ["one\n", "two\n"]);
});

shellTest("text in a legacy encoding is read, and answered in it", async ({ shell }) => {
  // "가격: " in EUC-KR, then the bytes of the answer in hexadecimal.
  const command = `printf '\\260\\241\\260\\335: '; read x; printf '%s' "$x" | od -An -tx1`;
  const outcome = await shell.run({ command }, watch());
  equal(outcome.output, "가격: ");
  const answer = await shell.send(undefined, "나", watch());
  equal(answer.output.trim(), "b3 aa");
}, { codePage: "euc-kr" });

shellTest("what has no place in the encoding of a command is not sent", async ({ shell }) => {
  await shell.run({ command: "printf '\\260\\241: '; read x" }, watch());
  await rejects(shell.send("s1", "🎉", watch()), /its encoding has no "🎉"/);
}, { codePage: "euc-kr" });

shellTest(
  "the oldest of too many prompts is ended, what runs in the background is not",
  async ({ shell, run }) => {
    const seconds = uniqueSeconds();
    await run(`sleep ${seconds} & echo up`);
    for (const name of ["a", "b"]) await run(`printf '${name}: '; read x`);
    const third = await run("printf 'c: '; read x");
    ok(third.kind === "waiting");
    equal(third.closed, ["s2 (printf 'a: '; read x)"]);
    equal((await shell.list()).map(({ session }) => session), ["s1", "s3", "s4"]);
    await shell.close();
  },
  { limits: { waitingMax: 2 } },
);

shellTest("a call for a command that is not there says which are", async ({ shell, run }) => {
  await rejects(shell.send("s9", "x", watch()), (error: unknown) => {
    ok(error instanceof ShellError);
    equal(error.message, 'No command is running as "s9": no command is running');
    return true;
  });
  await rejects(shell.send("", "x", watch()), /No command is running; run_cmd starts one/);
  for (const name of ["a", "b"]) await run(`printf '${name}: '; read x`);
  await rejects(
    shell.send(undefined, "x", watch()),
    /Several commands are running, so one has to be named: s1 \(printf 'a: '; read x\), s2/,
  );
  await rejects(shell.end("s9"), /running are s1 \(printf/);
  await shell.close();
});

shellTest("git never opens a pager or an editor (D27)", async ({ dir, run }) => {
  const started = performance.now();
  const identity = "git config user.name Jo && git config user.email jo@example.org";
  await Deno.writeTextFile(join(dir, "a.txt"), "x");
  await run(`git init -q && ${identity} && git add . && git commit -q -m first && git add .`);
  const log = await run("git log");
  ok(log.kind === "ended" && log.code === 0);
  for (
    const command of ["git commit --allow-empty", "git rebase -i --root", "git commit --amend"]
  ) {
    const outcome = await run(command);
    ok(outcome.kind === "ended" && outcome.code !== 0, command);
    match(outcome.output, /editor/);
  }
  ok(performance.now() - started < 60_000);
});

shellTest("a password prompt does not reach a terminal", async ({ processes, run, shell }) => {
  if (await processes.find("python3") === undefined) return;
  const outcome = await run(
    "python3 -c 'import getpass; print(len(getpass.getpass(\"Password: \")))'",
  );
  ok(outcome.kind === "waiting", outcome.kind);
  match(outcome.output, /Password: $/);
  equal((await shell.send(undefined, "abc", watch())).output.trim(), "3");
});
