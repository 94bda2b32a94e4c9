/** What the person sees of skills, and copying those that come with harness. */
import { writeFileAtomic } from "@/lib/atomic_write.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import { join } from "@/lib/path.ts";
import type { LibrarySkill, SkillLibrary } from "@/skills/library.ts";
import { SKILL_FILE, SKILL_FILE_BYTES_MAX } from "@/skills/find.ts";
import { catalogueLine } from "@/skills/skill.ts";
import { type CommandResult, done, misused, refused } from "@/terminal/commands/spec.ts";
import { SHIPPED } from "./shipped.ts";

/** The text of `/skills`. */
export function listed({ skills, waiting, notices }: SkillLibrary): string {
  const shipped = Object.keys(SHIPPED).filter((name) =>
    !skills.some((skill) => skill.name.toLowerCase() === name)
  );
  const rows = [
    ...skills.flatMap((skill) => rowsOf(skill)),
    ...(waiting.length === 0 ? [] : [
      "These come with the project and do nothing until you trust them (/trust):",
      ...waiting.flatMap((skill) => rowsOf(skill)),
    ]),
    ...notices,
    ...(shipped.length === 0
      ? []
      : [`/skills copy NAME takes over one that comes with harness: ${shipped.join(", ")}`]),
  ];
  return (skills.length + waiting.length === 0 ? ["No skills are here", ...rows] : rows).join("\n");
}

function rowsOf(skill: LibrarySkill): readonly string[] {
  const { folder, file, allowedTools, byCommandOnly } = skill;
  return [
    catalogueLine(skill).replace(/^- /, ""),
    `  ${join(folder, file)}`,
    ...(allowedTools.length === 0
      ? []
      : [`  written for ${allowedTools.join(", ")} (gives no permission)`]),
    ...(byCommandOnly ? [`  not offered to the model; /skill ${skill.name} loads it`] : []),
  ];
}

/** Copy one into the person's folder; what is there already is left alone. */
export async function copyShipped(name: string, folder: string): Promise<CommandResult> {
  const text = Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined;
  if (text === undefined) {
    const names = Object.keys(SHIPPED).join(", ");
    return misused(`No skill "${name}" comes with harness; those that do are ${names}`);
  }
  const path = join(folder, name, SKILL_FILE);
  const there = await readBounded(path, SKILL_FILE_BYTES_MAX);
  if (there.kind === "bytes" && new TextDecoder().decode(there.bytes) === text) {
    return done(`"${path}" is there already, as it comes with harness`);
  }
  if (there.kind !== "absent") {
    return refused(`"${path}" is there already and was left alone; move it away to copy it anew`);
  }
  await Deno.mkdir(join(folder, name), { recursive: true });
  await writeFileAtomic(path, text);
  return done(`Copied to "${path}"; it is yours to change`);
}
