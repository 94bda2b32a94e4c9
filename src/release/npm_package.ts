/** The npm package: what starts the bundle with the Deno of the package "deno". No install script. */
import { OURS, SET_ASIDE, SET_ASIDE_PREFIX } from "@/sandbox/person_env.ts";
import { RUN_FLAGS } from "./flags.ts";
import { SCOPE_FILE } from "./scope.ts";
import { shellScript } from "./shell_script.ts";
import bin from "./npm_bin.cjs" with { type: "text" };
import start from "./npm_start.sh" with { type: "text" };

/** What the package says of itself. `version` has no commit in it: npm compares versions without one. */
export type PackageFacts = {
  name: string;
  version: string;
  license: string;
  denoVersion: string;
};

/** The licences of what comes with it. */
export const NOTICES = "THIRD_PARTY_NOTICES";

/** A file of the package; `path` is relative. */
export type PackageFile = { path: string; bytes: Uint8Array };

/** Everything but the bundle (in `app/`), README, LICENSE and the notices. */
export function packageFiles(facts: PackageFacts): PackageFile[] {
  const windows = {
    setAside: SET_ASIDE,
    prefix: SET_ASIDE_PREFIX,
    ours: OURS,
    flags: RUN_FLAGS,
  };
  return [
    text("package.json", `${JSON.stringify(manifest(facts), null, 2)}\n`),
    text("bin/harness.cjs", bin),
    text("start.sh", shellScript(start)),
    text("start.json", `${JSON.stringify(windows, null, 2)}\n`),
    SCOPE_FILE,
  ];
}

function manifest({ name, version, license, denoVersion }: PackageFacts) {
  return {
    name,
    version,
    description:
      "A terminal AI assistant that asks before it changes anything, and takes back what it did",
    license,
    bin: { harness: "bin/harness.cjs" },
    files: ["app/", "bin/", "recording.svg", "start.json", "start.sh", NOTICES],
    engines: { node: ">=18" },
    dependencies: { deno: denoVersion },
  };
}

function text(path: string, content: string): PackageFile {
  return { path, bytes: new TextEncoder().encode(content) };
}
