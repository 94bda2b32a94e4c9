import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { sweepPrivateDirs } from "@/sandbox/private_dir.ts";
import { needing } from "../support/sandbox.ts";
import { denoEnv, livingWith, machineEnv, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

const script = new URL("../testdata/sandbox_orphans.ts", import.meta.url).pathname;
const needs = await needing();

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  Deno.test(
    { name: `nothing of the sandbox is left 500 ms after ${signal}`, ...needs },
    async () => {
      await withWorkspace(async (dir) => {
        await Deno.mkdir(join(dir, "project"));
        const seconds = String(100_000 + Math.floor(Math.random() * 1e9));
        await withProcesses(async (processes) => {
          let output = "";
          const program = processes.start({
            program: Deno.execPath(),
            args: [
              "run",
              "-q",
              "--no-prompt",
              "--allow-read",
              "--allow-write",
              "--allow-run",
              "--allow-env",
              "--allow-sys",
              script,
              dir,
              seconds,
            ],
            cwd: new URL("../..", import.meta.url).pathname,
            env: { ...denoEnv(), HARNESS_CHILD_OF: "" },
          }, (chunk) => output += new TextDecoder().decode(chunk));
          await until(() => output.includes("up "));
          match(output, /up bubblewrap/);
          ok((await livingWith(processes, `sleep ${seconds}`)).length >= 7, "they were there");
          Deno.kill(program.pid, signal);
          await program.ended;
          await until(async () => (await livingWith(processes, seconds)).length === 0);
          await program.outputClosed;
        });
      });
      // What the dead run left in the temporary directory, the next one takes away.
      await sweepPrivateDirs("/tmp", Deno.uid());
    },
  );
}

Deno.test(
  { name: "a command that runs long is not ended with a thread of ours", ...needs },
  async () => {
    await withWorkspace(async (dir) => {
      await Deno.mkdir(join(dir, "project"));
      await withProcesses(async (processes) => {
        // The parent-death signal goes by thread; Deno's helper threads end after ten idle seconds.
        const before = performance.now();
        const { Sandbox } = await import("@/sandbox/mod.ts");
        const sandbox = await Sandbox.open({
          processes,
          env: machineEnv(),
          workspace: join(dir, "project"),
          added: [],
          stateDir: join(dir, "state"),
          stateNames: [],
          ruleFiles: [],
          visible: [],
          isTrusted: () => false,
          limits: () => ({ processesMax: 0, fileMaxMb: 0 }),
          onNotice: () => {},
        });
        const { code, stdout } = await processes.run({
          program: "/bin/sh",
          args: ["-c", "sleep 12; echo done"],
          cwd: join(dir, "project"),
          wrap: sandbox.wrap(),
        });
        equal({ code, text: stdout.text() }, { code: 0, text: "done\n" });
        ok(performance.now() - before > 12_000);
        await sandbox.close();
      });
    });
  },
);
