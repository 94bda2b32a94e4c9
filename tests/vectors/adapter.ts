/** What stands between a component's vectors and the real functions. */

/**
 * Turns a vector's input into calls of the real functions and their results into the vector's shape. May be async. What
 * it throws fails the vector. `undefined` says that this kind of input is not implemented: the vector is skipped.
 *
 * `expected` has the vector's keys, so that an adapter sees what is asked about, but not their values: no expectation
 * can be met by handing it back.
 */
export type Adapter = (
  input: unknown,
  vector: { id: string; expected: Readonly<Record<string, undefined>> },
) => unknown;

/** Component → adapter. */
export type Adapters = Readonly<Record<string, Adapter>>;

/** The files that have adapters, each beside this one and exporting `adapters`. A component stands in one of them. */
const FILES: readonly string[] = [
  "context",
  "permissions",
  "sessions",
  "settings",
  "tool_text",
];

/** Loads all adapters. Throws when a component has two. */
export async function loadAdapters(): Promise<Adapters> {
  const all: Record<string, Adapter> = {};
  for (const file of FILES) {
    const module: { adapters: Adapters } = await import(
      new URL(`./${file}.ts`, import.meta.url).href
    );
    for (const [component, adapter] of Object.entries(module.adapters)) {
      if (all[component]) throw new Error(`Two adapters for "${component}", one in ${file}.ts`);
      all[component] = adapter;
    }
  }
  return all;
}
