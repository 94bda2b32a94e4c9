/** Names of tools as an API takes them, and back: a model calls by the name that it was shown. */
import type { ToolDefinition } from "@/protocol/tool.ts";
import { memo } from "@/lib/memo.ts";
import { cleanCallName, portableName } from "./call_ids.ts";

/** The names of one request. The same tools always get the same names: history and cache hold them. */
export class ToolNames {
  readonly #shown = new Map<string, string>();
  readonly #meant = new Map<string, string>();

  /** The names of these tools. */
  static readonly of: (tools: readonly ToolDefinition[]) => ToolNames = memo((tools) =>
    new ToolNames(tools)
  );

  private constructor(tools: readonly ToolDefinition[]) {
    // Names that fit as they are come first, so that none of them is taken by one that had to be changed.
    const fitting = tools.filter(({ name }) => portableName(name) === name);
    for (const { name } of fitting) this.#add(name, name);
    for (const { name } of tools) {
      if (!this.#shown.has(name)) this.#add(name, this.#free(portableName(name)));
    }
  }

  /** The name that the API is given for a tool, also for one that is not offered any more. */
  shown(name: string): string {
    return this.#shown.get(name) ?? portableName(name);
  }

  /** The tool that a model means by the name it wrote; empty when it wrote none. */
  meant(written: unknown): string {
    const name = cleanCallName(written);
    return this.#meant.get(name) ?? name;
  }

  #add(name: string, shown: string): void {
    this.#shown.set(name, shown);
    this.#meant.set(shown, name);
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#meant.has(name); number += 1) {
      name = `${wanted.slice(0, 60)}_${number}`;
    }
    return name;
  }
}
