/** What a project holds that would give it rights, and which of it still waits for the person's word. */
import { fromTop } from "@/lib/from_top.ts";
import { isObject } from "@/lib/json.ts";
import { parsedJsonc } from "@/lib/jsonc.ts";
import { isWithin } from "@/lib/path_within.ts";
import { join } from "@/lib/path.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { visible } from "@/lib/visible.ts";
import { readRuleFile, RULE_FILE_BYTES_MAX } from "./rule_file.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import {
  PROJECT_ENV_FILE,
  PROJECT_HOOK_FILES,
  PROJECT_MCP_FILES,
  PROJECT_RULE_FILES,
  projectSkillFolders,
} from "./project_files.ts";
import type { Trust, TrustItem } from "./trust.ts";

/** Of any other file that is pinned down by its hash. */
const FILE_BYTES_MAX = 1024 * 1024;
const SKILL_FILES_MAX = 400;
const SKILL_DEPTH_MAX = 6;
/** Of skills and variables, which are names only; what is run or allowed is shown to the last line. */
const NAMES_SHOWN_MAX = 12;

/** What of a project waits: rules that allow, servers, skills and environment that are not trusted as they are now. */
export async function pending(trust: Trust, project: string): Promise<readonly TrustItem[]> {
  const found = [
    ...await ruleItems(project),
    ...await mcpItems(project),
    ...await hookItems(project),
    ...await skillItems(project),
    ...await envItems(project),
  ];
  return found.filter(({ name, bytes }) => !trust.isTrusted(project, name, bytes));
}

async function ruleItems(project: string): Promise<readonly TrustItem[]> {
  for (const name of PROJECT_RULE_FILES) {
    const file = await readBounded(join(project, name), RULE_FILE_BYTES_MAX);
    if (file.kind === "absent") continue;
    if (file.kind !== "bytes") return [];
    const { rules, grants } = readRuleFile(file.bytes, { kind: "project", label: name });
    const allows = [
      ...rules.filter(({ verdict, problem }) => verdict === "allow" && problem === undefined)
        .map(({ text }) => text),
      ...grants.map(({ tool, literal }) => `${tool}, exactly: ${literal}`),
    ];
    return allows.length === 0 ? [] : [{
      name,
      bytes: file.bytes,
      does: allows.map((text) => `allows without asking: ${oneLine(text)}`),
    }];
  }
  return [];
}

async function mcpItems(project: string): Promise<readonly TrustItem[]> {
  const items: TrustItem[] = [];
  for (const name of PROJECT_MCP_FILES) {
    const file = await readBounded(join(project, name), FILE_BYTES_MAX);
    if (file.kind !== "bytes") continue;
    items.push({ name, bytes: file.bytes, does: serverLines(file.bytes) });
  }
  return items;
}

function serverLines(bytes: Uint8Array): readonly string[] {
  const json = parsedJsonc(new TextDecoder().decode(bytes));
  if (!isObject(json)) return ["declares servers in a form that cannot be read"];
  const servers = isObject(json.mcpServers) ? json.mcpServers : json.servers;
  if (!isObject(servers)) return ["declares no servers"];
  return Object.entries(servers).map(([name, entry]) =>
    `server ${oneLine(name)}: ${oneLine(serverDoes(isObject(entry) ? entry : {}))}`
  );
}

/** What it starts or reaches, what it is given, and which of its tools then run unasked. */
function serverDoes(entry: Record<string, unknown>): string {
  const { command, args, env, url, trust } = entry;
  const texts = (value: unknown) =>
    [value].flat().filter((part): part is string => typeof part === "string");
  const start = [...texts(command), ...texts(args)].join(" ");
  const unasked = texts(entry.autoApprove ?? entry.alwaysAllow);
  return [
    typeof url === "string" ? `connects to ${url}` : `starts ${start}`,
    ...(isObject(env) ? [`with ${Object.keys(env).join(", ")} set`] : []),
    ...(texts(entry.writes).length > 0
      ? [`changes files in ${texts(entry.writes).join(", ")}`]
      : []),
    ...(trust === true ? ["runs all of its tools without asking"] : []),
    ...(unasked.length > 0 ? [`runs ${unasked.join(", ")} without asking`] : []),
  ].join("; ");
}

async function hookItems(project: string): Promise<readonly TrustItem[]> {
  const items: TrustItem[] = [];
  for (const name of PROJECT_HOOK_FILES) {
    const file = await readBounded(join(project, name), FILE_BYTES_MAX);
    if (file.kind !== "bytes") continue;
    const does = hookLines(file.bytes);
    // A file that is called so may be another program's.
    if (does.length > 0) items.push({ name, bytes: file.bytes, does });
  }
  return items;
}

function hookLines(bytes: Uint8Array): readonly string[] {
  const json = parsedJsonc(new TextDecoder().decode(bytes));
  if (!isObject(json) || !isObject(json.hooks)) return [];
  return Object.entries(json.hooks).flatMap(([event, groups]) =>
    [groups].flat().filter(isObject).flatMap(({ matcher, hooks }) => {
      const of = typeof matcher === "string" && matcher !== "" ? ` (${matcher})` : "";
      return [hooks].flat().filter(isObject).map(({ command, args }) =>
        oneLine(`runs at ${event}${of}, in the sandbox: ${[command, args ?? []].flat().join(" ")}`)
      );
    })
  );
}

/** Each folder of skills as one item: its bytes list every file with its hash, so that a change anywhere asks again. */
async function skillItems(project: string): Promise<readonly TrustItem[]> {
  const items: TrustItem[] = [];
  for (const { name, path } of await projectSkillFolders(project)) {
    const manifest = await skillManifest(path);
    const skills = manifest?.files.flatMap(skillOf) ?? [];
    // A folder may be called so and hold something else.
    if (manifest === undefined || skills.length === 0) continue;
    const does = [...new Set(skills)].map((skill) =>
      `offers the skill ${oneLine(skill)} to the model`
    );
    const leads = await leadsOut(path, project);
    items.push({ name, bytes: manifest.bytes, does: [...leads, ...shortNames(does)] });
  }
  return items;
}

/** A folder that is a link to somewhere else: what lies there is not the project's, and would go to the model. */
async function leadsOut(folder: string, project: string): Promise<readonly string[]> {
  const [real, [top = project]] = await Promise.all([Deno.realPath(folder), fromTop(project)]);
  return isWithin(real, top)
    ? []
    : [`is a link that leads outside the project, to ${oneLine(real)}`];
}

/** The skill that a file of such a folder makes. */
function skillOf(file: string): readonly string[] {
  const names = file.split("/");
  if (names.at(-1) === "SKILL.md") return names.slice(-2, -1);
  const [, own] = /^(.+)\.md$/i.exec(file) ?? [];
  return own === undefined || names.length > 1 || /^readme$/i.test(own) ? [] : [own];
}

/**
 * Every file below a folder of skills with its hash, as the bytes that trust is about. Undefined when there is no such
 * folder or it is empty; one that is too large is listed as such and so never equals a trusted one.
 */
export async function skillManifest(
  folder: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; files: readonly string[] } | undefined> {
  const files: string[] = [];
  const lines: string[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(join(folder, path))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      // It could be read as a line about another file.
      if (/[\r\n]/.test(name)) {
        lines.push(unrepeatable("a name of two lines"));
        continue;
      }
      if (files.length >= SKILL_FILES_MAX) return void lines.push(unrepeatable("too many files"));
      if (entry.isDirectory && depth < SKILL_DEPTH_MAX) {
        await walk(name, depth + 1);
        continue;
      }
      // Links between folders of skills are usual; what one leads to is not followed here, and not used.
      if (entry.isSymlink) {
        lines.push(`link ${name}`);
        continue;
      }
      files.push(name);
      const file = entry.isFile
        ? await readBounded(join(folder, name), FILE_BYTES_MAX)
        : { kind: "refused" as const, cause: "not a file" };
      lines.push(
        file.kind === "bytes" ? `${sha256Hex(file.bytes)} ${name}` : unrepeatable(name),
      );
    }
  };
  await walk("", 0);
  if (files.length === 0) return undefined;
  return { bytes: new TextEncoder().encode(lines.join("\n")), files };
}

/** What cannot be pinned down must never be trusted for good: its line is another one each time. */
function unrepeatable(what: string): string {
  return `cannot be pinned down: ${what} ${crypto.randomUUID()}`;
}

async function entriesOf(path: string): Promise<readonly Deno.DirEntry[]> {
  try {
    const entries: Deno.DirEntry[] = [];
    for await (const entry of Deno.readDir(path)) entries.push(entry);
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

async function envItems(project: string): Promise<readonly TrustItem[]> {
  const file = await readBounded(join(project, PROJECT_ENV_FILE), FILE_BYTES_MAX);
  if (file.kind !== "bytes") return [];
  const names = new TextDecoder().decode(file.bytes).split("\n").flatMap((line) =>
    /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? []
  );
  if (names.length === 0) return [];
  return [{
    name: PROJECT_ENV_FILE,
    bytes: file.bytes,
    does: shortNames(names.map((name) => `sets ${name} for commands`)),
  }];
}

function shortNames(lines: readonly string[]): readonly string[] {
  if (lines.length <= NAMES_SHOWN_MAX) return lines;
  return [...lines.slice(0, NAMES_SHOWN_MAX), `and ${lines.length - NAMES_SHOWN_MAX} more`];
}

/** Whole, whatever its length: nobody can trust the end of a command that is not shown. */
function oneLine(text: string): string {
  return visible(text, { oneLine: true, oddSpaces: true });
}
