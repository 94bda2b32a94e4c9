/**
 * `deno task test [PATH…] [OPTION…]`: the types, then every test file below `tests/` (or the paths), a few files in each
 * `deno test`, two more of those side by side than there are cores (`DENO_JOBS` says otherwise). One process for all would be
 * slower: it grows to a gigabyte, and starting a program costs a process more the larger it is. The files of a process are
 * one module, so that what they have in common is loaded once: a file by itself takes 0.15 s of CPU time before its first
 * test. Options go to `deno test`. Where all are run, the program that they start is the bundle that is given out, made once:
 * each start costs a third less than from the sources. Ends with the line that `deno test` itself ends with, over all of them.
 */
import { pathToFileURL } from "node:url";
import { writeWhole } from "@/lib/write_whole.ts";
import { VERSION } from "@/version.ts";
import config from "../deno.json" with { type: "json" };
import { bundleBlank, MADE, stamp } from "./bundle.ts";
import { batches, type Counts, countsOf, summary } from "./test_batches.ts";
import { projectFiles, ROOT } from "../tests/quality/project.ts";

type Job = { name: string; args: readonly string[]; isTests: boolean };
type Ended = { name: string; output: string; counts: Counts };

const began = performance.now();
const options = Deno.args.filter((word) => word.startsWith("-"));
const paths = Deno.args.filter((word) => !word.startsWith("-"));
const files = chosen(paths);
if (files.length === 0) {
  console.error(`No test file is in ${paths.join(", ")}; deno task test tests/agent`);
  Deno.exit(2);
}
const scratch = await Deno.makeTempDir({ prefix: "harness-tests-" });
Deno.addSignalListener("SIGINT", () => end(130));
const jobs = [...(paths.length === 0 ? [types()] : []), ...batches(files).map(testJob)];
const program = paths.length === 0 ? bundled() : Promise.resolve({});
const ended: Ended[] = [];
// Tests wait a good deal for what they have started: two processes more than there are cores.
const lanes = Number(Deno.env.get("DENO_JOBS") ?? navigator.hardwareConcurrency + 2);
await Promise.all(Array.from({ length: Math.max(1, lanes) }, work));
const failed = ended.filter(({ counts }) => counts.failed > 0);
for (const { name } of failed) console.log(`FAILED in ${name}`);
console.log(`\n${summary(ended.map(({ counts }) => counts), performance.now() - began)}`);
end(failed.length === 0 ? 0 : 1);

function end(code: number): never {
  Deno.removeSync(scratch, { recursive: true });
  Deno.exit(code);
}

/** The program as it is given out, and of what tests that build make theirs; as their environment. */
async function bundled(): Promise<Record<string, string>> {
  const [blank, dir] = [`${scratch}/blank`, `${scratch}/app`];
  await bundleBlank({ dir: blank, scratch });
  await stamp({ version: VERSION, way: "file" }, { blank, dir });
  return { [MADE]: blank, HARNESS_PROGRAM: `${dir}/main.js` };
}

/** Takes one job after the other; what each printed comes out whole. */
async function work(): Promise<void> {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const one = await run(job);
    ended.push(one);
    await writeWhole(Deno.stdout, new TextEncoder().encode(one.output));
  }
}

async function run({ name, args, isTests }: Job): Promise<Ended> {
  const env = isTests ? await program : {};
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env,
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  const output = text.decode(stdout) + (code === 0 ? "" : text.decode(stderr));
  return { name, output, counts: countsOf(output, { code, isTests }) };
}

/** Everything's types, which `deno test` leaves out here: it would look at them once in each process. */
function types(): Job {
  const [, command = ""] = /(?:^|&& )deno (check [^&]+?)(?: &&|$)/.exec(config.tasks.ok) ?? [];
  return { name: "types", args: command.split(" "), isTests: false };
}

function testJob(batch: readonly string[], at: number): Job {
  const [, flags = ""] = config.tasks["test-files"].split("clear-env ");
  const file = `${scratch}/${at}_test.ts`;
  Deno.writeTextFileSync(file, moduleOf(batch));
  return {
    name: batch.join(" "),
    args: [...flags.split(" "), ...options, "--config", `${ROOT}deno.json`, file],
    isTests: true,
  };
}

/** A module with the tests of these files. */
function moduleOf(files: readonly string[]): string {
  return files.map((file) => `import ${JSON.stringify(pathToFileURL(ROOT + file).href)};\n`).join(
    "",
  );
}

function chosen(paths: readonly string[]): string[] {
  const wanted = paths.map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""));
  return projectFiles().filter((file) =>
    file.startsWith("tests/") && file.endsWith("_test.ts") &&
    (wanted.length === 0 || wanted.some((path) => file === path || file.startsWith(`${path}/`)))
  );
}
