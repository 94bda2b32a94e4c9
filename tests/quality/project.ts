/** The project's files, for the tests that read all of them. */
import { fileURLToPath } from "node:url";

/** The project's folder, ending in a slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const LEFT_OUT: readonly string[] = [".git", "node_modules", "dist"];

/** Paths of all files below a folder of the project, relative to the project, in order. */
export function projectFiles(folder = ""): string[] {
  const files: string[] = [];
  for (const entry of Deno.readDirSync(ROOT + folder)) {
    if (LEFT_OUT.includes(entry.name)) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory) files.push(...projectFiles(path));
    else if (entry.isFile) files.push(path);
  }
  return files.sort();
}

/** The text of a project file, or undefined when it does not exist. */
export function projectText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(ROOT + path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
