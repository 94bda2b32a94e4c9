import { personEnv } from "@/sandbox/person_env.ts";
import { Processes } from "@/sandbox/processes.ts";

/** Processes of one test, ended afterwards whatever happens. `env` is added to what the machine has. */
export async function withProcesses(
  body: (processes: Processes) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const processes = new Processes({ ...machineEnv(), ...env });
  try {
    await body(processes);
  } finally {
    await processes.close();
  }
}

/** What programs need to be found and to run at all; nothing else of the environment of the tests. */
export function machineEnv(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "PYENV_ROOT", "SystemRoot", "TEMP"];
  const all = personEnv(Deno.env.toObject());
  return Object.fromEntries(names.flatMap((name) => {
    const value = all[name];
    return value === undefined ? [] : [[name, value]];
  }));
}

/** What a Deno that a test starts needs to find the packages that the tests have found. */
export function denoEnv(): Record<string, string> {
  const names = ["HOME", "DENO_DIR", "npm_config_registry", "NPM_CONFIG_REGISTRY", "SSL_CERT_FILE"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

/** A shell line, run by `sh`. */
export function sh(line: string): { program: string; args: string[]; cwd: string } {
  return { program: "sh", args: ["-c", line], cwd: "/" };
}

/** Pids of living processes whose arguments contain `needle`; dead ones that nobody waits for do not count. */
export async function livingWith(processes: Processes, needle: string): Promise<number[]> {
  const { stdout } = await processes.run({
    program: "ps",
    args: ["-eo", "pid=,state=,args="],
    cwd: "/",
  });
  const lines = stdout.text().split("\n").map((line) => line.trim());
  return lines.filter((line) => line.includes(needle) && !/^\d+ [ZX]/.test(line))
    .map((line) => parseInt(line));
}
