/**
 * Joins the chunks of a bundle that are loaded together. `deno bundle` makes one of whatever the same `import()`s reach, some 370
 * for ours, and a turn takes 220 of them; each is found, read, linked and looked up in V8's cache by itself.
 */

/** Names of files in a bundle: those that one start takes. */
type Names = ReadonlySet<string>;

/** Name and code of each file. */
export type Chunks = ReadonlyMap<string, string>;

/** A file of a minified bundle imports and exports in these words alone. */
const STATIC = /(import|export)(\{[^{}]*\}from)?"\.\/([\w-]+\.js)";/g;
const LATE = /import\("\.\/([\w-]+\.js)"\)/g;
const EXPORTED = /export\{([^{}]*)\};?\s*$/;
const NAMES = /([{,])([\w$]+)( as [\w$]+)?/g;

/** The files of a bundle. */
export async function readChunks(dir: string): Promise<Chunks> {
  const names = (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name)
    .filter((name) => name.endsWith(".js")).sort();
  const read = async (name: string) => [name, await Deno.readTextFile(`${dir}/${name}`)] as const;
  return new Map(await Promise.all(names.map(read)));
}

/** Everything that is loaded with these files at once, themselves among it. */
export function reached(chunks: Chunks, files: readonly string[]): Names {
  const names = new Set<string>();
  const take = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    for (const [, , , other = ""] of (chunks.get(name) ?? "").matchAll(STATIC)) take(other);
  };
  for (const file of files) take(file);
  return names;
}

/**
 * The sources of a bundle in which what the same starts load is imported as one. It is to be bundled again from `main.js`, which
 * stays what it is, as does what no start loads. Each start has all that its files import, so that no two parts import each other.
 */
export function joinChunks(chunks: Chunks, starts: readonly Names[]): Chunks {
  const parts = partsOf(chunks, starts);
  const partOf = new Map(
    [...parts].flatMap(([part, names]) => names.map((name) => [name, part] as const)),
  );
  const late = new Set([...chunks.values()].flatMap(lateImports));
  const joined = [...chunks].map(([name, code]) => [name, withParts(code, name, partOf)] as const);
  const added = [...parts].flatMap(([part, names]) => {
    const entries = names.filter((name) => late.has(name))
      .map((name) => `export * as ${prefix(name)} from"./${name}";\n`);
    return [
      [part, names.map((name) => handedOn(name, chunks.get(name) ?? "")).join("")],
      // Of its own: who imports a part late waits for each name to be found.
      [`late_${part}`, `import"./${part}";\n${entries.join("")}`],
    ] as const;
  });
  return new Map([...joined, ...added]);
}

function partsOf(chunks: Chunks, starts: readonly Names[]): ReadonlyMap<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const name of chunks.keys()) {
    const which = starts.map((start) => start.has(name) ? "1" : "0").join("");
    if (name === "main.js" || !which.includes("1")) continue;
    const part = `part${which}.js`;
    parts.set(part, [...parts.get(part) ?? [], name]);
  }
  return parts;
}

function lateImports(code: string): string[] {
  return [...code.matchAll(LATE)].map(([, name = ""]) => name);
}

/** A part hands everything of its chunks on, under names that tell them apart. */
function handedOn(name: string, code: string): string {
  const exported = (EXPORTED.exec(code)?.[1] ?? "").split(",").filter((one) => one !== "");
  const names = exported.map((one) => one.split(" as ").at(-1) ?? one);
  const each = names.map((one) => `${one} as ${prefix(name)}${one}`);
  return `export{${each.join(",")}}from"./${name}";\n`;
}

/** A chunk that imports parts in the place of the chunks of others. */
function withParts(code: string, own: string, partOf: ReadonlyMap<string, string>): string {
  return code
    .replaceAll(STATIC, (all, word: string, names: string | undefined, from: string) => {
      const part = partOf.get(from);
      if (part === undefined || part === partOf.get(own)) return all;
      const theirs = names?.replaceAll(
        NAMES,
        (_, before: string, name: string, as = ` as ${name}`) =>
          `${before}${prefix(from)}${name}${as}`,
      );
      return `${word}${theirs ?? ""}"./${part}";`;
    })
    .replaceAll(LATE, (all, from: string) => {
      const part = partOf.get(from);
      return part === undefined ? all : `import("./late_${part}").then((it)=>it.${prefix(from)})`;
    });
}

function prefix(name: string): string {
  return `${name.replaceAll(/\W/g, "_")}_`;
}
