/**
 * Bundles the program: our code and its dependencies as a few minified files that need no configuration. It is bundled twice, so
 * that each start finds what it needs in few of them.
 */
import { fileURLToPath } from "node:url";
import type { Way } from "@/version.ts";
import { wasmFiles } from "@/workers/grammars.ts";
import config from "../deno.json" with { type: "json" };
import { joinChunks, readChunks } from "./join_chunks.ts";
import { lateRequire } from "./late_require.ts";
import { startsOf } from "./starts.ts";

/** The project's folder, ending in a slash. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

const WORKERS = "src/workers";

/** What a built program knows of itself. */
export type BuildFacts = { version: string; way: Exclude<Way, "sources"> };

/** Names the folder of a blank bundle that is there already, for a run that builds more than once. */
export const MADE = "HARNESS_BUNDLE";

/** What stands in a blank bundle where the facts of a built one will. */
const BLANK = { version: "?the version of harness?", way: "?the way of harness?" } as const;

/**
 * Writes `main.js`, every worker beside it, the chunks that they load, and the grammars in `wasm`, into an empty folder. `scratch` is a folder
 * for files on the way. Throws when something cannot be bundled.
 */
export async function bundle(
  facts: BuildFacts,
  { dir, scratch }: { dir: string; scratch: string },
): Promise<void> {
  const made = Deno.env.get(MADE);
  const blank = made ?? `${scratch}/blank`;
  if (made === undefined) await bundleBlank({ dir: blank, scratch });
  await stamp(facts, { blank, dir });
}

/** The same without the facts, which is nearly all of the work: `stamp()` makes any number of built ones of it. */
export async function bundleBlank(
  { dir, scratch }: { dir: string; scratch: string },
): Promise<void> {
  const importMap = `${scratch}/imports.json`;
  await Deno.writeTextFile(`${scratch}/version.ts`, blankVersion());
  await Deno.writeTextFile(importMap, JSON.stringify(importsWith(`${scratch}/version.ts`)));
  const flags = ["-q", "--code-splitting", "--minify"];
  const ours = [...flags, `--import-map=${importMap}`];
  const [first, joined] = [`${scratch}/first`, `${scratch}/joined`];
  // Each in a call of its own: files come out below the folder that all entry points have in common.
  await Promise.all([
    run(["bundle", ...ours, `--outdir=${first}`, "main.ts"]),
    run(["bundle", ...ours, `--outdir=${dir}`, ...await workers()]),
  ]);
  await lateRequires(first);
  await Deno.mkdir(joined);
  const chunks = await readChunks(first);
  for (const [name, code] of joinChunks(chunks, await startsOf(chunks, `${scratch}/start`))) {
    await Deno.writeTextFile(`${joined}/${name}`, code);
  }
  await run(["bundle", ...flags, "--no-config", `--outdir=${dir}`, `${joined}/main.js`]);
  await lateRequires(dir);
  await Deno.mkdir(`${dir}/wasm`);
  for (const { name, url } of wasmFiles()) await Deno.copyFile(url, `${dir}/wasm/${name}`);
}

async function lateRequires(dir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dir)) {
    const file = `${dir}/${name}`;
    await Deno.writeTextFile(file, lateRequire(await Deno.readTextFile(file)));
  }
}

/** Copies a blank bundle into a folder that is not there yet, and writes the facts into it. */
export async function stamp(
  facts: BuildFacts,
  { blank, dir }: { blank: string; dir: string },
): Promise<void> {
  await Deno.mkdir(dir, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(blank)) {
    const [from, to] = [`${blank}/${name}`, `${dir}/${name}`];
    if (isDirectory) await stamp(facts, { blank: from, dir: to });
    else if (name.endsWith(".js")) {
      await Deno.writeTextFile(to, stamped(await Deno.readTextFile(from), facts));
    } else await Deno.copyFile(from, to);
  }
}

function stamped(code: string, facts: BuildFacts): string {
  return code.replaceAll(BLANK.version, facts.version).replaceAll(BLANK.way, facts.way);
}

/** `src/version.ts` of a blank bundle. */
function blankVersion(): string {
  return `export const VERSION = ${JSON.stringify(BLANK.version)};\nexport const WAY = ${
    JSON.stringify(BLANK.way)
  };\n`;
}

/** The imports of deno.json, with another file in the place of `src/version.ts`. */
function importsWith(version: string): { imports: Record<string, string> } {
  const root = new URL("../", import.meta.url);
  const imports = Object.entries(config.imports).map(([name, target]) =>
    [name, target.startsWith("./") ? new URL(target, root).href : target] as const
  );
  // By its address and by the name that our code knows it by: a name is looked up once.
  const names = [new URL("src/version.ts", root).href, "@/version.ts"];
  const replaced = names.map((name) => [name, `file://${version}`] as const);
  return { imports: Object.fromEntries([...imports, ...replaced]) };
}

/** The files that run as workers, from the project's folder on. */
export async function workers(): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(`${ROOT}${WORKERS}`), ({ name }) => name);
  return names.filter((name) => name.endsWith("_worker.ts")).sort()
    .map((name) => `${WORKERS}/${name}`);
}

async function run(args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    stdin: "null",
  }).output();
  if (!success) {
    throw new Error(`deno ${args.join(" ")} failed:\n${new TextDecoder().decode(stderr)}`);
  }
}
