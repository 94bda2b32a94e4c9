/** Packages of the npm registry's kind: the test script, by the package manager that the project uses. */
import { isObject } from "@/lib/json.ts";
import type { Check } from "@/verify/check.ts";
import type { Ecosystem } from "@/verify/ecosystem.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";
import { SCRIPTS } from "./suffixes.ts";

type Manager =
  & { name: string; locks: readonly string[]; args: readonly string[] }
  & Pick<Check, "env">;

const NPM: Manager = { name: "npm", locks: ["package-lock.json"], args: ["test", "--silent"] };

const MANAGERS: readonly Manager[] = [
  {
    name: "pnpm",
    locks: ["pnpm-lock.yaml"],
    args: ["--silent", "test"],
    // Else it fetches the version that package.json pins, to run a script that is the same for all (10, 12).
    env: {
      npm_config_manage_package_manager_versions: "false",
      pnpm_config_manage_package_manager_versions: "false",
    },
  },
  { name: "yarn", locks: ["yarn.lock"], args: ["test"] },
  // `bun test` would be Bun's own runner, which the script may not mean.
  { name: "bun", locks: ["bun.lock", "bun.lockb"], args: ["run", "--silent", "test"] },
  NPM,
];

/** Jest and Vitest, Mocha, Bun. */
const NO_TESTS =
  /^(No tests? (files )?found, exiting with code 1|Error: No test files found|No tests found!)/m;

/** Managers that are another version than the project's, or that want to fetch something: themselves, or dependencies. */
const UNABLE =
  /^(?:error This project's package\.json defines "packageManager"|.*Error when performing the request to .*nodejs\/corepack#|.*\bERR_PNPM_(?:BAD_PM_VERSION|META_FETCH_FAIL|UNSUPPORTED_ENGINE|VERIFY_DEPS_BEFORE_RUN)\b)/m;

export const node: Ecosystem = {
  suffixes: SCRIPTS,
  rows: [{
    declared: "package.json with a test script",
    runs: "npm test --silent, or the project's pnpm, yarn or bun",
  }],
  async declared(dir) {
    const manifest = await dir.json("package.json");
    if (manifest === undefined) return undefined;
    const script = isObject(manifest["scripts"]) ? manifest["scripts"]["test"] : undefined;
    if (typeof script !== "string" || script.trim() === "") return undefined;
    // What `npm init` writes.
    if (/no test specified/i.test(script)) return "none";
    const { name, args, env } = await managerOf(dir, manifest);
    return {
      ...{ name: `${name} test`, root: dir.path, program: name, args },
      ...{ noTests: NO_TESTS, unable: UNABLE, ...(env && { env }) },
    };
  },
};

/** The one that package.json names, here or above; else the one whose lock file is nearest. */
async function managerOf(dir: ProjectDir, manifest: Record<string, unknown>): Promise<Manager> {
  for (const one of [manifest, ...await manifestsAbove(dir)]) {
    const named = one["packageManager"];
    if (typeof named !== "string") continue;
    const manager = MANAGERS.find(({ name }) => named.startsWith(`${name}@`));
    if (manager !== undefined) return manager;
  }
  const lock = await dir.nearest(MANAGERS.flatMap(({ locks }) => locks));
  return MANAGERS.find(({ locks }) => lock !== undefined && locks.includes(lock.name)) ?? NPM;
}

async function manifestsAbove({ above }: ProjectDir): Promise<Record<string, unknown>[]> {
  const manifests = await Promise.all(above.map((dir) => dir.json("package.json")));
  return manifests.filter((one) => one !== undefined);
}
