/** Which Python runs: the project's own before the machine's. */
import { join } from "@/lib/path.ts";
import type { Processes } from "@/sandbox/processes.ts";

/** Where projects keep an environment of their own. uv and Poetry (in-project) use the first. */
const PROJECT_DIRS = [".venv", "venv", "env"];

/** A Python to try. */
export type Interpreter = {
  /** Absolute path. */
  path: string;
  /** It belongs to the project: whoever wrote that decides what it does. */
  isOfProject: boolean;
};

/** The interpreters to try, best first; none of the machine's lies inside the workspace. */
export async function findInterpreters(
  processes: Pick<Processes, "find">,
  workspace: string,
): Promise<readonly Interpreter[]> {
  const own = await Promise.all(
    PROJECT_DIRS.map((name) => environmentPython(join(workspace, name))),
  );
  const found = await Promise.all([
    processes.find("python3", [workspace]),
    processes.find("python", [workspace]),
    // What stands first on PATH may be a shim for a version that is not installed.
    programAt("/usr/bin/python3"),
  ]);
  const paths = [...new Set(found.filter((path) => path !== undefined))];
  return [
    ...own.flatMap((path) => path === undefined ? [] : [{ path, isOfProject: true }]),
    ...paths.map((path) => ({ path, isOfProject: false })),
  ];
}

/** The interpreter of a virtual environment; undefined where there is none. */
async function environmentPython(dir: string): Promise<string | undefined> {
  const isWindows = Deno.build.os === "windows";
  const path = isWindows ? join(dir, "Scripts", "python.exe") : join(dir, "bin", "python");
  const isThere = await Promise.all([exists(join(dir, "pyvenv.cfg")), exists(path)]);
  return isThere.every(Boolean) ? path : undefined;
}

async function programAt(path: string): Promise<string | undefined> {
  return await exists(path) ? path : undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
