import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { dirname, join } from "node:path";
import { fc, runs } from "../support/property.ts";
import { NoWay, REAL_DISK, walk } from "@/workspace/walk.ts";
import { withWorkspace } from "../support/workspace.ts";

const NAME = fc.constantFrom("a", "b", "c");
const PART = fc.constantFrom("a", "b", "c", "..", ".", "");
const PATH = fc.array(PART, { minLength: 1, maxLength: 6 }).map((parts) =>
  parts.join("/").replace(/^\/+/, "") || "."
);
const NODE = fc.record({
  at: fc.array(NAME, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  make: fc.oneof(
    fc.constant({ kind: "dir" as const }),
    fc.constant({ kind: "file" as const }),
    fc.record({ kind: fc.constant("link" as const), to: PATH, absolute: fc.boolean() }),
  ),
});

type Node = typeof NODE extends fc.Arbitrary<infer T> ? T : never;

/** Make what can be made; what the random tree makes impossible is left out. */
function plant(root: string, { at, make }: Node): void {
  try {
    if (make.kind === "dir") Deno.mkdirSync(join(root, at), { recursive: true });
    if (make.kind === "file") Deno.writeTextFileSync(join(root, at), "", { createNew: true });
    if (make.kind === "link") {
      Deno.symlinkSync(make.absolute ? `${root}/${make.to}` : make.to, join(root, at));
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

/** Deno removes ".." as text before it asks the kernel, so the kernel is asked by somebody else. */
const ORACLE = `
import json, os, sys
for line in sys.stdin:
    answers = []
    for path in json.loads(line):
        try:
            handle = os.open(path, os.O_PATH)
            answers.append(os.readlink(f"/proc/self/fd/{handle}"))
            os.close(handle)
        except FileNotFoundError:
            answers.append("missing")
        except OSError:
            answers.append("no way")
    print(json.dumps(answers), flush=True)
`;

/** Answers with the real path, "missing" or "no way" for each path. */
class Kernel {
  readonly #child = new Deno.Command("python3", {
    args: ["-c", ORACLE],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  readonly #writer = this.#child.stdin.getWriter();
  readonly #lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();

  async ask(paths: readonly string[]): Promise<string[]> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(paths) + "\n"));
    let text = "";
    while (!text.endsWith("\n")) text += (await this.#lines.read()).value ?? "";
    return JSON.parse(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#lines.cancel();
    await this.#child.status;
  }
}

Deno.test({
  name: "walk() leads where the kernel leads, for random trees of links and random paths",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using kernel = new Kernel();
    const trees = fc.array(NODE, { minLength: 3, maxLength: 12 });
    const paths = fc.array(PATH, { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(trees, paths, async (nodes, asked) => {
      await withWorkspace(async (dir) => {
        // Deep enough that no path of the test can leave the temporary directory.
        const root = join(dir, "1/2/3/4/5/6/7/8/9/10/11/12");
        Deno.mkdirSync(root, { recursive: true });
        for (const node of nodes) plant(root, node);
        const said = await kernel.ask(asked.map((path) => `${root}/${path}`));
        for (const [index, path] of asked.entries()) await compare(path, root, said[index] ?? "");
      });
    });
    await fc.assert(property, { ...runs(120), seed: 7 });
  },
});

async function compare(path: string, root: string, said: string): Promise<void> {
  const options = { from: root, keepLeaf: false, disk: REAL_DISK };
  if (said === "no way") return await rejects(walk(path, options), NoWay);
  if (said !== "missing") {
    const found = await walk(path, options);
    return equal([found.real, found.dangling], [said, undefined]);
  }
  try {
    const found = await walk(path, options);
    equal(found.end, "missing");
    // What does not exist hangs on a directory that does, under its real name.
    let parent = dirname(found.real);
    while (!exists(parent)) parent = dirname(parent);
    equal(Deno.realPathSync(parent), parent);
  } catch (error) {
    if (!(error instanceof NoWay) || !error.message.startsWith('goes back with "..')) throw error;
  }
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
