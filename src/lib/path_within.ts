/** Whether one path lies in another. Both are absolute and in one form; no file system is asked. */
import { relative, sep } from "@/lib/path.ts";

/** Whether `path` is `dir` or below it, by whole names: "/ws-evil" is not in "/ws". */
export function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}

/** A path as somebody writes it who works in `dir`: relative where it lies below, else as it is. */
export function seenFrom(dir: string, path: string): string {
  return path !== dir && isWithin(path, dir) ? relative(dir, path) : path;
}
