/** The real sandbox of this machine around a workspace of its own, and the same as an ordinary user. */
import { join } from "node:path";
import { fileURLToPath as fromFileUrl } from "node:url";
import type { SandboxOptions } from "@/sandbox/boundary_options.ts";
import { Sandbox } from "@/sandbox/mod.ts";
import type { SandboxPolicy } from "@/sandbox/policy.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import { Processes } from "@/sandbox/processes.ts";
import { findProgram } from "@/sandbox/program.ts";
import { withWorkspace } from "./workspace.ts";

const isLinux = Deno.build.os === "linux";
export const isRoot = isLinux && Deno.uid() === 0;

/** Where a program of this machine is, on the `PATH` of the tests. */
export function programHere(name: string): Promise<string | undefined> {
  return findProgram(name, { path: Deno.env.get("PATH") ?? "" });
}

/** Options of a test that needs the real thing: skipped by name where there is none. */
export async function needing(...programs: readonly string[]): Promise<{ ignore: boolean }> {
  const found = await Promise.all(programs.map(programHere));
  return { ignore: !isLinux || found.includes(undefined) || !await doesBwrapWork() };
}

let works: Promise<boolean> | undefined;

/** Containers and some distributions have it installed and keep it from doing anything. */
function doesBwrapWork(): Promise<boolean> {
  works ??= (async () => {
    const bwrap = await programHere("bwrap");
    if (bwrap === undefined) return false;
    const spaces = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc"];
    const mounts = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
    const args = [...spaces, ...mounts, "true"];
    return (await new Deno.Command(bwrap, { args, stdin: "null" }).output()).success;
  })();
  return works;
}

/** What a test works with. All in one temporary directory; `home` and `state` are hidden from commands. */
export type Folders = {
  dir: string;
  home: string;
  workspace: string;
  state: string;
  outside: string;
};

export type RanInside = { code: number; stdout: string; stderr: string; output: string };

export type Inside = Folders & {
  sandbox: Sandbox;
  processes: Processes;
  notices: readonly string[];
  /** A line of shell in the workspace. */
  run(line: string, policy?: SandboxPolicy): Promise<RanInside>;
  /** Another one in the same folders. */
  open(more?: Partial<SandboxOptions>): Promise<Sandbox>;
};

/** The environment of the person in a test: toolchains of this machine, a home of its own. */
export function testEnv(home: string): Record<string, string> {
  const own = personEnv(Deno.env.toObject());
  const kept = ["PATH", "LANG", "PYENV_ROOT", "PIP_FIND_LINKS"].flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home };
}

/** Make the folders. `under`: where; another user may not reach the temporary directory of this one. */
export async function withFolders(
  body: (folders: Folders) => Promise<void>,
  options: { under?: string } = {},
): Promise<void> {
  await withWorkspace(async (dir) => {
    const folders = {
      dir,
      home: join(dir, "home"),
      workspace: join(dir, "home", "code", "project"),
      state: join(dir, "home", ".harness"),
      outside: join(dir, "outside"),
    };
    await Deno.mkdir(folders.workspace, { recursive: true });
    await Deno.mkdir(join(folders.state, "sessions"), { recursive: true });
    await Deno.mkdir(folders.outside);
    await body(folders);
  }, options);
}

/** Prepare folders, open the sandbox there, and close it whatever happens. Fails when it is not proven. */
export async function withSandbox(
  body: (inside: Inside) => Promise<void>,
  { prepare = () => Promise.resolve(), options = {} }: {
    prepare?(folders: Folders): Promise<void>;
    options?: Partial<SandboxOptions> | ((folders: Folders) => Partial<SandboxOptions>);
  } = {},
): Promise<void> {
  await withFolders(async (folders) => {
    await prepare(folders);
    const given = typeof options === "function" ? options(folders) : options;
    const env = { ...testEnv(folders.home), ...given.env };
    const processes = new Processes(env, { notUnder: [folders.workspace] });
    const notices: string[] = [];
    const open = (more: Partial<SandboxOptions> = {}) =>
      Sandbox.open({
        ...sandboxOptions(folders, processes, env),
        onNotice: (text) => notices.push(text),
        ...given,
        ...more,
        env,
      });
    const sandbox = await open();
    if (!sandbox.isProven) throw new Error(`Not proven: ${sandbox.problem}`);
    const run = async (line: string, policy?: SandboxPolicy): Promise<RanInside> => {
      const { code, stdout, stderr } = await processes.run({
        program: "/bin/sh",
        args: ["-c", line],
        cwd: folders.workspace,
        wrap: sandbox.wrap(policy),
      }, { timeoutMs: 120_000 });
      const [out, err] = [stdout.text(), stderr.text()];
      return { code, stdout: out, stderr: err, output: out + err };
    };
    try {
      await body({ ...folders, sandbox, processes, notices, run, open });
    } finally {
      await processes.close();
      await sandbox.close();
    }
  });
}

/** Lines of shell in a sandbox around a workspace that stands already. */
export async function withSandboxIn(
  folders: Folders,
  body: (run: (line: string) => Promise<{ code: number; output: string }>) => Promise<void>,
): Promise<void> {
  const processes = new Processes(testEnv(folders.home));
  const sandbox = await Sandbox.open(sandboxOptions(folders, processes, testEnv(folders.home)));
  try {
    if (!sandbox.isProven) throw new Error(`Not proven: ${sandbox.problem}`);
    await body(async (line) => {
      const { code, stdout, stderr } = await processes.run({
        program: "/bin/sh",
        args: ["-c", line],
        cwd: folders.workspace,
        wrap: sandbox.wrap(),
      }, { timeoutMs: 60_000 });
      return { code, output: stdout.text() + stderr.text() };
    });
  } finally {
    await processes.close();
    await sandbox.close();
  }
}

/** Put files into the workspace: path → text. */
export async function writeFiles(
  { workspace }: Folders,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(workspace, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(workspace, path), text);
  }
}

/** What the sandbox is opened with. */
export function sandboxOptions(
  { workspace, state }: Folders,
  processes: Processes,
  env: Record<string, string>,
): SandboxOptions {
  return {
    processes,
    env,
    workspace,
    added: [],
    stateDir: state,
    stateNames: ["sessions"],
    ruleFiles: [".permissions.json", ".mcp.json"],
    visible: [],
    isTrusted: () => false,
    limits: () => ({ processesMax: 2_000, fileMaxMb: 500 }),
    onNotice: () => {},
  };
}

/** A user that this machine does not know; only root can become one. */
const ORDINARY = 61_234;

const ROOT = new URL("../../", import.meta.url).pathname;

/** What `sandbox_child.ts` prints. */
export type ChildReport = {
  kind: string;
  problem?: string;
  results: { code: number; output: string }[];
};

/** Lines of shell in a sandbox that an ordinary user opened. The folders are handed over to that user. */
export async function runAsOrdinaryUser(
  folders: Folders,
  lines: readonly string[],
  { env = {}, PATH = "/usr/local/bin:/usr/bin:/bin" }: {
    env?: Record<string, string>;
    PATH?: string;
  } = {},
): Promise<ChildReport> {
  const program = join(folders.dir, "program");
  await copyProgram(program);
  await handOver(folders.dir);
  const { code, stdout, stderr } = await new Deno.Command("setpriv", {
    args: [
      ...[`--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, "--clear-groups", "--inh-caps=-all"],
      ...[Deno.execPath(), "run", "-q", "--no-prompt", "--no-remote", "--no-check"],
      ...["--allow-read", "--allow-write", "--allow-env", "--allow-run", "--allow-sys"],
      ...[join(program, "tests", "sandbox_child.ts"), folders.workspace, folders.state, ...lines],
    ],
    cwd: program,
    clearEnv: true,
    env: { PATH, HOME: folders.home, DENO_DIR: join(folders.dir, "deno"), ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (code !== 0) throw new Error(`The child ended with ${code}: ${text.decode(stderr)}`);
  return JSON.parse(text.decode(stdout).trim().split("\n").at(-1) ?? "");
}

/** A checkout may lie where only root can read. */
async function copyProgram(to: string): Promise<void> {
  await Deno.mkdir(join(to, "tests"), { recursive: true });
  for (const folder of ["sandbox", "lib", "protocol", "settings"]) {
    await copyFolder(join(ROOT, "src", folder), join(to, "src", folder));
  }
  await Deno.copyFile(
    join(ROOT, "tests", "testdata", "sandbox_child.ts"),
    join(to, "tests", "sandbox_child.ts"),
  );
  // The one dependency that is not ours: from where Deno keeps it, which only its owner can read.
  const hashes = new URL(".", import.meta.resolve("@noble/hashes/sha2.js"));
  await copyFolder(fromFileUrl(hashes), join(to, "hashes"));
  const imports = { "@/": "./src/", "@noble/hashes/": "./hashes/" };
  await Deno.writeTextFile(join(to, "deno.json"), JSON.stringify({ imports }));
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

async function handOver(path: string): Promise<void> {
  const info = await Deno.lstat(path);
  if (!info.isSymlink) await Deno.chown(path, ORDINARY, ORDINARY);
  if (!info.isDirectory) return;
  for await (const { name } of Deno.readDir(path)) await handOver(join(path, name));
}
