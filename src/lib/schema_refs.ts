/** The references of a schema, put in their places: not every API follows them, and none follows all kinds of them. */
import type { JsonSchema } from "@/protocol/tool.ts";
import { isObject } from "@/lib/json.ts";
import { readNode } from "./schema_words.ts";

/** How often the nodes of a schema may be written again, and how many of them any schema may have. */
const GROWTH_MAX = 3;
const NODES_ALWAYS = 200;

/**
 * The schema with what its references name in their places. What names itself stands in `$defs`, and so does everything
 * that is named where the schema would grow too much. What a reference cannot find takes anything.
 */
export function resolved(schema: JsonSchema): Record<string, unknown> {
  try {
    return new References(schema, GROWTH_MAX * nodesIn(schema) + NODES_ALWAYS).root();
  } catch (error) {
    if (!(error instanceof GrownTooMuch)) throw error;
    return new References(schema, undefined).root();
  }
}

class GrownTooMuch extends Error {}

type Found = { pointer: string; node: unknown };

class References {
  readonly #schema: JsonSchema;
  /** How many nodes may be written; undefined writes everything that is named into `$defs`. */
  readonly #nodesMax: number | undefined;
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, unknown>();
  #nodes = 0;

  constructor(schema: JsonSchema, nodesMax: number | undefined) {
    this.#schema = schema;
    this.#nodesMax = nodesMax;
  }

  root(): Record<string, unknown> {
    const { $ref, ...beside } = this.#schema;
    const found = typeof $ref === "string" ? this.#find($ref) : undefined;
    const target = found?.node;
    const root = isObject(target) && found !== undefined && found.pointer !== ""
      ? { ...this.#read(target, ["", found.pointer]), ...this.#read(beside, [""]) }
      : this.#read(beside, [""]);
    return this.#definitions.size === 0
      ? root
      : { ...root, $defs: Object.fromEntries(this.#definitions) };
  }

  /** `inside`: the references that led here. */
  #node(node: unknown, inside: readonly string[]): unknown {
    if (node === false) return { not: {} };
    if (!isObject(node)) return {};
    const { $ref, ...beside } = node;
    if (typeof $ref !== "string") return this.#read(beside, inside);
    const found = this.#find($ref);
    if (found === undefined) return this.#read(beside, inside);
    const { pointer } = found;
    const own = this.#read(beside, inside);
    if (this.#nodesMax === undefined || inside.includes(pointer)) {
      return { ...own, $ref: `#/$defs/${this.#defined(found)}` };
    }
    const named = this.#node(found.node, [...inside, pointer]);
    return { ...(isObject(named) ? named : {}), ...own };
  }

  #read(node: Record<string, unknown>, inside: readonly string[]): Record<string, unknown> {
    this.#nodes += 1;
    if (this.#nodes > (this.#nodesMax ?? Infinity)) throw new GrownTooMuch();
    return readNode(node, (inner) => this.#node(inner, inside));
  }

  /** The name of a definition, made when it is first asked for. */
  #defined({ pointer, node }: Found): string {
    const known = this.#names.get(pointer);
    if (known !== undefined) return known;
    const wanted = pointer.split("/").at(-1)?.replace(/[^a-zA-Z0-9_]/g, "_") || "root";
    let name = wanted;
    const taken = new Set(this.#names.values());
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
    this.#names.set(pointer, name);
    this.#definitions.set(name, {}); // Its place in the order.
    const made = this.#node(node, [pointer]);
    // What names nothing but itself says nothing.
    this.#definitions.set(name, isObject(made) && "$ref" in made ? {} : made);
    return name;
  }

  /** What a reference names, through references that name nothing else; undefined where that is not in the schema. */
  #find(reference: string): Found | undefined {
    const passed = new Set<string>();
    for (let next = reference;;) {
      if (!/^#(?:\/|$)/.test(next) || passed.has(next)) return undefined;
      passed.add(next);
      const node = this.#at(next.slice(1));
      if (node === undefined) return undefined;
      const isAlias = isObject(node) && typeof node.$ref === "string" && next !== "#";
      if (!isAlias) return { pointer: next.slice(1), node };
      next = String(node.$ref);
    }
  }

  #at(pointer: string): unknown {
    let node: unknown = this.#schema;
    for (const part of pointer.split("/").slice(1)) {
      const key = unescaped(part);
      if (node === null || typeof node !== "object" || !Object.hasOwn(node, key)) return undefined;
      node = (node as Record<string, unknown>)[key];
    }
    return node;
  }
}

/** A part of a JSON pointer in a URL. */
function unescaped(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function nodesIn(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + nodesIn(inner), 1);
}
