/** The files that an import writes to, and how what is new joins what is there: nothing of that is changed or taken away. */
import { writeFileAtomic } from "@/lib/atomic_write.ts";
import { isObject } from "@/lib/json.ts";
import { updateJsonFile } from "@/lib/json_file.ts";
import { isThere } from "@/lib/is_there.ts";
import { dirname, join } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";
import {
  PROJECT_HOOK_FILES,
  PROJECT_MCP_FILES,
  PROJECT_RULE_FILES,
} from "@/policy/project_files.ts";
import type { StatePaths } from "@/settings/paths.ts";
import type { Change } from "./plan.ts";
import type { Whose } from "./sources.ts";

type Json = Record<string, unknown>;

/** One file, and what would join it. `isThere`: what is in it already, and is left as it is. */
export type Target = { path: string; changes: readonly Change[]; isThere: readonly Change[] };

type Places = { workspace: string; paths: StatePaths };

/** Files in the order in which they are written: what refuses comes first. */
export async function targetsOf(
  changes: readonly Change[],
  places: Places,
): Promise<readonly Target[]> {
  const byPath = new Map<string, Change[]>();
  const kinds = ["rules", "server", "hook", "instructions"] as const;
  for (const kind of kinds) {
    for (const change of changes.filter((one) => one.kind === kind)) {
      const path = await pathOf(kind, change.whose, places);
      byPath.set(path, [...byPath.get(path) ?? [], change]);
    }
  }
  return await Promise.all([...byPath].map(async ([path, own]) => {
    const before = await thereNow(path);
    const isKnown = (change: Change, at: number) =>
      before !== undefined && isThereIn(joined(before, own.slice(0, at)), change);
    return {
      path,
      changes: own.filter((change, at) => !isKnown(change, at)),
      isThere: own.filter(isKnown),
    };
  }));
}

async function pathOf(
  kind: Change["kind"],
  whose: Whose,
  { workspace, paths }: Places,
): Promise<string> {
  if (kind === "instructions") return join(paths.home, "AGENTS.md");
  const own = { rules: paths.permissions, server: paths.mcp, hook: paths.hooks }[kind];
  if (whose === "person") return own;
  const names = {
    rules: PROJECT_RULE_FILES,
    server: PROJECT_MCP_FILES,
    hook: PROJECT_HOOK_FILES,
  }[kind];
  for (const name of names) if (await isThere(join(workspace, name))) return join(workspace, name);
  return join(workspace, names[0] ?? "");
}

/** Undefined where there is something that cannot be read as an object; writing to it says so. */
async function thereNow(path: string): Promise<Json | undefined> {
  try {
    const text = await Deno.readTextFile(path);
    if (path.endsWith(".md")) return { text };
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Write what a target is to get. Throws with a sentence, and changes nothing, where it cannot join what is there. */
export async function writeTarget({ path, changes }: Target, { workspace }: Places): Promise<void> {
  if (changes.length === 0) return;
  const isProject = isWithin(path, workspace);
  // A project may have laid a link there: what it leads to is not ours to change.
  if (isProject && await isLink(path)) {
    throw new Error(`Cannot write "${path}": it is a link`);
  }
  if (path.endsWith(".md")) {
    await Deno.mkdir(dirname(path), { recursive: true });
    return await writeFileAtomic(path, instructionsOf(changes));
  }
  await updateJsonFile<Json>(path, {
    read: (value) => {
      if (!isObject(value)) throw new Error("it is no object");
      return value;
    },
    empty: () => ({}),
    private: !isProject,
    what: "what is imported",
    change: (current) => joined(current, changes),
  });
}

async function isLink(path: string): Promise<boolean> {
  return await isThere(path) && (await Deno.lstat(path)).isSymlink;
}

function instructionsOf(changes: readonly Change[]): string {
  return changes.flatMap((change) =>
    change.kind === "instructions" ? [`<!-- from ${change.from} -->\n${change.text.trim()}\n`] : []
  ).join("\n");
}

/** What is there with what is new behind it. */
function joined(current: Json, changes: readonly Change[]): Json {
  return changes.reduce(
    (json, change) => isThereIn(json, change) ? json : withChange(json, change),
    current,
  );
}

function isThereIn(json: Json, change: Change): boolean {
  switch (change.kind) {
    case "rules":
      return change.rules.every((rule) => has(json[change.verdict], rule));
    case "server":
      return Object.hasOwn(asObject(json[serversKey(json)]), change.name);
    case "hook":
      return has(asObject(json.hooks)[change.event], change.group);
    case "instructions":
      // Instructions join nothing: a file that is there is the person's own.
      return typeof json.text === "string";
    default:
      return change satisfies never;
  }
}

function withChange(json: Json, change: Change): Json {
  switch (change.kind) {
    case "rules": {
      const list = listOf(json[change.verdict], change.verdict);
      const fresh = change.rules.filter((rule) => !has(list, rule));
      return { ...json, [change.verdict]: [...list, ...fresh] };
    }
    case "server": {
      const key = serversKey(json);
      return { ...json, [key]: { ...objectOf(json[key], key), [change.name]: change.entry } };
    }
    case "hook": {
      const hooks = objectOf(json.hooks, "hooks");
      const list = listOf(hooks[change.event], change.event);
      return { ...json, hooks: { ...hooks, [change.event]: [...list, change.group] } };
    }
    case "instructions":
      return json;
    default:
      return change satisfies never;
  }
}

function serversKey(json: Json): string {
  return isObject(json.mcpServers) || !isObject(json.servers) ? "mcpServers" : "servers";
}

function has(list: unknown, value: unknown): boolean {
  const text = JSON.stringify(value);
  return Array.isArray(list) && list.some((one) => JSON.stringify(one) === text);
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new Error(`"${name}" there is no list`);
}

function objectOf(value: unknown, name: string): Json {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw new Error(`"${name}" there is no object`);
}
