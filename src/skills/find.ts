/** Skills on disk: `<name>/SKILL.md` or `<name>.md` in a folder, a few levels deep, in bounded time. */
import { readBounded } from "@/lib/bounded_file.ts";
import { isNotThere } from "@/lib/file_error.ts";
import { basename, join } from "@/lib/path.ts";
import { complaintAbout, readSkill, type Skill } from "./skill.ts";

/** One found skill. `file` is its path below the folder of skills; `directory` its own one, "" for a skill of one file. */
export type FoundSkill = Skill & { folder: string; file: string; directory: string };

/** What was found in a folder, and what the person should know of the rest. */
export type FoundSkills = { skills: readonly FoundSkill[]; notices: readonly string[] };

export const SKILL_FILE = "SKILL.md";

/** Of one file of a skill; what is larger is not read. */
export const SKILL_FILE_BYTES_MAX = 1024 * 1024;
const DEPTH_MAX = 4;
const DIRECTORIES_MAX = 2_000;
const BESIDE_MAX = 40;
/** Nobody's own text. */
const SKIPPED = /^(?:\..*|__pycache__|node_modules|venv|dist|target)$/;

/** How a folder is looked through. `accepts`: whether these bytes of a file may be used at all. */
export type FindOptions = {
  followsLinks: boolean;
  accepts?: (file: string, bytes: Uint8Array) => boolean;
};

/** All skills of a folder, by name; none where there is no such folder. Links to others are followed if they may be. */
export async function findSkills(
  folder: string,
  { followsLinks, accepts = () => true }: FindOptions,
): Promise<FoundSkills> {
  const skills: FoundSkill[] = [];
  const notices: string[] = [];
  for (const { file, directory } of await skillFiles(folder, followsLinks)) {
    const path = join(folder, file);
    const named = directory === "" ? basename(file).replace(/\.md$/i, "") : basename(directory);
    const read = await readBounded(path, SKILL_FILE_BYTES_MAX);
    if (read.kind !== "bytes") {
      notices.push(
        `The skill "${path}" was not read: ${read.kind === "absent" ? "it is gone" : read.cause}`,
      );
      continue;
    }
    if (!accepts(file, read.bytes)) continue;
    const skill = readSkill(new TextDecoder().decode(read.bytes), named);
    const complaint = complaintAbout(skill, named);
    if (complaint !== undefined) notices.push(`The skill "${path}" is used, but ${complaint}`);
    skills.push({ ...skill, folder, file, directory });
  }
  skills.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return { skills, notices };
}

async function skillFiles(
  folder: string,
  followsLinks: boolean,
): Promise<{ file: string; directory: string }[]> {
  const found: { file: string; directory: string }[] = [];
  let looked = 0;
  const walk = async (directory: string, depth: number): Promise<void> => {
    if (depth > DEPTH_MAX || looked >= DIRECTORIES_MAX) return;
    looked += 1;
    const entries = await entriesOf(join(folder, directory));
    // What lies beside a skill's file belongs to it.
    const own = entries.find(({ name }) => name === SKILL_FILE);
    if (directory !== "" && own !== undefined && (followsLinks || !own.isSymlink)) {
      found.push({ file: `${directory}/${SKILL_FILE}`, directory });
      return;
    }
    for (const { name, isDirectory, isSymlink } of entries) {
      if (SKIPPED.test(name)) continue;
      if (isSymlink && !followsLinks) continue;
      const path = directory === "" ? name : `${directory}/${name}`;
      if (isDirectory || isSymlink && await isDirectoryAt(join(folder, path))) {
        await walk(path, depth + 1);
      } else if (directory === "" && isOneFileSkill(name)) {
        found.push({ file: name, directory: "" });
      }
    }
  };
  await walk("", 0);
  return found;
}

function isOneFileSkill(name: string): boolean {
  return /\.md$/i.test(name) && !/^(?:README|LICENSE|CHANGELOG|AGENTS|CLAUDE)\.md$/i.test(name);
}

async function entriesOf(path: string): Promise<readonly Deno.DirEntry[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(path));
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    if (isNotThere(error) || error instanceof Deno.errors.PermissionDenied) return [];
    throw error;
  }
}

async function isDirectoryAt(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (isNotThere(error) || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/** Files that a skill brings beside its own, by their path below its folder. */
export async function filesBeside(
  { folder, directory }: Pick<FoundSkill, "folder" | "directory">,
): Promise<{ files: readonly string[]; hasMore: boolean }> {
  const files: string[] = [];
  const walk = async (below: string, depth: number): Promise<void> => {
    for (const { name, isDirectory, isFile } of await entriesOf(join(folder, directory, below))) {
      if (SKIPPED.test(name) || files.length > BESIDE_MAX) continue;
      const path = below === "" ? name : `${below}/${name}`;
      if (isDirectory && depth < DEPTH_MAX) await walk(path, depth + 1);
      else if (isFile && path !== SKILL_FILE) files.push(path);
    }
  };
  if (directory !== "") await walk("", 0);
  return { files: files.slice(0, BESIDE_MAX), hasMore: files.length > BESIDE_MAX };
}

/** The one that is meant: by its name in any case, also as a path or with the ending of its file. */
export function skillNamed<S extends Pick<Skill, "name">>(
  skills: readonly S[],
  wanted: string,
): S | undefined {
  const asked = wanted.trim().toLowerCase();
  const plain = asked.replace(/(?<!\/)\/+$/, "").replace(/\/skill\.md$/, "").replace(/\.md$/, "");
  const last = plain.slice(plain.lastIndexOf("/") + 1);
  return [asked, plain, last].map((name) =>
    skills.find((skill) => skill.name.toLowerCase() === name)
  ).find((skill) => skill !== undefined);
}
