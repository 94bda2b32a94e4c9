/** What a built program calls itself. */
import { VERSION } from "@/version.ts";
import { ROOT } from "./bundle.ts";

/** The version, with the commit it was built from and whether there was more than that. */
export async function builtVersion(): Promise<string> {
  const commit = await git("rev-parse", "--short=10", "HEAD");
  if (commit === undefined) return VERSION;
  const changes = await git("status", "--porcelain", "--", "main.ts", "src", "deno.json");
  return `${VERSION}+${commit}${changes === "" ? "" : ".changed"}`;
}

/** What git prints; undefined where there is no git or no repository. */
async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", { args, cwd: ROOT }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
