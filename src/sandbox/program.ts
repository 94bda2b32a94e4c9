/** Where a program is: looked up by us, so that a checkout cannot offer its own. */
import { errorCode } from "@/lib/file_error.ts";
import { delimiter, join } from "@/lib/path.ts";

/** Where to look, and what to leave out. */
export type LookUp = {
  /** The value of `PATH`. */
  path: string;
  /** Directories whose programs do not count: the workspace, which anybody may have written. */
  notUnder?: readonly string[];
};

/** The absolute path of a program, or undefined. Follows `PATH` in order; an entry inside `notUnder` is passed over. */
export async function findProgram(name: string, lookUp: LookUp): Promise<string | undefined> {
  const { path, notUnder = [] } = lookUp;
  const suffixes = Deno.build.os === "windows" ? [".exe", ".cmd", ".bat"] : [""];
  for (const directory of path.split(delimiter)) {
    if (!isAbsoluteDirectory(directory)) continue;
    for (const suffix of suffixes) {
      const candidate = join(directory, name + suffix);
      if (await isProgram(candidate, notUnder)) return candidate;
    }
  }
  return undefined;
}

/** `PATH` without directories inside `notUnder`, for scripts of ours that name programs. */
export function pathOutside(path: string, notUnder: readonly string[]): string {
  const isOutside = (directory: string) =>
    isAbsoluteDirectory(directory) &&
    ![directory, realOrSame(directory)].some((one) =>
      notUnder.some((root) => isUnder(`${one}/`, root))
    );
  return path.split(delimiter).filter(isOutside).join(delimiter);
}

function realOrSame(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return path;
  }
}

/** `isAbsolute` of node:path would accept `\dir` on Windows, which depends on the current drive. */
function isAbsoluteDirectory(directory: string): boolean {
  return directory.startsWith("/") || /^[a-z]:[\\/]/i.test(directory);
}

async function isProgram(candidate: string, notUnder: readonly string[]): Promise<boolean> {
  try {
    const info = await Deno.stat(candidate);
    if (!info.isFile || (info.mode !== null && (info.mode & 0o111) === 0)) return false;
    if (notUnder.length === 0) return true;
    const real = await Deno.realPath(candidate);
    return !notUnder.some((root) => isUnder(candidate, root) || isUnder(real, root));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

function isUnder(path: string, root: string): boolean {
  const base = root.endsWith("/") ? root : `${root}/`;
  return path.replaceAll("\\", "/").startsWith(base.replaceAll("\\", "/"));
}
