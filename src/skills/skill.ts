/** One skill: what its head says, how it is named to a model, and the text that loading it gives. */
import { clipEnd, startOf } from "@/lib/clip.ts";
import { visible } from "@/lib/visible.ts";
import { type Frontmatter, readFrontmatter } from "./frontmatter.ts";

export type Skill = {
  name: string;
  description: string;
  /** What it is written for; gives no permission. */
  allowedTools: readonly string[];
  /** Offered only by the person's own word. */
  byCommandOnly: boolean;
  body: string;
};

export const NO_DESCRIPTION = "(no description)";
/** As it is spelled in the wild. */
const TOOL_FIELDS = ["allowed-tools", "allowed_tools", "allowedtools"];
const NAME_CHARS_MAX = 64;
const LINE_CHARS_MAX = 400;
const BODY_CHARS_MAX = 20_000;

/** Read a skill file; `named` is the name of its folder, or of the file itself. */
export function readSkill(text: string, named: string): Skill {
  const { fields, body } = readFrontmatter(text);
  return {
    name: oneLine(textOf(fields.get("name"))) || named,
    description: oneLine(textOf(fields.get("description"))) || NO_DESCRIPTION,
    allowedTools: listOf(
      TOOL_FIELDS.map((field) => fields.get(field)).find((value) => value !== undefined),
    ),
    byCommandOnly: /^(?:true|yes|on)$/i.test(textOf(fields.get("disable-model-invocation"))),
    body,
  };
}

type Value = ReturnType<Frontmatter["fields"]["get"]>;

function textOf(value: Value): string {
  return typeof value === "string" ? value : (value ?? []).join(" ");
}

function listOf(value: Value): readonly string[] {
  const items = typeof value === "string" ? splitTools(value) : value ?? [];
  return items.map((item) => oneLine(item)).filter((item) => item !== "");
}

/** At commas and blanks, but not inside of brackets: `Bash(git log *)` is one. */
function splitTools(text: string): string[] {
  return text.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? [];
}

function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim(), { oneLine: true });
}

/** What the public format minds about a skill, as a sentence; it is used all the same. */
export function complaintAbout({ name, description }: Skill, named: string): string | undefined {
  if (description === NO_DESCRIPTION) {
    return "it has no description, by which a model would know when to use it";
  }
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > NAME_CHARS_MAX) {
    return "its name is not made of lower-case letters, digits and single hyphens";
  }
  return name === named ? undefined : `it is named "${name}" and lies in "${named}"`;
}

/** Its line of the catalogue. */
export function catalogueLine({ name, description }: Skill): string {
  return clipEnd(`- ${name}: ${description}`, LINE_CHARS_MAX);
}

/** What is told with a skill beside its text. */
export type LoadFacts = {
  /** Where it stands. */
  source: string;
  /** Files beside it, by their path below its folder, and the folder. */
  files: readonly string[];
  /** Whether some are left out. */
  hasMore: boolean;
  /** What follows the name in `/skill NAME …`. */
  args?: string;
};

/** The text that a model reads when it loads a skill. */
export function skillText(skill: Skill, { source, files, hasMore, args = "" }: LoadFacts): string {
  const { name, allowedTools } = skill;
  const body = skill.body.replaceAll("$ARGUMENTS", () => args);
  const cut = body.length > BODY_CHARS_MAX
    ? `\n[cut here: ${BODY_CHARS_MAX} of ${body.length} characters; use_skill with file SKILL.md shows the rest]`
    : "";
  return [
    ...[loadedHead(name), `Source: ${source}`],
    ...(allowedTools.length === 0
      ? []
      : [`Written for the tools: ${allowedTools.join(", ")} (this gives no permission)`]),
    ...(files.length === 0 ? [] : [
      `Files of the skill (use_skill with file shows one): ${files.join(", ")}${
        hasMore ? ", and more" : ""
      }`,
    ]),
    ...["", startOf(body.trim(), BODY_CHARS_MAX) + cut],
  ].join("\n");
}

function loadedHead(name: string): string {
  return `[Skill: ${name}]`;
}

/** Under which name a loaded skill stays in a conversation that is shortened, however it was loaded. */
export function stayingName(name: string): string {
  return `skill ${name}`;
}

/** The name of the skill that a text, as a model was given it, is; undefined for any other text. */
export function loadedName(text: string): string | undefined {
  return /^\[Skill: ([^\n]*)\]\nSource: /.exec(text)?.[1];
}
