/** The tools for files and directories: what they show is noted, what they change goes through the journal. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function files(
  { conversation, settings, processes, place: { workspace } }: FeatureParts,
): Feature {
  return {
    name: "files",
    work: async ({ journal, mayRead }) => {
      const [{ fileTools }, { viewBoundsOf }, { FileWork }, { Readings }, { Search }] =
        await Promise.all([
          import("@/tools/mod.ts"),
          import("@/workspace/file_view.ts"),
          import("@/workspace/file_work.ts"),
          import("@/workspace/readings.ts"),
          import("@/workspace/search.ts"),
        ]);
      const readings = new Readings();
      readings.replay(pastResults(conversation));
      const viewBounds = () => viewBoundsOf(settings.current);
      const search = new Search({ processes, workspace, mayRead });
      const toolsWith = (readings: InstanceType<typeof Readings>) => {
        const files = new FileWork({ journal, readings, viewBounds, mayShow: mayRead });
        return fileTools({ files, search });
      };
      return { tools: toolsWith(readings), toolsBeside: () => toolsWith(new Readings()) };
    },
  };
}

/** The results of a reopened session: what they showed of files still counts. */
function* pastResults({ past }: FeatureParts["conversation"]) {
  for (const event of past) {
    if (event.type === "message" && event.message.role === "tool") yield event.message.result;
  }
}
