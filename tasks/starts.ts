/** What the program loads when it is started, found in a bundle of it. */
import { RUN_FLAGS } from "@/release/flags.ts";
import { type Chunks, reached } from "./join_chunks.ts";

/** By which entry points a start comes to where it can be used. */
const WAYS: readonly (readonly string[])[] = [
  ["main"],
  ["main", "cli"],
  ["main", "cli", "once"],
  ["main", "cli", "full_open"],
  ["main", "cli", "plain_open"],
  ["main", "cli", "full_open", "converse", "full_view"],
];

/** A turn that ends with its second request: the demo goes no further when its first call is refused. */
const TURN = ["-p", "hello", "-m", "demo/tour", "--deny", "list_dir"];

/**
 * The files that each kind of start loads, the last of them with a turn. `dir` is an empty folder to have one in. Throws where
 * the bundle does not run, or has no such entry points.
 */
export async function startsOf(chunks: Chunks, dir: string): Promise<ReadonlySet<string>[]> {
  const ways = WAYS.map((names) => reached(chunks, names.map((name) => fileOf(chunks, name))));
  return [...ways, await turn(chunks, dir)];
}

/** The entry point of this name, which a hash may follow. */
function fileOf(chunks: Chunks, entry: string): string {
  const [file, ...others] = [...chunks.keys()].filter((name) =>
    name.replace(/(-\w+)?\.js$/, "") === entry
  );
  if (file !== undefined && others.length === 0) return file;
  throw new Error(`${others.length === 0 ? "No chunk is" : "Several chunks are"} called ${entry}`);
}

async function turn(chunks: Chunks, dir: string): Promise<ReadonlySet<string>> {
  const [app, workspace, loaded] = [`${dir}/app`, `${dir}/workspace`, `${dir}/loaded`];
  for (const folder of [app, workspace]) await Deno.mkdir(folder, { recursive: true });
  for (const [name, code] of chunks) {
    const line = `${JSON.stringify(loaded)},"${name}\\n",{append:true}`;
    // The entry point ends the program, and nothing behind its last line runs.
    const told = name === "main.js" ? "" : `\n;Deno.writeTextFileSync(${line});`;
    await Deno.writeTextFile(`${app}/${name}`, `${code}${told}`);
  }
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...RUN_FLAGS, "--allow-write", `${app}/main.js`, ...TURN],
    cwd: workspace,
    env: {
      ...{ HOME: dir, DENO_DIR: `${dir}/deno` },
      ...{ HARNESS_HOME: `${dir}/home`, HARNESS_ACCEPT_TERMS: "1" },
    },
    stdin: "null",
  }).output();
  if (!success) throw new Error(`The bundle does not run:\n${new TextDecoder().decode(stderr)}`);
  return new Set(["main.js", ...(await Deno.readTextFile(loaded)).trim().split("\n")]);
}
