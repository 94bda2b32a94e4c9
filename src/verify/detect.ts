/** Which checks a change asks for: those that the projects of the changed files declare, each once. */
import { basename } from "@/lib/path.ts";
import { type Check, checkKey } from "@/verify/check.ts";
import type { Machine } from "@/verify/ecosystem.ts";
import { ECOSYSTEMS } from "@/verify/ecosystems/mod.ts";
import { ProjectDir, projectDirs } from "@/verify/project_dir.ts";

/** Where to look. `roots`: real paths of the workspace and the directories added to it. */
export type DetectOptions = Machine & { roots: readonly string[] };

/**
 * The checks of changed files (real paths; they need not exist any more), in the order of the files. The nearest directory
 * that declares something for such a file decides; nothing is invented.
 */
export async function findChecks(
  changed: readonly string[],
  options: DetectOptions,
): Promise<readonly Check[]> {
  const checks = new Map<string, Check>();
  for (const file of changed) {
    const check = await checkOf(file, options);
    if (check !== undefined && !checks.has(checkKey(check))) checks.set(checkKey(check), check);
  }
  return [...checks.values()];
}

/** The checks that one directory declares itself, whatever is changed in it. */
export async function checksIn(path: string, machine: Machine): Promise<readonly Check[]> {
  const dir = new ProjectDir(path, []);
  const declared = await Promise.all(ECOSYSTEMS.map((one) => one.declared(dir, machine)));
  return declared.filter((check) => check !== undefined && check !== "none");
}

async function checkOf(file: string, options: DetectOptions): Promise<Check | undefined> {
  const name = basename(file).toLowerCase();
  const fitting = ECOSYSTEMS.filter(({ suffixes }) => suffixes.some((end) => name.endsWith(end)));
  if (fitting.length === 0) return undefined;
  for (const dir of await projectDirs(file, options.roots)) {
    for (const ecosystem of fitting) {
      const check = await ecosystem.declared(dir, options);
      if (check === "none") return undefined;
      if (check !== undefined) return check;
    }
  }
  return undefined;
}
