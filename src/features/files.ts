/** The tools for files and directories, and mentions: what they show is noted, what they change goes through the journal. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function files(
  { conversation, settings, processes, isInteractive, live, place: { workspace } }: FeatureParts,
): Feature {
  return {
    name: "files",
    work: async ({ journal, mayRead }) => {
      const [{ fileTools }, { MentionReader }, { viewBoundsOf }, { FileWork }, past, { Search }] =
        await Promise.all([
          import("@/tools/mod.ts"),
          import("@/agent/mentions.ts"),
          import("@/workspace/file_view.ts"),
          import("@/workspace/file_work.ts"),
          import("./files/past_readings.ts"),
          import("@/workspace/search.ts"),
        ]);
      const viewBounds = () => viewBoundsOf(settings.current);
      const search = new Search({ processes, workspace, mayRead });
      const workWith = (readings: InstanceType<typeof past.Readings>) =>
        new FileWork({ journal, readings, viewBounds, mayShow: mayRead });
      const own = workWith(past.pastReadings(conversation.past, workspace));
      const mentions = new MentionReader({
        deciding: async () => (await live.work()).dispatch,
        files: own,
        charsMax: () => settings.current.MENTION_MAX_CHARS,
        // Nobody drops a file on a terminal that is not there.
        takesPasted: isInteractive,
        notice: (text) => live.emit({ type: "notice", level: "warn", text }),
      });
      return {
        tools: fileTools({ files: own, search }),
        toolsBeside: () => fileTools({ files: workWith(new past.Readings()), search }),
        said: (content, signal) => mentions.said(content, signal),
      };
    },
  };
}
