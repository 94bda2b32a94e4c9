/**
 * `deno task compile [--out FILE] [--target TRIPLE]`: the program by `deno compile`, for machines that can fetch its
 * runtime, denort. With another file in its place Deno reports success too, and what comes out is a plain Deno with all
 * permissions; so the result has to say that it is harness.
 */
import { parseArgs } from "node:util";
import { dirname, resolve } from "node:path";
import { COMPILE_FLAGS } from "@/release/flags.ts";
import { bundle, ROOT } from "./bundle.ts";
import { builtVersion } from "./built_version.ts";

/** How long the result may take to say its version. */
const ANSWER_MS = 20_000;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    out: { type: "string", default: `${ROOT}dist/harness-compiled` },
    target: { type: "string", default: Deno.build.target },
  },
});

Deno.exit(await main(resolve(values.out), values.target));

async function main(out: string, target: string): Promise<number> {
  const isForUs = target === Deno.build.target;
  if (!isForUs && Deno.env.has("DENORT_BIN")) {
    console.error(`What is compiled for ${target} cannot be tried here; unset DENORT_BIN`);
    return 1;
  }
  await Deno.mkdir(dirname(out), { recursive: true });
  const scratch = await Deno.makeTempDir({ dir: dirname(out), prefix: ".compile-" });
  try {
    const version = await builtVersion();
    const problem = await compile(version, { scratch, target, isForUs });
    if (problem !== undefined) {
      console.error(problem);
      return 1;
    }
    for await (const { name, isFile } of Deno.readDir(scratch)) {
      // For Windows it is called harness.exe, whatever was asked.
      if (isFile && name.startsWith("harness")) await Deno.rename(`${scratch}/${name}`, out);
    }
    console.log(`${out}: harness ${version} for ${target}`);
    return 0;
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** Compiles to a file in `scratch`; returns what is wrong with it. */
async function compile(
  version: string,
  { scratch, target, isForUs }: { scratch: string; target: string; isForUs: boolean },
): Promise<string | undefined> {
  const app = `${scratch}/app`;
  const file = `${scratch}/harness`;
  await bundle({ version, way: "compiled" }, { dir: app, scratch });
  const names = await Array.fromAsync(Deno.readDir(app), ({ name }) => name);
  const workers = names.filter((name) => name.endsWith("_worker.js"));
  const flags = [
    ...COMPILE_FLAGS,
    ...["wasm", ...workers].map((name) => `--include=${app}/${name}`),
  ];
  const compiled = await new Deno.Command(Deno.execPath(), {
    args: ["compile", ...flags, `--target=${target}`, `--output=${file}`, `${app}/main.js`],
    cwd: scratch,
    stdin: "null",
  }).output();
  if (!compiled.success) {
    const said = new TextDecoder().decode(compiled.stderr).trim();
    return `${said}\n\nNothing was compiled. Deno takes its runtime from DENORT_BIN, from ` +
      `$DENO_DIR/dl/release/v${Deno.version.deno}/denort-${target}.zip, or from the network; ` +
      `"deno task build" needs none of them`;
  }
  const answer = isForUs ? await versionOf(file) : `harness ${version}`;
  if (answer === `harness ${version}`) return undefined;
  return `Nothing was compiled: the result is not harness, it calls itself "${answer}". ` +
    `DENORT_BIN has to be the denort of Deno ${Deno.version.deno}, not deno; or unset it`;
}

/** The first line that a program prints for `--version`; what went wrong when there is none. */
async function versionOf(file: string): Promise<string> {
  try {
    const { stdout } = await new Deno.Command(file, {
      args: ["--version"],
      stdin: "null",
      signal: AbortSignal.timeout(ANSWER_MS),
    }).output();
    return new TextDecoder().decode(stdout).split("\n")[0] ?? "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
