// A program like ours, for tests that end it: starts commands of every kind and then waits, or ends as it is told.
import { canAdopt } from "@/sandbox/adopter.ts";
import { Processes, type Wrapper } from "@/sandbox/processes.ts";
import { kept } from "@/shell/keeper.ts";

const [seconds = "1", how = "wait", signal = ""] = Deno.args;
const processes = new Processes({ PATH: Deno.env.get("PATH") ?? "" });
const lines = [
  `sleep ${seconds}`,
  `sleep ${seconds} & sleep ${seconds}`,
  `nohup sleep ${seconds} >/dev/null 2>&1 &`,
  `setsid sleep ${seconds} >/dev/null 2>&1 & sleep 0.1`,
  `(setsid nohup sh -c 'trap "" TERM HUP; sleep ${seconds}; :' >/dev/null 2>&1 &) ; sleep 0.1`,
];
// It left its session and has no mark, so that only its parent gives it away: before anything is killed, that is.
if (how === "end" || (how === "wait" && signal === "SIGKILL")) {
  lines.push(`env -i PATH="$PATH" setsid sleep ${seconds} & sleep ${seconds}`);
}
for (const line of lines) processes.start({ program: "sh", args: ["-c", line], cwd: "/" });
// It has neither session, nor mark, nor parent: only what has taken it in knows of it.
const daemon = `env -i PATH="$PATH" sh -c '(setsid sh -c "sleep ${seconds}; :" >/dev/null 2>&1 &)'`;
if (canAdopt()) {
  const program = (line: string) => ({ program: "/bin/sh", args: ["-c", line] });
  processes.start({ ...kept(program(daemon)), cwd: "/", orphans: "stay" });
  processes.start({ ...program(`${daemon}; exec sleep ${seconds}`), cwd: "/", orphans: "end" });
}
// Without the mark in its environment only its group gives it away.
const wrap = (inner: Parameters<Wrapper>[0]) => ({ ...inner, env: { PATH: inner.env.PATH ?? "" } });
processes.start({ program: "sleep", args: [seconds], cwd: "/", wrap });
await new Promise((resolve) => setTimeout(resolve, 400));
await Deno.stdout.write(new TextEncoder().encode("up\n"));
if (how === "throw") throw new Error("a bug");
if (how === "exit") Deno.exit(0);
if (how === "end") await processes.close();
if (how === "wait") await new Promise(() => setInterval(() => {}, 1_000));
