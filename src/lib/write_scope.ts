/**
 * Where Deno lets this program write. The single file is started with a list of directories (release/scope.sh); from a
 * checkout, or compiled, it may write anywhere. A list stops our own mistakes and no link; under one, nothing can make a link.
 */
import { isWithin } from "@/lib/path_within.ts";

/** Whether writing is limited to a list of directories. */
export function isWriteScoped(): boolean {
  return Deno.permissions.querySync({ name: "write" }).state !== "granted";
}

/**
 * Give up writing at these directories, for good, but not at those in `keep`: what has one of both is left, because Deno would
 * take it away as a whole (2.9.6). Nothing happens where there is no list to take them from.
 */
export function revokeWriting(dirs: readonly string[], keep: readonly string[]): void {
  if (!isWriteScoped()) return;
  for (const path of dirs) {
    if (keep.some((kept) => isWithin(path, kept))) continue;
    Deno.permissions.revokeSync({ name: "write", path });
  }
}
