/** Copying a profile that comes with harness. */
import { SHIPPED_PROFILES } from "@/compose/shipped_profiles.ts";
import { writeFileAtomic } from "@/lib/atomic_write.ts";
import { join } from "@/lib/path.ts";
import { type CommandResult, done, misused, refused } from "@/terminal/commands/spec.ts";

/** Copy it into a folder; what is there already is left alone. */
export async function copyProfile(name: string, folder: string): Promise<CommandResult> {
  const files = Object.hasOwn(SHIPPED_PROFILES, name) ? SHIPPED_PROFILES[name] : undefined;
  if (files === undefined) {
    const names = Object.keys(SHIPPED_PROFILES).join(", ");
    return misused(`No profile "${name}" comes with harness; those that do are ${names}`);
  }
  const directory = join(folder, name);
  await Deno.mkdir(folder, { recursive: true });
  try {
    await Deno.mkdir(directory);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return refused(`"${directory}" is there already and was left alone; move it away first`);
  }
  for (const [file, text] of Object.entries(files)) {
    await writeFileAtomic(join(directory, file), text);
  }
  return done(`Copied to "${directory}"; start with --profile "${directory}"`);
}
