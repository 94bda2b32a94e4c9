import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { Confine } from "@/workspace/confine.ts";
import { completePath } from "@/workspace/path_completion.ts";
import { withWorkspace } from "../support/workspace.ts";

async function tree(
  body: (paths: (prefix: string) => Promise<string[]>, dir: string) => Promise<void>,
) {
  await withWorkspace(async (root) => {
    const dir = join(root, "ws");
    for (const name of ["ws/.git", "ws/src/deep", "ws/dist", "ws/node_modules", "outside"]) {
      await Deno.mkdir(join(root, name), { recursive: true });
    }
    const files = {
      "ws/.gitignore": "dist/\n*.log\n",
      "ws/README.md": "# x",
      "ws/readme.log": "",
      "ws/.hidden": "",
      "ws/src/Rank.ts": "12345",
      "ws/src/rules.ts": "",
      "ws/src/deep/a b.txt": "",
      "ws/secret.key": "",
      "outside/other.txt": "",
    };
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(root, name), text);
    }
    await Deno.symlink(join(root, "outside"), join(dir, "link"));
    await Deno.symlink(join(dir, "src"), join(dir, "sources"));
    const confine = new Confine({ workspace: dir, added: [], home: root });
    const options = { confine, mayRead: (path: string) => !path.endsWith(".key") };
    const signal = new AbortController().signal;
    const paths = async (prefix: string) =>
      (await completePath(prefix, options, signal)).map(({ path }) => path);
    await body(paths, dir);
  });
}

Deno.test("completePath() lists the real directory, sorted without case, directories with a slash", () =>
  tree(async (paths) => {
    equal(await paths(""), ["README.md", "sources/", "src/"]);
    equal(await paths("src/"), ["src/deep/", "src/Rank.ts", "src/rules.ts"]);
    equal(await paths("src/deep/"), ["src/deep/a b.txt"]);
  }));

Deno.test("completePath() takes what was typed in any case, and hidden names only after a dot", () =>
  tree(async (paths) => {
    equal(await paths("read"), ["README.md"]);
    equal(await paths("src/R"), ["src/Rank.ts", "src/rules.ts"]);
    equal(await paths("."), [".git/", ".gitignore", ".hidden"]);
  }));

Deno.test("completePath() shows nothing that is ignored, denied, outside or led outside by a link", () =>
  tree(async (paths, dir) => {
    equal(await paths("dist"), []);
    equal(await paths("readme.l"), []);
    equal(await paths("secret"), []);
    equal(await paths("link"), []);
    equal(await paths("link/"), []);
    equal(await paths("../outside/"), []);
    equal(await paths("~/"), []);
    equal(await paths(`${dir}/src/ra`), [`${dir}/src/Rank.ts`]);
    equal(await paths("no/such/"), []);
    equal(await paths("README.md/"), []);
  }));

Deno.test("completePath() stops when it is not wanted any more", () =>
  withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "a"), "");
    const confine = new Confine({ workspace: dir, added: [] });
    equal(await completePath("", { confine }, AbortSignal.abort()), []);
  }));
