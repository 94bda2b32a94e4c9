/** Which file a claim is for: two spellings that lead to one file have one key. */
import { basename, dirname, join, relative, sep } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";

/**
 * The key of a real absolute path: relative to the top of the workspace, with "/", or absolute outside of it. Unicode is
 * composed, and where the disk does not tell cases apart they are folded.
 */
export function pathKey(top: string, real: string): string {
  const inside = isWithin(real, top) ? relative(top, real) : real;
  const key = inside.replaceAll(sep, "/").normalize("NFC");
  return foldsCase(real) ? key.toLowerCase() : key;
}

/** Whether a key is another one or lies below it. "" is the workspace itself. */
export function isBelow(key: string, above: string): boolean {
  return above === "" ? !key.startsWith("/") : key === above || key.startsWith(`${above}/`);
}

/** The paths of an argument: a list, or a text in which they are separated by commas or lines; quotes are peeled off. */
export function splitPaths(paths: string | readonly string[]): string[] {
  const all = typeof paths === "string" ? paths.split(/[,\n]/) : paths;
  return all.map((path) => path.trim().replace(/^(["'`])(.*)\1$/, "$2").trim())
    .filter((path) => path !== "");
}

/** Whether the disk takes a name in other cases for the same file: asked of what is there, the path or what is above it. */
function foldsCase(real: string): boolean {
  for (let at = real; dirname(at) !== at; at = dirname(at)) {
    const name = basename(at);
    const other = swapped(name);
    const own = other === name ? undefined : identity(at);
    if (own !== undefined) return identity(join(dirname(at), other)) === own;
  }
  return false;
}

function swapped(name: string): string {
  const lower = name.toLowerCase();
  return lower === name ? name.toUpperCase() : lower;
}

function identity(path: string): string | undefined {
  try {
    const { dev, ino } = Deno.lstatSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    if (error instanceof Error) return undefined; // What is not there, or may not be seen, tells nothing.
    throw error;
  }
}
