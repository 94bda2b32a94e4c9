import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { canAdopt } from "@/sandbox/adopter.ts";
import { Guard } from "@/sandbox/guard.ts";
import { groupExists, launch, signalGroup } from "@/sandbox/spawn.ts";
import { livingWith, machineEnv, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";

const script = new URL("../testdata/orphans.ts", import.meta.url).pathname;
const uniqueSeconds = () => 100_000 + Math.floor(Math.random() * 1e9);
const ignore = Deno.build.os === "windows";

for (const how of ["SIGKILL", "SIGTERM", "SIGINT", "throw", "exit", "end"] as const) {
  Deno.test(
    { name: `nothing is left behind when the program ends by ${how}`, ignore },
    async () => {
      const seconds = String(uniqueSeconds());
      const isSignal = how.startsWith("SIG");
      await withProcesses(async (processes) => {
        const flags = ["run", "-q", "--no-prompt", "--allow-read", "--allow-run", "--allow-env"];
        let output = "";
        const program = processes.start({
          program: Deno.execPath(),
          args: [...flags, script, seconds, isSignal ? "wait" : how, how],
          cwd: new URL("../..", import.meta.url).pathname,
          env: { HOME: machineEnv().HOME ?? "/", HARNESS_CHILD_OF: "" },
        }, (chunk) => output += new TextDecoder().decode(chunk));
        await until(() => output.includes("up\n"));
        if (isSignal) {
          ok(
            (await livingWith(processes, `sleep ${seconds}`)).length >= 7 + (canAdopt() ? 3 : 0),
            "they were there",
          );
          Deno.kill(program.pid, how as Deno.Signal);
        }
        await program.ended;
        const dead = async () => (await livingWith(processes, seconds)).length === 0;
        // A tenth of a second on a machine that has nothing else to do.
        await until(dead);
        await program.outputClosed;
      });
    },
  );
}

Deno.test({ name: "a guard that was killed is replaced", ignore }, async () => {
  const mark = crypto.randomUUID();
  const guard = new Guard(mark, machineEnv());
  await withProcesses(async (processes) => {
    guard.ready();
    guard.watch(2_147_483_000);
    const [first = 0] = await livingWith(processes, mark);
    Deno.kill(first, "SIGKILL");
    await until(async () => {
      const [pid = first] = await livingWith(processes, mark);
      return pid !== first;
    });
    await guard.close();
    equal(await livingWith(processes, mark), []);
  });
});

Deno.test(
  { name: "the guard ends what it watches and lets go what it forgot", ignore },
  async () => {
    const guard = new Guard(crypto.randomUUID(), machineEnv());
    const start = () =>
      launch({ program: "sleep", args: ["60"], cwd: "/", env: machineEnv(), stdin: "null" });
    const children = [start(), start(), start()];
    const [first, second, third] = children.map(({ pid }) => pid) as [number, number, number];
    guard.ready();
    for (const pid of [first, second, third]) guard.watch(pid);
    guard.forget(second);
    equal([...guard.groups], [first, third]);
    await guard.close();
    equal(groupExists(second), true);
    signalGroup(second, "SIGKILL");
    for (const child of children) {
      await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel()]);
    }
  },
);
