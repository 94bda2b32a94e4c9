/**
 * The tools for files, directories and what stands in them, and mentions: what they show is noted, what they change goes
 * through the journal.
 */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import type { FilesWork } from "./files/work.ts";

/** Make it. */
export function files(parts: FeatureParts): Feature {
  let made: FilesWork | undefined;
  return {
    name: "files",
    work: async (shared) => {
      const { FilesWork } = await import("./files/work.ts");
      made = new FilesWork(parts, shared);
      return made.work();
    },
    close: () => Promise.resolve(made?.close()),
  };
}
