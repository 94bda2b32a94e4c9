/**
 * Paths of this system. `node:path` alone starts the whole of Node's layer in Deno: 7 ms of every start (2.9.6), for
 * seven functions that are short where paths have forward slashes. On Windows they are Node's.
 */
import * as posix from "./path_posix.ts";

const node = Deno.build.os === "windows" ? await import("node:path") : undefined;

export const { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } = node ??
  posix;

/** What an absolute path begins with: "/", or a drive; "" for a relative one. */
export function rootOf(path: string): string {
  if (node !== undefined) return node.parse(path).root;
  return isAbsolute(path) ? "/" : "";
}
