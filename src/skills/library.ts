/**
 * The skills of one conversation: those that may be used, by name, and those of the project that wait for the person's
 * trust. A skill of the project is read again when it is loaded, and only what was trusted is used.
 */
import { readBounded } from "@/lib/bounded_file.ts";
import { counted } from "@/lib/counted.ts";
import { firstFew } from "@/lib/first_few.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { isWithin } from "@/lib/path_within.ts";
import { join, resolve } from "@/lib/path.ts";
import { startOf } from "@/lib/clip.ts";
import {
  filesBeside,
  findSkills,
  type FoundSkill,
  SKILL_FILE,
  SKILL_FILE_BYTES_MAX,
  skillNamed,
} from "./find.ts";
import { catalogueLine, readSkill, skillText } from "./skill.ts";

/** A folder of skills. `name` is what the person and trust call it. */
export type SkillFolder = { path: string; name: string; by: "project" | "person" };

/** The files of a project's folder as they are now: `<sha256> <path>` a line. Undefined for an empty folder. */
export type Manifest = (folder: string) => Promise<{ bytes: Uint8Array<ArrayBuffer> } | undefined>;

export type LibraryParts = {
  /** In the order in which a name counts. */
  folders(): Promise<readonly SkillFolder[]>;
  manifest: Manifest;
  isTrusted(name: string, bytes: Uint8Array): boolean;
};

type Placed = { folder: SkillFolder; manifest?: Uint8Array<ArrayBuffer> };
/** A skill, and where it stands. */
export type LibrarySkill = FoundSkill & { placed: Placed };

/** What loading came to. */
export type Loading = { kind: "text"; text: string; name: string } | {
  kind: "refused";
  why: string;
};

const SHOWN_CHARS_MAX = 60_000;
const CATALOGUE_CHARS_MAX = 16_000;
const INTRODUCTION =
  "Skills are instructions for kinds of work. Where one fits what the user wants, call use_skill with its " +
  "name before you begin:";

export class SkillLibrary {
  readonly #parts: LibraryParts;
  #skills: readonly LibrarySkill[] = [];
  #waiting: readonly LibrarySkill[] = [];
  #notices: readonly string[] = [];

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** Those that may be used, in the order of their folders. */
  get skills(): readonly LibrarySkill[] {
    return this.#skills;
  }

  /** Those of the project that wait for trust. */
  get waiting(): readonly LibrarySkill[] {
    return this.#waiting;
  }

  /** What the person should know of what was found. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  /** That some wait, for a person who was not asked. */
  waitingNotices(): readonly string[] {
    if (this.#waiting.length === 0) return [];
    const names = firstFew(this.#waiting.map(({ name }) => name), "skills").join(", ");
    return [
      `Skills of this project do nothing until you trust them: ${names}; /trust shows what they are`,
    ];
  }

  /** Look again at every folder. */
  async scan(): Promise<void> {
    const usable = new Map<string, LibrarySkill>();
    const waiting: LibrarySkill[] = [];
    const notices: string[] = [];
    for (const folder of await this.#parts.folders()) {
      const placed = await this.#placed(folder);
      if (placed === undefined) continue;
      // Whoever reads twice may read two texts: what is trusted is the one that its list names.
      const found = await findSkills(folder.path, {
        followsLinks: folder.by === "person",
        accepts: (file, bytes) => isListed(placed, file, bytes),
      });
      if (!this.#isTrusted(placed)) {
        waiting.push(...found.skills.map((skill) => ({ ...skill, placed })));
        continue;
      }
      notices.push(...found.notices);
      for (const skill of found.skills) {
        const key = skill.name.toLowerCase();
        const first = usable.get(key);
        if (first === undefined) usable.set(key, { ...skill, placed });
        else notices.push(shadowed(skill, folder, first));
      }
    }
    this.#skills = [...usable.values()];
    this.#waiting = waiting;
    this.#notices = notices;
  }

  /** Whether something that waited is trusted by now: then it is time to look again. */
  isOutdated(): boolean {
    return this.#waiting.some(({ placed }) => this.#isTrusted(placed));
  }

  /** The section of the system prompt; "" without any. */
  catalogue(): string {
    const lines = this.#skills.filter(({ byCommandOnly }) => !byCommandOnly).map(catalogueLine);
    if (lines.length === 0) return "";
    let room = CATALOGUE_CHARS_MAX;
    const shown = lines.filter((line) => (room -= line.length + 1) >= 0);
    const left = lines.length - shown.length;
    const more = left === 0 ? [] : [`(${counted(left, "skill")} more are not listed here)`];
    return [INTRODUCTION, ...shown, ...more].join("\n");
  }

  /** Why a skill must not be loaded yet; undefined where nothing stands against it, or there is none of that name. */
  whyNot(name: string): string | undefined {
    if (skillNamed(this.#skills, name) !== undefined) return undefined;
    const waits = skillNamed(this.#waiting, name);
    return waits === undefined
      ? undefined
      : `the skill "${waits.name}" comes with this project and does nothing until the user trusts it with /trust`;
  }

  /** The text of a skill, or one of its files. */
  async load(
    wanted: string,
    { file, args = "" }: { file?: string; args?: string } = {},
  ): Promise<Loading> {
    const why = this.whyNot(wanted);
    if (why !== undefined) return { kind: "refused", why };
    const skill = skillNamed(this.#skills, wanted);
    if (skill === undefined) return { kind: "refused", why: this.#unknown(wanted) };
    if (file !== undefined) return await this.#loadFile(skill, file);
    const read = await this.#read(skill, skill.file);
    if (typeof read === "string") return { kind: "refused", why: read };
    // What stands there now may be another text than the one in the catalogue.
    const now = { ...skill, ...readSkill(new TextDecoder().decode(read), skill.name) };
    const source = join(skill.folder, skill.file);
    const facts = { source, args, ...await filesBeside(skill) };
    return { kind: "text", name: skill.name, text: skillText({ ...now, name: skill.name }, facts) };
  }

  async #loadFile(skill: LibrarySkill, file: string): Promise<Loading> {
    const refused = (why: string): Loading => ({ kind: "refused", why });
    const { files } = await filesBeside(skill);
    const own = join(skill.folder, skill.directory);
    const path = resolve(own, file);
    if (skill.directory === "" || !isWithin(path, own)) {
      return refused(
        `the skill "${skill.name}" has no file "${file}"; it has ${files.join(", ") || "none"}`,
      );
    }
    const below = path.slice(own.length + 1);
    const read = await this.#read(skill, `${skill.directory}/${below}`);
    if (typeof read === "string") {
      return refused(
        `${read}; the files of "${skill.name}" are ${[SKILL_FILE, ...files].join(", ")}`,
      );
    }
    const text = new TextDecoder().decode(read);
    const cut = text.length > SHOWN_CHARS_MAX ? "\n[cut here]" : "";
    const head = `[File ${below} of the skill ${skill.name}]`;
    return {
      kind: "text",
      name: skill.name,
      text: `${head}\n${startOf(text, SHOWN_CHARS_MAX)}${cut}`,
    };
  }

  /** The bytes of a file, if they are those that are trusted; else why not. */
  async #read({ folder, placed }: LibrarySkill, file: string): Promise<Uint8Array | string> {
    const path = join(folder, file);
    const read = await readBounded(path, SKILL_FILE_BYTES_MAX);
    if (read.kind !== "bytes") {
      return `"${path}" cannot be read: ${read.kind === "absent" ? "no such file" : read.cause}`;
    }
    if (isListed(placed, file, read.bytes)) return read.bytes;
    return `"${path}" has changed since it was trusted; /trust shows what it is now`;
  }

  #unknown(wanted: string): string {
    const names = this.#skills.map(({ name }) => name);
    return `no skill is named "${wanted}"; ${
      names.length === 0 ? "there are none here" : `the skills are ${names.join(", ")}`
    }`;
  }

  /** Undefined for a project's folder without files. */
  async #placed(folder: SkillFolder): Promise<Placed | undefined> {
    if (folder.by === "person") return { folder };
    const manifest = await this.#parts.manifest(folder.path);
    return manifest === undefined ? undefined : { folder, manifest: manifest.bytes };
  }

  #isTrusted({ folder, manifest }: Placed): boolean {
    return manifest === undefined || this.#parts.isTrusted(folder.name, manifest);
  }
}

/** Whether these are the bytes that the list of a project's folder has of a file. */
function isListed({ manifest }: Placed, file: string, bytes: Uint8Array): boolean {
  if (manifest === undefined) return true;
  const lines = new TextDecoder().decode(manifest).split("\n");
  return lines.includes(`${sha256Hex(bytes)} ${file}`);
}

function shadowed(skill: FoundSkill, folder: SkillFolder, first: LibrarySkill): string {
  const isBeside = first.placed.folder.path === folder.path;
  const [here, there] = isBeside
    ? [skill.file, first.file]
    : [folder.name, first.placed.folder.name];
  return `The skill "${skill.name}" of ${here} is not used: ${there} has one of that name`;
}
