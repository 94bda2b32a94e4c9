/** What is kept across conversations: five tools, and the important entries in the system prompt. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { describe } from "@/lib/describe.ts";

/** Make it. */
export function memory({ place, live }: Pick<FeatureParts, "place" | "live">): Feature {
  return {
    name: "memory",
    work: async () => {
      const [{ memoryTools }, { MemoryStore, memorySection }] = await Promise.all([
        import("@/tools/mod.ts"),
        import("@/memory/store.ts"),
      ]);
      const store = new MemoryStore(place.paths.memory);
      let problem: string | undefined;
      // As they are now, for the whole run: what is added meanwhile stands in the conversation, and the prompt keeps its bytes.
      const kept = await store.list().catch((error) => {
        problem = describe(error);
        return [];
      });
      const section = memorySection(kept);
      return {
        tools: memoryTools(store),
        prompt: () => section,
        begin: () => {
          if (problem !== undefined) live.emit({ type: "notice", level: "warn", text: problem });
        },
      };
    },
  };
}
