/** A file that may not be read is not shown by an edit and not copied to where it may be. */
import type { Decision, Guard } from "@/protocol/policy.ts";

/** Refuse calls that show, or take the content of, a file that rules deny reading. */
export function deniedReads(deniesReading: (path: string) => Decision | undefined): Guard {
  return function deniedRead({ tool, subject }) {
    if (subject.kind !== "path") return undefined;
    for (const path of tool.shows === true ? subject.paths : subject.reads ?? []) {
      const decision = deniesReading(path);
      if (decision !== undefined) return decision;
    }
    return undefined;
  };
}
