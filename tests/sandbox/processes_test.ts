import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { Finished } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";
import { grownBy } from "../support/grown_by.ts";
import { livingWith, sh, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

const outcome = ({ ended, code, stdout, stderr }: Finished) => ({
  ...{ ended, code },
  ...{ stdout: stdout.text(), stderr: stderr.text() },
});

/** A sleep whose arguments nobody else uses. */
const uniqueSeconds = () => 100_000 + Math.floor(Math.random() * 1e9);

Deno.test("run() gives code and both outputs when the program ends", async () => {
  await withProcesses(async (processes) => {
    equal(outcome(await processes.run(sh("echo out; echo err >&2; exit 3"))), {
      ...{ ended: "exited", code: 3, stdout: "out\n", stderr: "err\n" },
    });
  });
});

Deno.test("run() passes arguments untouched and starts in the directory", async () => {
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const args = ["-c", 'printf "%s|" "$@"; pwd', "sh", "a b", "", "$HOME", "*", "q\"'", "-n"];
      const { stdout } = await processes.run({ program: "sh", args, cwd: dir });
      equal(stdout.text(), `a b||$HOME|*|q"'|-n|${dir}\n`);
    })
  );
});

Deno.test("start() keeps no pipe to a program that has ended by itself", async () => {
  await withProcesses(async (processes) => {
    const running = processes.start({ ...sh("exit 3"), stdin: "pipe" });
    equal((await running.ended).code, 3);
    await running.outputClosed;
  });
});

Deno.test("run() tells an end by signal from an exit", async () => {
  await withProcesses(async (processes) => {
    const finished = await processes.run(sh("kill -SEGV $$"));
    equal([finished.ended, finished.code, finished.signal], ["signalled", 139, "SIGSEGV"]);
    const exited = await processes.run(sh("exit 139"));
    equal([exited.ended, exited.code, exited.signal], ["exited", 139, undefined]);
  });
});

Deno.test("run() gives no input, these bytes, or very many of them", async () => {
  await withProcesses(async (processes) => {
    equal((await processes.run(sh("cat; echo end"))).stdout.text(), "end\n");
    const some = { ...sh("cat"), stdin: new TextEncoder().encode("한글\nno newline") };
    equal((await processes.run(some)).stdout.text(), "한글\nno newline");
    const many = { ...sh("wc -c"), stdin: new Uint8Array(20_000_000) };
    equal((await processes.run(many)).stdout.text().trim(), "20000000");
  });
});

Deno.test("run() does not mind a program that does not read its input", async () => {
  await withProcesses(async (processes) => {
    const finished = await processes.run({ ...sh("exit 7"), stdin: new Uint8Array(5_000_000) });
    equal([finished.ended, finished.code], ["exited", 7]);
  });
});

Deno.test("run() keeps the order of both outputs when they are joined", async () => {
  await withProcesses(async (processes) => {
    const line = "for i in 1 2 3 4 5 6 7 8; do echo out$i; echo err$i >&2; done";
    const { stdout } = await processes.run({ ...sh(line), joined: true });
    const expected = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `out${i}\nerr${i}\n`).join("");
    equal(stdout.text(), expected);
  });
});

Deno.test("run() keeps memory bounded when 100 MB are printed", async () => {
  await withProcesses(async (processes) => {
    const line = "echo begin; head -c 100000000 /dev/zero; echo; echo end";
    const { stdout } = await processes.run(sh(line), { outputBytesMax: 10_000 });
    ok(await grownBy("output", line) < 80_000_000, "RSS grew by 80 MB");
    equal([stdout.bytes, stdout.kept().length], [100_000_011, 10_000]);
    ok(stdout.text().startsWith("begin\n") && stdout.text().endsWith("\nend\n"));
  });
});

Deno.test("run() shows output as it comes, in pieces that join to the whole", async () => {
  await withProcesses(async (processes) => {
    const seen: string[] = [];
    const decoder = new TextDecoder();
    // The three bytes of one Hangul character, in three writes.
    const line = "printf '\\355'; sleep 0.05; printf '\\225'; sleep 0.05; printf '\\234!'";
    await processes.run(sh(line), {
      onOutput: (chunk) => seen.push(decoder.decode(chunk, { stream: true })),
    });
    ok(seen.length > 1, "came in one piece");
    equal(seen.join(""), "한!");
  });
});

Deno.test("run() does not wait for a child that keeps the pipe, and ends it", async () => {
  await withProcesses(async (processes) => {
    const seconds = uniqueSeconds();
    const finished = await processes.run(sh(`sleep ${seconds} & echo done`));
    equal(outcome(finished), { ended: "exited", code: 0, stdout: "done\n", stderr: "" });
    ok(finished.ms < 20_000, `${finished.ms} ms`);
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  });
});

Deno.test("run() finds a child that left the session with the pipe", async () => {
  await withProcesses(async (processes) => {
    const seconds = uniqueSeconds();
    const finished = await processes.run(sh(`setsid sleep ${seconds} & sleep 0.1; echo done`));
    equal(finished.stdout.text(), "done\n");
    ok(finished.ms < 20_000, `${finished.ms} ms`);
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  });
});

Deno.test("run() stops the whole tree at the time limit and keeps what was printed", async () => {
  await withProcesses(async (processes) => {
    const seconds = uniqueSeconds();
    const line = `echo so far; (trap '' TERM; sh -c 'sleep ${seconds}' & setsid nohup sleep ` +
      `${seconds} & wait) & sleep ${seconds}`;
    const finished = await processes.run(sh(line), { timeoutMs: 300 });
    equal([finished.ended, finished.stdout.text()], ["timed_out", "so far\n"]);
    ok(finished.ms < 20_000, `${finished.ms} ms`);
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  });
});

Deno.test("run() stops when it is interrupted", async () => {
  await withProcesses(async (processes) => {
    const seconds = uniqueSeconds();
    const abort = new AbortController();
    const running = processes.run(sh(`echo up; sleep ${seconds}`), {
      signal: abort.signal,
      onOutput: () => setTimeout(() => abort.abort(), 20),
    });
    const finished = await running;
    equal([finished.ended, finished.stdout.text()], ["aborted", "up\n"]);
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  });
});

Deno.test("run() ends a program that ignores SIGTERM and one that never stops printing", async () => {
  await withProcesses(async (processes) => {
    const deaf = sh("trap '' TERM; while :; do sleep 0.05; done");
    const stubborn = await processes.run(deaf, { timeoutMs: 100 });
    equal([stubborn.ended, stubborn.signal], ["timed_out", "SIGKILL"]);
    const loud = await processes.run(sh("yes"), { timeoutMs: 300, outputBytesMax: 100 });
    equal([loud.ended, loud.stdout.kept().length], ["timed_out", 100]);
    ok(loud.ms < 20_000, `${loud.ms} ms`);
  });
});

Deno.test("run() refuses to start when the interrupt came before", async () => {
  await withProcesses(async (processes) => {
    const finished = await processes.run(sh("sleep 300"), { signal: AbortSignal.abort() });
    equal(finished.ended, "aborted");
    ok(finished.ms < 20_000);
  });
});

Deno.test("run() names what is missing", async () => {
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const cases: [string, string, string][] = [
        ["no-such-program", dir, 'Cannot start "no-such-program": no program of that name on PATH'],
        ["sh", join(dir, "gone"), `Cannot start "sh" in "${join(dir, "gone")}": no such directory`],
        ["/etc/passwd", dir, 'Cannot start "/etc/passwd": not an executable file'],
      ];
      for (const [program, cwd, message] of cases) {
        await rejects(processes.run({ program, cwd }), (error: unknown) => {
          ok(error instanceof StartError);
          equal(error.message, message);
          return true;
        });
      }
      const tooLong = { program: "true", args: ["x".repeat(3_000_000)], cwd: dir };
      await rejects(processes.run(tooLong), /too long \(3000000 characters\)/);
      await rejects(processes.run({ program: "true", args: ["a\0b"], cwd: dir }), StartError);
    })
  );
});

Deno.test("a process has its own session and no terminal to open", async () => {
  await withProcesses(async (processes) => {
    const line =
      'ps -o sid=,pgid= -p $$; echo $$ $$; (: < /dev/tty) 2>/dev/null || echo "no terminal"';
    // By its path: without a copy of us. By a name: with one.
    for (const program of ["/bin/sh", "sh"]) {
      const running = processes.start({ program, args: ["-c", line], cwd: "/" }, (chunk) => {
        text += new TextDecoder().decode(chunk);
      });
      let text = "";
      await running.outputClosed;
      const [session, pid, terminal] = text.trim().split("\n").map((part) => part.trim());
      equal(session?.split(/\s+/).join(" "), pid);
      equal([pid, terminal], [`${running.pid} ${running.pid}`, "no terminal"]);
    }
  });
});

Deno.test("a process that is ended in the moment of its start is ended with all it would have started", async () => {
  const seconds = uniqueSeconds();
  await withProcesses(async (processes) => {
    const command = { program: "/bin/sh", args: ["-c", `sleep ${seconds} & sleep ${seconds}`] };
    for (let round = 0; round < 12; round += 1) {
      const running = processes.start({ ...command, cwd: "/" });
      if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, round / 6));
      await running.kill(round % 2 === 0 ? 0 : undefined);
    }
    equal(await livingWith(processes, `sleep ${seconds}`), []);
    processes.start({ ...command, cwd: "/" });
    await processes.close();
  });
  await withProcesses(async (others) => equal(await livingWith(others, `sleep ${seconds}`), []));
});

Deno.test("start() gives a handle that talks and ends with its tree", async () => {
  await withProcesses(async (processes) => {
    let text = "";
    const running = processes.start(
      { ...sh('read name; echo "hello $name"; read more; echo "[$more]"'), stdin: "pipe" },
      (chunk) => text += new TextDecoder().decode(chunk),
    );
    ok(await running.write(new TextEncoder().encode("jo\n")));
    await until(() => text === "hello jo\n");
    await running.closeInput();
    equal(await running.ended, { code: 0, signal: undefined });
    await running.outputClosed;
    equal(text, "hello jo\n[]\n");
    equal(await running.write(new Uint8Array(1)), false);
  });
});

Deno.test("start() leaves a background child alive and shows it, until it is killed", async () => {
  await withProcesses(async (processes) => {
    const seconds = uniqueSeconds();
    const running = processes.start(sh(`setsid sleep ${seconds} & sleep ${seconds} & echo up`));
    equal(await running.ended, { code: 0, signal: undefined });
    equal((await running.look()).members.length, 2);
    await running.kill();
    equal((await running.look()).members, []);
    equal(await livingWith(processes, `sleep ${seconds}`), []);
  });
});

Deno.test("close() ends everything, and nothing starts afterwards", async () => {
  const seconds = uniqueSeconds();
  await withProcesses(async (processes) => {
    processes.start(sh(`sleep ${seconds} & sleep ${seconds}`));
    processes.start(sh(`setsid nohup sleep ${seconds} >/dev/null 2>&1 &`));
    await until(async () => (await livingWith(processes, `sleep ${seconds}`)).length >= 3);
    await processes.close();
    let message = "";
    try {
      processes.start(sh("true"));
    } catch (error) {
      message = String(error);
    }
    equal(message, "Error: No process can be started while the program ends");
  });
  await withProcesses(async (others) => equal(await livingWith(others, `sleep ${seconds}`), []));
});

Deno.test("a wrapper decides what is really started", async () => {
  await withProcesses(async (processes) => {
    const finished = await processes.run({
      ...sh("echo inner"),
      wrap: (inner) => ({
        ...inner,
        program: "sh",
        args: ["-c", 'echo outer; exec "$@"', "sh", inner.program, ...inner.args],
        env: { PATH: inner.env.PATH ?? "" },
      }),
    });
    equal(finished.stdout.text(), "outer\ninner\n");
  });
});

Deno.test("run() gives a program the grace that it was promised to end by itself", async () => {
  await withProcesses(async (processes) => {
    const line =
      "trap 'sleep 0.5; echo tidied; exit 3' TERM; echo up; while :; do sleep 0.05; done";
    const options = { timeoutMs: 1_500, graceMs: 20_000 };
    const { ended, code, stdout } = outcome(await processes.run(sh(line), options));
    equal({ ended, code, stdout }, { ended: "timed_out", code: 3, stdout: "up\ntidied\n" });
  });
});
