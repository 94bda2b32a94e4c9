/** Looking at paths without following what may have been planted there, and without failing on what is not there. */
import { join } from "@/lib/path.ts";

/** What stands at a path itself, links not followed. */
export type Kind = "file" | "dir" | "link" | "other" | "none";

export function kindAt(path: string): Kind {
  const info = statOf(() => Deno.lstatSync(path));
  if (info === undefined) return "none";
  if (info.isSymlink) return "link";
  return info.isDirectory ? "dir" : info.isFile ? "file" : "other";
}

/** Whether a path leads to a directory. */
export function isDirectory(path: string): boolean {
  return statOf(() => Deno.statSync(path))?.isDirectory ?? false;
}

/** What the system says, or undefined when it says an error. */
export function statOf<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Error && ("code" in error || error instanceof Deno.errors.NotCapable)) {
      return undefined;
    }
    throw error;
  }
}

/** The real path, or undefined where there is none. */
export function realPath(path: string): string | undefined {
  // Deno throws a TypeError for "".
  return path === "" ? undefined : statOf(() => Deno.realPathSync(path));
}

/** Names in a directory; none where it cannot be read. */
export function namesIn(path: string): string[] {
  return statOf(() => [...Deno.readDirSync(path)].map(({ name }) => name)) ?? [];
}

/** Whether a file, and no link to one, stands at a path. */
export function isFile(path: string): boolean {
  return kindAt(path) === "file";
}

/** Files of these names directly in these directories. */
export function existingFiles(dirs: readonly string[], names: readonly string[]): string[] {
  return dirs.flatMap((dir) => names.map((name) => join(dir, name))).filter(isFile);
}
