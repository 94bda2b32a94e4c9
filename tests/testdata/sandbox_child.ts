// Opens a sandbox as whoever runs this, runs lines of shell in it, and prints what came of them as JSON.
import { Processes } from "@/sandbox/processes.ts";
import { Sandbox } from "@/sandbox/mod.ts";

const [workspace = "", stateDir = "", ...lines] = Deno.args;
const env = Deno.env.toObject();
const processes = new Processes(env);
const sandbox = await Sandbox.open({
  processes,
  env,
  workspace,
  added: [],
  stateDir,
  stateNames: ["sessions"],
  ruleFiles: [".permissions.json", ".mcp.json"],
  visible: [],
  isTrusted: () => false,
  limits: () => ({ processesMax: 300, fileMaxMb: 50 }),
  onNotice: (text) => console.error(text),
});
const results: { code: number; output: string }[] = [];
for (const line of sandbox.isProven ? lines : []) {
  const command = { program: "/bin/sh", args: ["-c", line], cwd: workspace, wrap: sandbox.wrap() };
  const { code, stdout, stderr } = await processes.run(command, { timeoutMs: 60_000 });
  results.push({ code, output: stdout.text() + stderr.text() });
}
console.log(JSON.stringify({ kind: sandbox.kind, problem: sandbox.problem, results }));
await processes.close();
await sandbox.close();
