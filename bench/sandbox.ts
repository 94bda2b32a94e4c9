/** What the sandbox adds to a command, and what trying it costs once a run. */
import { Processes } from "@/sandbox/processes.ts";
import { Sandbox } from "@/sandbox/mod.ts";
import type { Wrapper } from "@/sandbox/processes.ts";
import { elapsedMs, interleave, type Row } from "./measure.ts";
import { output, scratch } from "./program.ts";

/** `bash -c true` plain and inside, in turn; goal: at most 15 ms added in the middle. */
export async function sandbox(runs: number): Promise<Row[]> {
  await using at = await scratch();
  // As in most projects: a repository, and a file to be masked.
  await output(["git", "init", "-q", "."], at);
  await Deno.writeTextFile(`${at.workspace}/.env`, "NAME=value\n");
  const processes = new Processes(at.env);
  const opened: number[] = [];
  let sandbox: Sandbox | undefined;
  try {
    for (let run = 0; run < Math.min(runs, 10); run += 1) {
      await sandbox?.close();
      opened.push(
        await elapsedMs(async () => {
          sandbox = await open(processes, at.env, at.workspace);
        }),
      );
    }
    if (sandbox?.isProven !== true) {
      throw new Error(`There is no sandbox to measure: ${sandbox?.problem}`);
    }
    const wrap = sandbox.wrap();
    const run = (wrapper?: Wrapper) => () =>
      elapsedMs(() =>
        processes.run({
          program: "bash",
          args: ["-c", "true"],
          cwd: at.workspace,
          ...(wrapper === undefined ? {} : { wrap: wrapper }),
        })
      );
    const { plain = [], inside = [] } = await interleave({ plain: run(), inside: run(wrap) }, runs);
    const added = inside.map((ms, index) => ms - (plain[index] ?? 0));
    return [
      { name: "bash -c true", unit: "ms", values: plain },
      { name: "the same inside", unit: "ms", values: inside },
      { name: "added", unit: "ms", values: added, goal: { kind: "median", atMost: 15 } },
      { name: "opening and proving, once a run", unit: "ms", values: opened },
    ];
  } finally {
    await processes.close();
    await sandbox?.close();
  }
}

function open(
  processes: Processes,
  env: Readonly<Record<string, string>>,
  workspace: string,
): Promise<Sandbox> {
  return Sandbox.open({
    processes,
    env,
    workspace,
    added: [],
    stateDir: `${workspace}/../state`,
    stateNames: [],
    ruleFiles: [".permissions.json", ".mcp.json"],
    visible: [],
    isTrusted: () => false,
    limits: () => ({ processesMax: 4_000, fileMaxMb: 10_000 }),
    onNotice: (text) => console.error(text),
  });
}
