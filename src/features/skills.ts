/** Skills: a catalogue in the prompt, `use_skill`, `/skills` and `/skill`. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { once } from "@/lib/once.ts";

type Needs = Pick<FeatureParts, "place" | "trust" | "live" | "isInteractive">;

/** Make it. */
export function skills({ place, trust, live, isInteractive }: Needs): Feature<"skills"> {
  const library = once(async () => {
    const { openLibrary } = await import("./skills/work.ts");
    return await openLibrary({ place, trust });
  });
  /** What the person has loaded, until the next request tells it. */
  const loaded: string[] = [];
  return {
    name: "skills",
    lend: {
      skills: {
        list: async () => (await import("./skills/person.ts")).listed(await library()),
        reload: async () => {
          const made = await library();
          await made.scan();
          return (await import("./skills/person.ts")).listed(made);
        },
        has: async (name) => {
          const { skills, waiting } = await library();
          return [...skills, ...waiting].some((one) =>
            one.name.toLowerCase() === name.toLowerCase()
          );
        },
        load: async (name, args) => {
          const loading = await (await library()).load(name, { args });
          if (loading.kind === "text") loaded.push(loading.text);
          return loading.kind === "text" ? { name: loading.name } : { why: loading.why };
        },
        copy: async (name) =>
          await (await import("./skills/person.ts")).copyShipped(name, place.paths.skills),
      },
    },
    work: async () => {
      const { skillWork } = await import("./skills/work.ts");
      return skillWork(await library(), { live, isInteractive, loaded });
    },
  };
}
