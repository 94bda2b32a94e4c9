/** Skills: a catalogue in the prompt, `use_skill`, `/skills` and `/skill`. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { firstFew } from "@/lib/first_few.ts";
import { once } from "@/lib/once.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { SkillLibrary } from "@/skills/library.ts";

type Needs = Pick<FeatureParts, "place" | "trust" | "live" | "isInteractive">;

/** Make it. */
export function skills({ place, trust, live, isInteractive }: Needs): Feature<"skills"> {
  const library = once(async () => {
    const { openLibrary } = await import("./skills/open.ts");
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
      const [{ skillTools }, { isSkillLoaded, untrustedSkills }, made] = await Promise.all([
        import("@/tools/mod.ts"),
        import("./skills/loaded.ts"),
        library(),
      ]);
      const tools: readonly ToolSpec[] = skillTools({
        library: made,
        isLoaded: (name) => isSkillLoaded(live.harness.messages(), name, tools),
      });
      return {
        isOwn: true,
        get tools() {
          // Without any there is nothing that the prompt lists.
          return made.skills.length + made.waiting.length > 0 ? tools : [];
        },
        guards: [untrustedSkills(made, tools)],
        prompt: () => made.catalogue(),
        hooks: [{
          name: "skills",
          beforeRequest: looksAgain(made, { live, isInteractive, loaded }),
        }],
      };
    },
  };
}

type LookingParts = Pick<Needs, "live" | "isInteractive"> & { loaded: string[] };

/** Before a request: what has changed is found, what is wrong is told once, and what the person has loaded is read. */
function looksAgain(made: SkillLibrary, { live, isInteractive, loaded }: LookingParts) {
  let isTold = false;
  return async () => {
    if (made.isOutdated()) {
      await made.scan();
      isTold = false;
    }
    // In a terminal the person was asked before the first prompt.
    const waiting = isInteractive ? [] : made.waitingNotices();
    const notices = [...firstFew(made.notices, "about skills: /skills shows them"), ...waiting];
    for (const text of isTold ? [] : notices) {
      live.emit({ type: "notice", level: "warn", text });
    }
    isTold = true;
    return loaded.shift();
  };
}
