/** Where the skills of a conversation are looked for. */
import type { FeatureParts } from "@/compose/feature.ts";
import { join } from "@/lib/path.ts";
import { skillManifest } from "@/policy/pending.ts";
import { projectSkillFolders } from "@/policy/project_files.ts";
import { SkillLibrary } from "@/skills/library.ts";

/** Look at all folders: those of the project, nearest first, then the person's own. */
export async function openLibrary(
  { place: { workspace, env, paths }, trust }: Pick<FeatureParts, "place" | "trust">,
): Promise<SkillLibrary> {
  const home = env["HOME"];
  const shared = home === undefined
    ? []
    : [".agents/skills", ".claude/skills"].map((name) => join(home, name));
  const own = [paths.skills, ...shared];
  const library = new SkillLibrary({
    folders: async () => {
      // Where the person stands in their home, those folders are their own.
      const project = (await projectSkillFolders(workspace)).filter(({ path }) =>
        !own.includes(path)
      );
      return [
        ...project.map((folder) => ({ ...folder, by: "project" as const })),
        ...own.map((path) => ({ path, name: path, by: "person" as const })),
      ];
    },
    manifest: skillManifest,
    isTrusted: (name, bytes) => trust.isTrusted(workspace, name, bytes),
  });
  await library.scan();
  return library;
}
