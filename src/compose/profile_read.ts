/** Reading a profile: a directory, or one that comes with harness. */
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
import { SHIPPED_PROFILES } from "./shipped_profiles.ts";

const FILE_BYTES_MAX = 256 * 1024;
const PROMPT_FILE = "profile.md";
const RULES_FILE = "policy.toml";
const SERVERS_FILE = "mcp.toml";
const FIELDS = ["name", "description", "model", "tools", "agents"];

/** The text of a file of a profile, and what the person is told it is; undefined where there is none. */
type File = { text: string; label: string } | undefined;
type Files = { head: File; rules: File; servers: File };
type Run = Pick<ProfileOptions, "trust" | "addDir">;

/**
 * Read one: one of those that come with harness, by its name, or a directory. Throws PersonError, with file and line where
 * something in it is not understood.
 */
export async function readProfile(given: string, run: Run, place: Place): Promise<Profile> {
  const read = await readOne(given, { from: place.stoodIn, run, place });
  const { agents, profile } = read;
  if (agents === undefined) return profile;
  const from = profile.directory ?? place.stoodIn;
  try {
    // Whom those would hire says this one too.
    return { ...profile, agents: (await readOne(agents.given, { from, run, place })).profile };
  } catch (error) {
    if (!(error instanceof PersonError) || error.kind !== "usage") throw error;
    throw new PersonError("settings", `${agents.label}: ${error.message}`, error.hint ?? "");
  }
}

type Reading = { from: string; run: Run; place: Place };
/** `agents`: what sub-agents are to be hired as, and where that stands. */
type OneRead = { profile: Profile; agents?: { given: string; label: string } };

async function readOne(given: string, { from, run, place }: Reading): Promise<OneRead> {
  const shipped = shippedFiles(given);
  if (shipped !== undefined) return await profileOf(given, shipped);
  const directory = await realDirectory(given, from);
  const files = {
    head: await textIn(directory, PROMPT_FILE),
    rules: await textIn(directory, RULES_FILE),
    servers: await textIn(directory, SERVERS_FILE),
  };
  if (Object.values(files).every((file) => file === undefined)) {
    throw new PersonError(
      "usage",
      `The profile "${given}" holds no ${PROMPT_FILE}, ${RULES_FILE} or ${SERVERS_FILE}`,
      "Name a directory with at least one of them",
    );
  }
  const read = await profileOf(basename(directory), files);
  const gives = rightsOf(read.profile);
  if (gives !== undefined && run.trust !== true) {
    await refuseFromProject(gives, { directory, run, place });
  }
  return { ...read, profile: { ...read.profile, directory } };
}

/** The files of one that comes with harness. */
function shippedFiles(name: string): Files | undefined {
  const files = Object.hasOwn(SHIPPED_PROFILES, name) ? SHIPPED_PROFILES[name] : undefined;
  if (files === undefined) return undefined;
  const file = (at: string): File => {
    const text = Object.hasOwn(files, at) ? files[at] : undefined;
    return text === undefined ? undefined : { text, label: `${name}/${at}` };
  };
  return { head: file(PROMPT_FILE), rules: file(RULES_FILE), servers: file(SERVERS_FILE) };
}

async function profileOf(name: string, { head, rules, servers }: Files): Promise<OneRead> {
  const { agents, ...said }: Head = head === undefined ? {} : await readHead(head);
  const profile: Profile = { name, prompt: "", ...said };
  if (rules !== undefined) profile.rules = readPolicyToml(rules.text, rules.label);
  if (servers !== undefined) {
    const { label, text } = servers;
    profile.mcp = { label, text: jsonOfMcpToml(text, label) };
  }
  return { profile, ...(agents === undefined ? {} : { agents }) };
}

async function realDirectory(given: string, from: string): Promise<string> {
  try {
    const real = await Deno.realPath(resolve(from, given));
    if ((await Deno.stat(real)).isDirectory) return real;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  throw new PersonError(
    "usage",
    `The profile "${given}" is not a directory`,
    `Name one that exists, or one of those that come with harness: ${
      Object.keys(SHIPPED_PROFILES).join(", ")
    }`,
  );
}

async function textIn(directory: string, name: string): Promise<File> {
  const path = join(directory, name);
  const file = await readBounded(path, FILE_BYTES_MAX);
  if (file.kind === "absent") return undefined;
  if (file.kind === "refused") {
    throw new PersonError("settings", `${path} cannot be read: ${file.cause}`, "Mend the profile");
  }
  const text = utf8Text(file.bytes);
  if (text !== undefined) return { text, label: path };
  throw new PersonError("settings", `${path} is not UTF-8 text`, "Save it as UTF-8");
}

/** What `profile.md` says: fields between two `---` on top, then the prompt. */
type Head = Partial<Omit<Profile, "agents">> & Pick<OneRead, "agents">;

async function readHead({ text, label }: { text: string; label: string }): Promise<Head> {
  const { fields, body } = readFrontmatter(text);
  const lines = text.split("\n");
  const lineOf = (field: string) =>
    lines.findIndex((line) => line.toLowerCase().startsWith(field)) + 1;
  const fail = (field: string, problem: string): never => {
    throw new PersonError("settings", `${label}:${lineOf(field)}: ${problem}`, "Mend that line");
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
  const [name, model, agents] = [one("name"), one("model"), one("agents")];
  const tools = fields.get("tools");
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
    ...(agents === undefined
      ? {}
      : { agents: { given: agents, label: `${label}:${lineOf("agents")}` } }),
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
