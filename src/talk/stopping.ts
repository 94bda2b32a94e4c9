/** Ctrl+Z: this program and those it was started with are stopped, and the shell gets the terminal. */
import type { Stopping } from "@/terminal/full/life.ts";

/** How long a stop may take to come into effect; it is over when this time has passed for us. */
const STOP_MS = 50;

/**
 * `deno task` waits for us and takes SIGTSTP for a signal to pass on (Deno 2.9.6), and a shell would go on waiting for it:
 * the whole group is stopped with SIGSTOP, which nobody can take. But then somebody has to be there who lets us go on.
 */
export function stopping(env: (name: string) => string | undefined): Stopping {
  const isTask = env("INIT_CWD") !== undefined;
  const isLinux = Deno.build.os === "linux";
  return {
    canStop: async () => {
      if (Deno.build.os === "windows") return false;
      return !isLinux || await hasShellAbove(env("PATH") ?? "");
    },
    stop: async () => {
      // Elsewhere sessions cannot be told apart; SIGTSTP does nothing where nobody could let us go on.
      Deno.kill(0, isLinux || isTask ? "SIGSTOP" : "SIGTSTP");
      await new Promise((resolve) => setTimeout(resolve, STOP_MS));
    },
  };
}

/** Whether whoever started our group is of the same session and another group: a shell that knows jobs. */
async function hasShellAbove(path: string): Promise<boolean> {
  const { readTable } = await import("@/sandbox/process_table.ts");
  const { rows } = await readTable("", { PATH: path, LC_ALL: "C" });
  const self = rows.find(({ pid }) => pid === Deno.pid);
  const leader = rows.find(({ pid }) => pid === self?.pgid);
  const starter = rows.find(({ pid }) => pid === leader?.ppid);
  return self !== undefined && starter !== undefined && starter.session === self.session &&
    starter.pgid !== self.pgid;
}
