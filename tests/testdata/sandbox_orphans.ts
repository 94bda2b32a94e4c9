// A program like ours, for tests that end it: starts commands in the sandbox that do what they can to stay, and waits.
import { Processes } from "@/sandbox/processes.ts";
import { Sandbox } from "@/sandbox/mod.ts";

const [workspace = "", seconds = "1"] = Deno.args;
const env = { PATH: Deno.env.get("PATH") ?? "", HOME: workspace };
const processes = new Processes(env);
const sandbox = await Sandbox.open({
  processes,
  env,
  workspace: `${workspace}/project`,
  added: [],
  stateDir: `${workspace}/.harness`,
  stateNames: [],
  ruleFiles: [],
  visible: [],
  isTrusted: () => false,
  limits: () => ({ processesMax: 0, fileMaxMb: 0 }),
  onNotice: () => {},
});
const lines = [
  `sleep ${seconds}`,
  `sleep ${seconds} & sleep ${seconds}`,
  `(setsid sleep ${seconds} &); nohup sleep ${seconds} >/dev/null 2>&1 & sleep 0.1`,
  `setsid nohup env -i sh -c 'trap "" TERM HUP INT; sleep ${seconds}; :' >/dev/null 2>&1 & wait`,
  `env -i PATH="$PATH" sh -c '(setsid sleep ${seconds} >/dev/null 2>&1 &)'`,
  `(setsid sh -c '(setsid sleep ${seconds} &) ; sleep ${seconds}' >/dev/null 2>&1 &) ; sleep ${seconds}`,
];
for (const line of lines) {
  const wrap = sandbox.wrap();
  processes.start({ program: "/bin/sh", args: ["-c", line], cwd: `${workspace}/project`, wrap });
}
await new Promise((resolve) => setTimeout(resolve, 600));
console.log(`up ${sandbox.kind}`);
await new Promise(() => setInterval(() => {}, 1_000));
