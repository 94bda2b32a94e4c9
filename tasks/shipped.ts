/** What of other people's work is in a built program: the packages that our code, its workers and the grammars come to. */
import { fileURLToPath } from "node:url";
import { wasmFiles } from "@/workers/grammars.ts";
import { ROOT, workers } from "./bundle.ts";

/** A package as it lies on the disk. */
export type Shipped = { name: string; version: string; dir: string };

type Info = {
  modules: readonly { npmPackage?: string }[];
  npmPackages: Readonly<
    Record<
      string,
      { name: string; version: string; dependencies: readonly string[]; localPath: string }
    >
  >;
};

/** All of them, by name; what a package depends on is counted with it. Throws where Deno cannot tell. */
export async function shippedPackages(): Promise<readonly Shipped[]> {
  const infos = await Promise.all(["main.ts", ...await workers()].map(infoOf));
  const packages = Object.assign(
    {},
    ...infos.map(({ npmPackages }) => npmPackages),
  ) as Info["npmPackages"];
  const wasm = wasmFiles().map(({ url }) => fileURLToPath(url));
  const next = [
    ...infos.flatMap(({ modules }) => modules.flatMap(({ npmPackage }) => npmPackage ?? [])),
    ...wasm.map((path) => packageWith(path, packages)),
  ];
  const found = new Map<string, Shipped>();
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    const one = packages[id];
    if (one === undefined) throw new Error(`deno info does not know the package "${id}"`);
    const { name, version, localPath: dir, dependencies } = one;
    if (found.has(`${name} ${version}`)) continue;
    found.set(`${name} ${version}`, { name, version, dir });
    next.push(...dependencies);
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}

function packageWith(path: string, packages: Info["npmPackages"]): string {
  const found = Object.entries(packages).find(([, { localPath }]) =>
    path.startsWith(`${localPath}/`) || path.startsWith(`${localPath}\\`)
  );
  if (found === undefined) throw new Error(`No package is known that "${path}" is of`);
  return found[0];
}

async function infoOf(entry: string): Promise<Info> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: ROOT,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno info ${entry} failed:\n${decoder.decode(stderr)}`);
  return JSON.parse(decoder.decode(stdout));
}
