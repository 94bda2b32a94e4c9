/** AGENTS.md and its kin: what the person and the project say of how to work here. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { once } from "@/lib/once.ts";
import { join } from "@/lib/path.ts";

/** Make it. */
export function instructions({ place, live }: Pick<FeatureParts, "place" | "live">): Feature {
  const { workspace, paths } = place;
  return {
    name: "instructions",
    work: async ({ mayRead }) => {
      const [{ NearInstructions }, { fromTop }, files] = await Promise.all([
        import("@/agent/hooks/near_instructions.ts"),
        import("@/lib/from_top.ts"),
        import("@/workspace/instructions.ts"),
      ]);
      const directories = await fromTop(workspace);
      const places = { workspace, top: directories[0] ?? workspace };
      const [own, project] = await Promise.all([
        files.personInstruction(join(paths.home, "AGENTS.md")),
        files.findInstructions(directories, places),
      ]);
      const notice = (text: string) => live.emit({ type: "notice", level: "warn", text });
      // Rules are there when the first request is made; the bytes then stay for the whole run.
      const chosen = once(() => {
        const readable = project.files.filter(({ path }) => mayRead(path));
        const all = typeof own === "object" ? [own, ...readable] : readable;
        const { files: kept, notices } = files.withinBytes(all);
        const troubles = typeof own === "string" ? [own] : [];
        return {
          section: files.instructionSection(kept),
          notices: [...troubles, ...project.notices, ...notices],
        };
      });
      const near = new NearInstructions({
        workspace,
        find: async (directory) => {
          const { files: found, notices } = await files.findInstructions([directory], places);
          return { files: found.filter(({ path }) => mayRead(path)), notices };
        },
        messages: () => live.harness.messages(),
        notice,
      });
      return {
        prompt: () => chosen().section,
        begin: () => chosen().notices.forEach(notice),
        hooks: [near],
      };
    },
  };
}
