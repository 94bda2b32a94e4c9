/** Names of tools and of their parameters as an API takes them, and back: a model calls by the names that it was shown. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { JsonSchema, ToolDefinition } from "@/protocol/tool.ts";
import { isObject } from "@/lib/json.ts";
import { memo } from "@/lib/memo.ts";
import { cleanCallName, portableName } from "./call_ids.ts";
import { portableSchema } from "@/lib/portable_schema.ts";
import { inputObject } from "./turns.ts";

/** What an API takes as the name of a parameter: what may not stand in it, and whether it may begin with anything. */
export type ParameterForm = { illegal: RegExp; isWord?: boolean };

const ANY: ParameterForm = { illegal: /(?!)/ };
const NAME_CHARS_MAX = 64;

/** The names of one request. The same tools always get the same names: history and cache hold them. */
export class ToolNames {
  readonly #tools = new Names();
  /** By the tool's own name. */
  readonly #parameters = new Map<string, Names>();
  readonly #schemas = new Map<string, JsonSchema>();

  static readonly #made = memo((form: ParameterForm) =>
    memo((tools: readonly ToolDefinition[]) => new ToolNames(tools, form))
  );

  /** The names of these tools, where an API takes any name of a parameter or only those of a form. */
  static of(tools: readonly ToolDefinition[], form = ANY): ToolNames {
    return ToolNames.#made(form)(tools);
  }

  private constructor(tools: readonly ToolDefinition[], form: ParameterForm) {
    this.#tools.add(tools.map(({ name }) => name), portableName);
    for (const { name, schema } of tools) {
      const portable = portableSchema(schema);
      const names = new Names();
      if (form !== ANY) names.add(Object.keys(objectIn(portable.properties)), fitting(form));
      this.#parameters.set(name, names);
      this.#schemas.set(name, names.changes ? renamed(portable, names) : portable);
    }
  }

  /** The name that the API is given for a tool, also for one that is not offered any more. */
  shown(name: string): string {
    return this.#tools.shown(name) ?? portableName(name);
  }

  /** The tool that a model means by the name it wrote; empty when it wrote none. */
  meant(written: unknown): string {
    const name = cleanCallName(written);
    return this.#tools.meant(name) ?? name;
  }

  /** The schema that the API is given for one of the tools. */
  schema({ name }: ToolDefinition): JsonSchema {
    return this.#schemas.get(name) ?? {};
  }

  /** The arguments of a call as the API was told to call them. */
  shownInput(call: ToolCallBlock): Record<string, unknown> {
    const input = inputObject(call);
    const names = this.#parameters.get(call.name);
    return names?.changes === true ? withKeys(input, (key) => names.shown(key) ?? key) : input;
  }

  /** The arguments that a model means for a tool. */
  meantInput(name: string, input: unknown): unknown {
    const names = this.#parameters.get(name);
    if (names?.changes !== true || !isObject(input)) return input;
    return withKeys(input, (key) => names.meant(key) ?? key);
  }
}

/** Names, each with one of its own that is shown in its place. */
class Names {
  readonly #shown = new Map<string, string>();
  readonly #meant = new Map<string, string>();
  changes = false;

  /** Names that fit as they are come first, so that none of them is taken by one that had to be changed. */
  add(names: readonly string[], fit: (name: string) => string): void {
    for (const name of names) if (fit(name) === name) this.#put(name, name);
    for (const name of names) if (!this.#shown.has(name)) this.#put(name, this.#free(fit(name)));
  }

  shown(name: string): string | undefined {
    return this.#shown.get(name);
  }

  meant(name: string): string | undefined {
    return this.#meant.get(name);
  }

  #put(name: string, shown: string): void {
    this.#shown.set(name, shown);
    this.#meant.set(shown, name);
    if (name !== shown) this.changes = true;
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#meant.has(name); number += 1) {
      name = `${wanted.slice(0, NAME_CHARS_MAX - 4)}_${number}`;
    }
    return name;
  }
}

function fitting({ illegal, isWord = false }: ParameterForm): (name: string) => string {
  return (name) => {
    const plain = name.replace(illegal, "_").slice(0, NAME_CHARS_MAX);
    const isFit = isWord ? /^[a-zA-Z_]/.test(plain) : plain !== "";
    return isFit ? plain : `_${plain}`.slice(0, NAME_CHARS_MAX);
  };
}

function renamed(schema: JsonSchema, names: Names): JsonSchema {
  const key = (name: string) => names.shown(name) ?? name;
  const { required } = schema;
  return {
    ...schema,
    properties: withKeys(objectIn(schema.properties), key),
    ...(Array.isArray(required) ? { required: required.map((name) => key(String(name))) } : {}),
  };
}

function withKeys(
  value: Record<string, unknown>,
  key: (name: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [key(name), inner]));
}

function objectIn(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
