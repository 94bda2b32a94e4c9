/**
 * The tools for files, directories and what stands in them, and mentions: what they show is noted, what they change goes
 * through the journal.
 */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import type { Syntax } from "@/workers/syntax.ts";

/** Make it. */
export function files(
  { conversation, settings, processes, isInteractive, live, place: { workspace, paths } }:
    FeatureParts,
): Feature {
  let syntax: Syntax | undefined;
  return {
    name: "files",
    work: async ({ journal, mayRead }) => {
      const [
        { fileTools, syntaxTools },
        { Syntax },
        { NamesCache },
        { Symbols },
        { MentionReader },
        { viewBoundsOf },
        { FileWork },
        past,
        { searchOnDemand },
      ] = await Promise.all([
        import("@/tools/mod.ts"),
        import("@/workers/syntax.ts"),
        import("@/workspace/syntax/names_cache.ts"),
        import("@/workspace/syntax/symbols.ts"),
        import("@/agent/mentions.ts"),
        import("@/workspace/file_view.ts"),
        import("@/workspace/file_work.ts"),
        import("./files/past_readings.ts"),
        import("@/workspace/search_on_demand.ts"),
      ]);
      const viewBounds = () => viewBoundsOf(settings.current);
      const trees = syntax = new Syntax();
      const search = searchOnDemand({ processes, workspace, mayRead });
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
      const cache = new NamesCache(paths.syntax);
      const symbols = new Symbols({ search, syntax: trees, cache, workspace });
      const toolsWith = (files: InstanceType<typeof FileWork>) => [
        ...fileTools({ files, search }),
        ...syntaxTools({ syntax: trees, symbols, readings: files.readings }),
      ];
      return {
        tools: toolsWith(own),
        toolsBeside: () => toolsWith(workWith(new past.Readings())),
        said: (content, signal) => mentions.said(content, signal),
      };
    },
    close: () => Promise.resolve(syntax?.close()),
  };
}
