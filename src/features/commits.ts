/** A commit for each edit. They are made behind the edits; a turn ends when all of them are made. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function commits({ committed }: Pick<FeatureParts, "committed">): Feature {
  return {
    name: "commits",
    work: () => ({
      hooks: [{
        name: "commits of edits",
        // Before whatever else looks at the project when the turn ends.
        beforeStop: async () => {
          await committed();
          return undefined;
        },
      }],
    }),
  };
}
