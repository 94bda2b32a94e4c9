/** Writing rules down in the person's own file, beside what is there. */
import { isObject } from "@/lib/json.ts";
import type { GrantRule } from "@/protocol/policy.ts";
import { updateJsonFile } from "@/lib/json_file.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import type { Verdict } from "./rule.ts";
import { RULE_FILE_BYTES_MAX } from "./rule_file.ts";

/** What to write: for one project (its real path), or for all. */
export type SavedRule = { rule: GrantRule; verdict: Verdict; project?: string };

type Json = Record<string, unknown>;

/**
 * Add a rule. Other processes may do the same at the same time; no change is lost. Throws, and changes nothing, when the
 * file is damaged, too large, or holds something else where the rule belongs.
 */
export async function saveRule(path: string, saved: SavedRule): Promise<void> {
  const file = await readBounded(path, RULE_FILE_BYTES_MAX);
  if (file.kind === "refused") throw new Error(`Cannot save the rule in ${path}: ${file.cause}`);
  await updateJsonFile<Json>(path, {
    read: (value) => {
      if (!isObject(value)) throw new Error("an object is expected");
      return value;
    },
    empty: () => ({}),
    private: true,
    what: "the permission rules",
    change: (current) => {
      if (saved.project === undefined) return withRule(current, saved, path);
      const projects = objectAt(current, "projects", path);
      const part = objectAt(projects, saved.project, path);
      return put(current, "projects", put(projects, saved.project, withRule(part, saved, path)));
    },
  });
}

function withRule(part: Json, { rule, verdict }: SavedRule, path: string): Json {
  const list = Object.hasOwn(part, verdict) ? part[verdict] : [];
  if (!Array.isArray(list)) {
    throw new Error(`Cannot save the rule in ${path}: "${verdict}" there is not a list`);
  }
  const text = JSON.stringify(rule);
  const isThere = list.some((entry) => JSON.stringify(entry) === text);
  return isThere ? part : put(part, verdict, [...list, rule]);
}

function objectAt(parent: Json, key: string, path: string): Json {
  const value = Object.hasOwn(parent, key) ? parent[key] : {};
  if (isObject(value)) return value;
  throw new Error(`Cannot save the rule in ${path}: "${key}" there is not an object`);
}

/** The object with one key set; a key named like a prototype is a plain key too. */
function put(parent: Json, key: string, value: unknown): Json {
  const others = Object.entries(parent).filter(([name]) => name !== key);
  return Object.fromEntries([...others, [key, value]]);
}
