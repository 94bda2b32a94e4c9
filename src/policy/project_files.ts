/** The files of a project that would give it rights: what stands in them is read by pending.ts and policy.ts. */
import { fromTop } from "@/lib/from_top.ts";
import { join } from "@/lib/path.ts";

/** The first of these that exists is the project's rule file. */
export const PROJECT_RULE_FILES: readonly string[] = [".permissions.json", "permissions.json"];
/** All of these that exist declare servers. */
export const PROJECT_MCP_FILES: readonly string[] = [".mcp.json", "mcp.json"];
/** The folders with a project's skills, in a directory of it. */
export const PROJECT_SKILLS: readonly string[] = ["skills", ".agents/skills", ".claude/skills"];
/** All of these that exist declare programs of the person's kind, hooks. */
export const PROJECT_HOOK_FILES: readonly string[] = [".hooks.json", "hooks.json"];
export const PROJECT_ENV_FILE = ".env";

/** Whether a project has any file that may give it rights. */
export async function mayBringRights(project: string): Promise<boolean> {
  const names = [
    ...PROJECT_RULE_FILES,
    ...PROJECT_MCP_FILES,
    ...PROJECT_HOOK_FILES,
    PROJECT_ENV_FILE,
  ];
  const skills = (await projectSkillFolders(project)).map(({ path }) => path);
  return await isAnyThere([...names.map((name) => join(project, name)), ...skills]);
}

/**
 * Where skills of a project may lie: each kind of folder from the project up to the top of its repository. `name` is what
 * trust calls it; some of them exist.
 */
export async function projectSkillFolders(
  project: string,
): Promise<readonly { name: string; path: string }[]> {
  const upward = (await fromTop(project)).toReversed();
  return PROJECT_SKILLS.flatMap((kind) =>
    upward.map((directory, up) => ({
      name: `${"../".repeat(up)}${kind}`,
      path: join(directory, kind),
    }))
  );
}

/** Whether there may be rules for a project, in its own files or the person's. */
export function mayHaveRules(project: string, personalFile: string): Promise<boolean> {
  return isAnyThere([personalFile, ...PROJECT_RULE_FILES.map((name) => join(project, name))]);
}

/** Whether any MCP server may be declared, in a project's files or the person's. */
export function mayHaveServers(project: string, personalFile: string): Promise<boolean> {
  return isAnyThere([personalFile, ...PROJECT_MCP_FILES.map((name) => join(project, name))]);
}

/** Whether any hook may be declared, in a project's files or the person's. */
export function mayHaveHooks(project: string, personalFile: string): Promise<boolean> {
  return isAnyThere([personalFile, ...PROJECT_HOOK_FILES.map((name) => join(project, name))]);
}

/** Only what is known to be absent is not there: whoever reads the rest says what is wrong with it. */
async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  const looks = paths.map(async (path) => {
    try {
      await Deno.lstat(path);
      return true;
    } catch (error) {
      return !(error instanceof Deno.errors.NotFound);
    }
  });
  return (await Promise.all(looks)).includes(true);
}
