import { deepStrictEqual as equal, match } from "node:assert/strict";
import { existsSync } from "node:fs";
import { adopting, ASKERS, canAdopt } from "@/sandbox/adopter.ts";
import { livingWith, machineEnv, sh, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";

const ignore = !canAdopt();
const path = machineEnv().PATH ?? "";

for (const asker of ASKERS) {
  Deno.test({
    name: `what loses its parent goes to the first process, by ${asker.path}`,
    ignore: ignore || !existsSync(asker.path),
  }, async () => {
    await withProcesses(async (processes) => {
      const seconds = String(100_000 + Math.floor(Math.random() * 1e9));
      const line = `env -i /bin/sh -c '(setsid sleep ${seconds} >/dev/null 2>&1 &)'
sleep 0.3; read -r left < /proc/$$/task/$$/children; ps -o args= -p $left; exit 3`;
      const adopted = adopting(sh(line), { orphans: "stay", path, asker });
      const { code, stdout } = await processes.run({ ...adopted ?? sh("exit 9"), cwd: "/" });
      equal([code, stdout.text()], [3, `sleep ${seconds}\n`]);
      for (const pid of await livingWith(processes, `sleep ${seconds}`)) Deno.kill(pid, "SIGKILL");
    });
  });
}

Deno.test(
  { name: "with its end all ends that it left, and it ends as it did", ignore },
  async () => {
    await withProcesses(async (processes) => {
      const seconds = String(100_000 + Math.floor(Math.random() * 1e9));
      const daemon = `env -i /bin/sh -c '(setsid sleep ${seconds} >/dev/null 2>&1 &)'; sleep 0.2`;
      const ran = async (end: string) => {
        const start = {
          ...sh(`${daemon}; echo out; echo err >&2; ${end}`),
          orphans: "end",
        } as const;
        const { ended, code, signal, stdout, stderr } = await processes.run(start);
        equal([stdout.text(), stderr.text()], ["out\n", "err\n"]);
        await until(async () => (await livingWith(processes, `sleep ${seconds}`)).length === 0);
        return [ended, code, signal];
      };
      equal(await ran("exit 7"), ["exited", 7, undefined]);
      equal(await ran("kill -SEGV $$"), ["signalled", 139, "SIGSEGV"]);
      equal(await ran("exit 255"), ["exited", 255, undefined]);
    });
  },
);

Deno.test({ name: "what will not start is left to whoever starts it", ignore }, async () => {
  const by = { orphans: "end", path } as const;
  for (const program of ["/no/such/program", "no-such-program", "./relative", "/dev/null", "/"]) {
    equal(adopting({ program, args: [] }, by), undefined, program);
  }
  await withProcesses(async (processes) => {
    const start = { program: "/no/such/program", cwd: "/", orphans: "end" } as const;
    const said = await processes.run(start).then(() => "", (error: Error) => error.message);
    match(said, /does not exist/);
  });
});
