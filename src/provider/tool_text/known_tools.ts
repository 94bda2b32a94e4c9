/** The tools that a reply may call: names as models misspell them, parameters and their types. */
import type { ToolDefinition } from "@/protocol/tool.ts";
import { coerceValue } from "@/lib/coerce.ts";
import { memo } from "@/lib/memo.ts";

const PREFIX = /^(?:functions|function|default_api|tools|tool|api)\./i;
const LONG_TEXTS = ["content", "new_content", "old_content", "text", "body", "payload", "stdin"];
/** Names of parameters that are written as blocks although the tool calls them otherwise; dispatch binds them. */
const BLOCK_ALIASES = ["content", "new_content", "old_content", "text", "body", "stdin", "code"];

export class KnownTools {
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #loose = new Map<string, string[]>();
  /** In the order in which they are offered. */
  readonly names: readonly string[];

  /** The tools that these definitions declare. */
  static readonly of: (definitions: readonly ToolDefinition[]) => KnownTools = memo((definitions) =>
    new KnownTools(definitions)
  );

  private constructor(definitions: readonly ToolDefinition[]) {
    for (const definition of definitions) {
      this.#tools.set(definition.name, definition);
      const key = loose(definition.name);
      this.#loose.set(key, [...this.#loose.get(key) ?? [], definition.name]);
    }
    this.names = [...this.#tools.keys()];
  }

  /** The tool that a name means, if exactly one: never a synonym, never the nearest. */
  resolve(written: string): string | undefined {
    if (this.#tools.has(written)) return written;
    const name = bareName(written);
    if (this.#tools.has(name)) return name;
    const fitting = this.#loose.get(loose(name));
    return fitting?.length === 1 ? fitting[0] : undefined;
  }

  /** Whether a tool's name, as it may be written, starts with this text. */
  hasNameThatStarts(text: string): boolean {
    const start = loose(text.replace(PREFIX, ""));
    return start === "" || [...this.#loose.keys()].some((name) => name.startsWith(start));
  }

  /** Parameter names in the order of the schema. */
  parameters(tool: string): readonly string[] {
    return Object.keys(this.#properties(tool));
  }

  hasParameter(tool: string, name: string): boolean {
    return Object.hasOwn(this.#properties(tool), name);
  }

  required(tool: string): readonly string[] {
    const required = this.#tools.get(tool)?.schema.required;
    return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  }

  /** Parameters that may hold a text of many lines. */
  isLongText(tool: string, name: string): boolean {
    return LONG_TEXTS.includes(name) || (this.#tools.get(tool)?.raw ?? []).includes(name);
  }

  rawParameters(tool: string): readonly string[] {
    return this.#tools.get(tool)?.raw ?? [];
  }

  /** Names that a raw block of a call to this tool may have. */
  isBlockName(tool: string, name: string): boolean {
    return this.hasParameter(tool, name) || BLOCK_ALIASES.includes(name);
  }

  /** A value that was written as text, in the type that the parameter has. */
  typed(tool: string, name: string, text: string): unknown {
    const properties = this.#properties(tool);
    return Object.hasOwn(properties, name) ? coerceValue(text, properties[name]) : text;
  }

  #properties(tool: string): Record<string, unknown> {
    const properties = this.#tools.get(tool)?.schema.properties;
    return isRecord(properties) ? properties : {};
  }
}

/** A name without what servers and models hang on it: a namespace, a counter, brackets, quotes, leaked tokens. */
export function bareName(written: string): string {
  let name = written.replace(/<[|｜].*$/s, "").replace(/^[\s"'`*]+|[\s"'`*]+$/g, "");
  name = name.replace(/\(\s*\)$/, "").replace(/:\d+$/, "");
  while (PREFIX.test(name)) name = name.replace(PREFIX, "");
  return name;
}

function loose(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
