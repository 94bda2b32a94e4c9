/** Who puts edited files in their place: this process, or another one that can do what this one cannot. */
import { isWithin } from "@/lib/path_within.ts";
import { isWriteScoped } from "@/lib/write_scope.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import type { Processes } from "@/sandbox/processes.ts";
import type { Attributes } from "@/workspace/attributes.ts";
import { lstat } from "@/workspace/entry.ts";
import type { ChoosePlacing } from "@/workspace/transition.ts";
import { PLACING_HERE } from "@/workspace/place.ts";
import { placingInside } from "@/workspace/placing_inside.ts";

/** `roots` are the directories that commands inside the sandbox can change. */
export type PlacingNeeds = {
  attributes: Attributes;
  processes: Pick<Processes, "run" | "ownPath" | "wrappedRunning">;
  sandbox: Pick<SandboxOnDemand, "opened">;
  roots: readonly string[];
};

/**
 * While a command lives in the sandbox that can change the workspace, it could swap a directory for a link under our
 * hands, so what is written there is written from inside as well. It reaches nothing else. Where this process may write only
 * to a list of directories, everything is written by another one, and so is what has attributes to be kept.
 */
export function placingOf(
  { attributes, processes, sandbox, roots }: PlacingNeeds,
): ChoosePlacing {
  return async (path, { removes, carrier }) => {
    const { opened } = sandbox;
    const isCarried = carrier !== undefined && lstat(carrier) !== undefined;
    const isWatched = processes.wrappedRunning > 0 && opened?.isProven === true &&
      roots.some((root) => isWithin(path, root));
    if (isWatched) {
      if (isCarried || removes && await attributes.has(path)) throw new Error(notFromInside(path));
      return placingInside({ processes, wrap: opened.wrap() });
    }
    const isElsewhere = isWriteScoped() || isCarried || await attributes.has(path);
    return attributes.expecting(isElsewhere ? placingInside({ processes }) : PLACING_HERE);
  };
}

function notFromInside(path: string): string {
  return `Cannot change "${path}": its extended attributes or access list can be kept for /undo, or given back, only while ` +
    "no command runs in the sandbox. Nothing was written; end the command first (end_process), then try again";
}
