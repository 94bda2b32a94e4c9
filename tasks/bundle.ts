/** Bundles the program: our code and its dependencies as a few minified files that need no configuration. */
import { fileURLToPath } from "node:url";
import type { Way } from "@/version.ts";
import { wasmFiles } from "@/workers/grammars.ts";
import config from "../deno.json" with { type: "json" };
import { lateRequire } from "./late_require.ts";

/** The project's folder, ending in a slash. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

const WORKERS = "src/workers";

/** What a built program knows of itself. */
export type BuildFacts = { version: string; way: Exclude<Way, "sources"> };

/**
 * Writes `main.js`, every worker beside it, the chunks that they load, and the grammars in `wasm`, into an empty folder. `scratch` is a folder
 * for files on the way. Throws when something cannot be bundled.
 */
export async function bundle(
  facts: BuildFacts,
  { dir, scratch }: { dir: string; scratch: string },
): Promise<void> {
  const importMap = `${scratch}/imports.json`;
  await Deno.writeTextFile(`${scratch}/version.ts`, builtVersion(facts));
  await Deno.writeTextFile(importMap, JSON.stringify(importsWith(`${scratch}/version.ts`)));
  const flags = ["-q", "--code-splitting", "--minify", `--import-map=${importMap}`];
  // Each in a call of its own: files come out below the folder that all entry points have in common.
  for (const entries of [["main.ts"], await workers()]) {
    if (entries.length > 0) await run(["bundle", ...flags, `--outdir=${dir}`, ...entries]);
  }
  for await (const { name } of Deno.readDir(dir)) {
    const file = `${dir}/${name}`;
    await Deno.writeTextFile(file, lateRequire(await Deno.readTextFile(file)));
  }
  await Deno.mkdir(`${dir}/wasm`);
  for (const { name, url } of wasmFiles()) await Deno.copyFile(url, `${dir}/wasm/${name}`);
}

/** `src/version.ts` of a built program. */
function builtVersion({ version, way }: BuildFacts): string {
  return `export const VERSION = ${JSON.stringify(version)};\nexport const WAY = ${
    JSON.stringify(way)
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
