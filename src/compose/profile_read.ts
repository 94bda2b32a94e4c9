/** Reading the directory of a profile. */
import { utf8Text } from "@/lib/bytes.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import { nearest } from "@/lib/nearest.ts";
import { basename, join, resolve } from "@/lib/path.ts";
import { compileGlob, matchGlob } from "@/policy/glob.ts";
import { pathForms } from "@/policy/path_rule.ts";
import { readPolicyToml } from "@/policy/policy_toml.ts";
import { PersonError } from "@/protocol/error.ts";
import { jsonOfMcpToml } from "@/mcp/config_toml.ts";
import { readFrontmatter } from "@/skills/frontmatter.ts";
import type { Place } from "./place.ts";
import type { Profile, ProfileOptions } from "./profile.ts";

const FILE_BYTES_MAX = 256 * 1024;
const PROMPT_FILE = "profile.md";
const RULES_FILE = "policy.toml";
const SERVERS_FILE = "mcp.toml";
const FIELDS = ["name", "description", "model", "tools"];

/** Read it. Throws PersonError, with file and line where something in it is not understood. */
export async function readProfile(
  given: string,
  run: Pick<ProfileOptions, "trust" | "addDir">,
  place: Place,
): Promise<Profile> {
  const directory = await realDirectory(given, place.stoodIn);
  const [head, rules, servers] = await Promise.all([
    textIn(directory, PROMPT_FILE),
    textIn(directory, RULES_FILE),
    textIn(directory, SERVERS_FILE),
  ]);
  if ([head, rules, servers].every((text) => text === undefined)) {
    throw new PersonError(
      "usage",
      `--profile "${given}" holds no ${PROMPT_FILE}, ${RULES_FILE} or ${SERVERS_FILE}`,
      "Name a directory with at least one of them",
    );
  }
  const profile: Profile = {
    name: basename(directory),
    directory,
    prompt: "",
    ...(head === undefined ? {} : await readHead(head, join(directory, PROMPT_FILE))),
  };
  if (rules !== undefined) profile.rules = readPolicyToml(rules, join(directory, RULES_FILE));
  if (servers !== undefined) {
    const label = join(directory, SERVERS_FILE);
    profile.mcp = { label, text: jsonOfMcpToml(servers, label) };
  }
  const gives = rightsOf(profile);
  if (gives !== undefined && run.trust !== true) {
    await refuseFromProject(gives, { directory, run, place });
  }
  return profile;
}

async function realDirectory(given: string, stoodIn: string): Promise<string> {
  try {
    const real = await Deno.realPath(resolve(stoodIn, given));
    if ((await Deno.stat(real)).isDirectory) return real;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  throw new PersonError("usage", `--profile "${given}" is not a directory`, "Name one that exists");
}

async function textIn(directory: string, name: string): Promise<string | undefined> {
  const path = join(directory, name);
  const file = await readBounded(path, FILE_BYTES_MAX);
  if (file.kind === "absent") return undefined;
  if (file.kind === "refused") {
    throw new PersonError("settings", `${path} cannot be read: ${file.cause}`, "Mend the profile");
  }
  const text = utf8Text(file.bytes);
  if (text !== undefined) return text;
  throw new PersonError("settings", `${path} is not UTF-8 text`, "Save it as UTF-8");
}

/** What `profile.md` says: fields between two `---` on top, then the prompt. */
async function readHead(text: string, label: string): Promise<Partial<Profile>> {
  const { fields, body } = readFrontmatter(text);
  const lines = text.split("\n");
  const fail = (field: string, problem: string): never => {
    const at = lines.findIndex((line) => line.toLowerCase().startsWith(field));
    throw new PersonError("settings", `${label}:${at + 1}: ${problem}`, "Mend that line");
  };
  if (/^---\s*$/.test(lines[0] ?? "") && fields.size === 0 && body.startsWith("---")) {
    fail("---", `the head has no end; write a line "---" below its fields`);
  }
  for (const field of fields.keys()) {
    if (FIELDS.includes(field)) continue;
    const meant = nearest(field, FIELDS);
    const hint = meant === undefined
      ? `the fields are ${FIELDS.join(", ")}`
      : `"${meant}" was probably meant`;
    fail(field, `"${field}" means nothing in a profile; ${hint}`);
  }
  const one = (field: string) => {
    const value = fields.get(field);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    return fail(field, `"${field}" is one text, and it is there without`);
  };
  const [name, model, tools] = [one("name"), one("model"), fields.get("tools")];
  const listed = typeof tools === "string" ? tools.split(/[\s,]+/).filter(Boolean) : tools;
  if (listed !== undefined) {
    const problem = await toolProblem(listed);
    if (problem !== undefined) fail("tools", problem);
  }
  return {
    prompt: body.trim(),
    ...(name === undefined ? {} : { name }),
    ...(model === undefined ? {} : { model }),
    ...(listed === undefined ? {} : { tools: listed }),
  };
}

async function toolProblem(listed: readonly string[]): Promise<string | undefined> {
  const { toolNames } = await import("@/tools/mod.ts");
  const known = toolNames();
  // What servers bring is not known yet, and belongs to the harness anyway.
  const unknown = listed.find((name) =>
    !name.startsWith("mcp__") && !known.some((tool) => matchGlob(compileGlob(name), tool))
  );
  if (unknown === undefined) return undefined;
  const meant = nearest(unknown, known);
  return `no tool is named "${unknown}"; ${
    meant === undefined ? `the tools are ${known.join(", ")}` : `"${meant}" was probably meant`
  }`;
}

/** What a profile lets happen that would not without it. */
function rightsOf({ rules, mcp }: Profile): string | undefined {
  if (mcp !== undefined) return `${SERVERS_FILE} starts programs`;
  const allows = rules?.otherwise?.verdict === "allow" ||
    rules?.entries.flat().some(({ verdict }) => verdict === "allow");
  return allows === true ? `${RULES_FILE} allows calls without a question` : undefined;
}

/** What a project holds gives no rights unless the person trusts it: its files may be anybody's work, the model's too. */
async function refuseFromProject(
  gives: string,
  { directory, run, place }: {
    directory: string;
    run: Pick<ProfileOptions, "addDir">;
    place: Place;
  },
): Promise<void> {
  const added = await Promise.all(
    (run.addDir ?? []).map((dir) => Deno.realPath(resolve(place.stoodIn, dir))),
  );
  if (pathForms(directory, { workspace: place.workspace, added }).outside) return;
  throw new PersonError(
    "usage",
    `The profile ${directory} lies in the project, and its ${gives}`,
    "Read it, then start with --trust, or keep it outside the project",
  );
}
