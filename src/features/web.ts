/** The web: pages, APIs and searches, asked about at the first visit to a host. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

type Parts = Pick<FeatureParts, "automode" | "network" | "place" | "run" | "settings">;

/** Make it. */
export function web(parts: Parts): Feature {
  let close = () => {};
  return {
    name: "web",
    work: async ({ policy }) => {
      const { webWork } = await import("./web/work.ts");
      const { work, end } = webWork(parts, policy);
      close = end;
      return work;
    },
    close: () => Promise.resolve(close()),
  };
}
