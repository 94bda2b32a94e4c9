/** A tool's schema as an API takes it. Tools of MCP servers bring whatever their authors wrote. */
import type { JsonSchema } from "@/protocol/tool.ts";
import { isObject } from "@/lib/json.ts";
import { memo } from "@/lib/memo.ts";
import { resolved } from "./schema_refs.ts";

type Node = Record<string, unknown>;

/** Refused at the root; the call's arguments are checked by the tool itself anyway. */
const NOT_AT_ROOT: ReadonlySet<string> = new Set(["anyOf", "allOf", "not", "enum"]);

/** Those that were made here: what names itself is not written out once more. */
const portable = new WeakSet<JsonSchema>();

/**
 * An object schema in words that every API reads, key order kept: draft 2020-12, no references but those of what names
 * itself, and at the root properties and no choice between schemas.
 */
export const portableSchema: (schema: JsonSchema) => JsonSchema = memo((schema) => {
  if (portable.has(schema)) return schema;
  const read = resolved(schema);
  const properties = { ...ofBranches(read), ...(isObject(read.properties) ? read.properties : {}) };
  const needed = requiredOf(read);
  const members = Object.entries(read).filter(([word]) =>
    !NOT_AT_ROOT.has(word) && word !== "type" && word !== "properties" && word !== "required"
  );
  const required = needed.length > 0 || "required" in read ? { required: needed } : {};
  const made = { type: "object", properties, ...required, ...Object.fromEntries(members) };
  portable.add(made);
  return made;
});

/** Whether a tool takes no parameters at all. */
export function takesNothing(schema: JsonSchema): boolean {
  return isObject(schema.properties) && Object.keys(schema.properties).length === 0;
}

/** Properties that stand only in the branches of a combinator at the root, so that the model knows of them. */
function ofBranches(root: Node): Node {
  const branches = [...branchesOf(root, "allOf"), ...branchesOf(root, "anyOf")];
  return Object.fromEntries(
    branches.flatMap(({ properties }) => isObject(properties) ? Object.entries(properties) : []),
  );
}

/** What all branches must have is required; what one of several must have is not. */
function requiredOf(root: Node): unknown[] {
  const lists = [root, ...branchesOf(root, "allOf")].map(({ required }) => required);
  return [...new Set(lists.flatMap((list) => Array.isArray(list) ? list : []))];
}

function branchesOf(root: Node, word: "allOf" | "anyOf"): Node[] {
  const { [word]: branches, $defs } = root;
  if (!Array.isArray(branches)) return [];
  return branches.flatMap((branch) => {
    if (!isObject(branch) || typeof branch.$ref !== "string") {
      return isObject(branch) ? [branch] : [];
    }
    const named = isObject($defs) ? $defs[branch.$ref.slice("#/$defs/".length)] : undefined;
    return isObject(named) ? [named] : [];
  });
}
