/** What programs of the person's own are started with, and what watches over them. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { programsOf } from "@/compose/programs.ts";
import { Processes } from "@/sandbox/processes.ts";
import { machineEnv } from "../support/processes.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test({
  name:
    "what watches over the person's commands takes no program that the workspace offers on PATH",
  ignore: Deno.build.os === "windows",
}, async () => {
  await withWorkspace(async (dir) => {
    const [workspace, outside] = [join(dir, "ws"), join(dir, "outside")];
    for (const made of [workspace, outside]) await Deno.mkdir(made);
    for (const name of ["cat", "grep", "ps", "sleep"]) {
      const script = `#!/bin/sh\n: > "${outside}/${name}"\n`;
      await Deno.writeTextFile(join(workspace, name), script, { mode: 0o755 });
    }
    const env = { ...machineEnv(), PATH: `${workspace}:${machineEnv()["PATH"]}` };
    const processes = new Processes(env, { notUnder: [workspace] });
    const { person, close } = programsOf(
      { processes, place: { workspace, env, paths: { vm: join(dir, "vm") } } } as never,
    );
    const running = person.processes.start({
      program: "/bin/sh",
      args: ["-c", "read -r line"],
      cwd: workspace,
      stdin: "pipe",
    });
    await running.look();
    await running.kill(0);
    await close();
    await processes.close();
    equal([...Deno.readDirSync(outside)].map(({ name }) => name), []);
  });
});
