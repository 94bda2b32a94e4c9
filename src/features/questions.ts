/** What the model may ask the person. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function questions({ isInteractive }: Pick<FeatureParts, "isInteractive">): Feature {
  return {
    name: "questions",
    work: async () => {
      const [{ questionTools }, { needsPerson }] = await Promise.all([
        import("@/tools/mod.ts"),
        import("@/agent/guards/needs_person.ts"),
      ]);
      return { isOwn: true, tools: questionTools(), guards: [needsPerson(isInteractive)] };
    },
  };
}
