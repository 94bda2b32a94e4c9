import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  blobName,
  findEnvFiles,
  findEnvFilesSync,
  isEnvFile,
  parseStaged,
} from "@/sandbox/env_files.ts";
import { type EnvMaskOptions, EnvMasks } from "@/sandbox/env_masks.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

async function write(root: string, paths: readonly string[], text = "SECRET\n"): Promise<void> {
  for (const path of paths) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
}

const masksOf = (root: string, more: Partial<EnvMaskOptions> = {}) =>
  new EnvMasks({
    roots: [root],
    isTrusted: () => false,
    staged: () => Promise.resolve(""),
    ...more,
  });

Deno.test("isEnvFile() knows files with values, and those that only show what they look like", () => {
  const yes = [
    ".env",
    ".env.local",
    ".env.production",
    ".env-x",
    ".envrc",
    ".ENV",
    ".env.example.bak",
  ];
  const no = [
    "env",
    "x.env",
    ".env.example",
    ".env.local.sample",
    ".env.template",
    ".env.dist",
    ".en",
  ];
  equal(yes.filter((name) => !isEnvFile(name)), []);
  equal(no.filter(isEnvFile), []);
});

Deno.test({
  name: "findEnvFiles() looks into every folder of a project, and not into what tools made",
  ignore,
}, async () => {
  await withWorkspace(async (root) => {
    const wanted = [".env", "a/.env.local", "a/b/c/d/e/f/.env", ".hidden/.env"];
    await write(root, [
      ...wanted,
      "node_modules/x/.env",
      ".git/.env",
      "a/.venv/.env",
      "a/.env.example",
    ]);
    await Deno.mkdir(join(root, "dir/.env"), { recursive: true });
    await Deno.symlink("/", join(root, "link"));
    await Deno.mkdir(join(root, "a/b/bare/objects"), { recursive: true });
    await write(root, ["a/b/bare/HEAD", "a/b/bare/refs/x", "a/b/c/.git"]);
    const { files, repositories, isWhole } = await findEnvFiles(root);
    equal(files.map((path) => path.slice(root.length + 1)).sort(), [...wanted].sort());
    const places = ["", "a/b/bare", "a/b/c"].map((path) => join(root, path));
    equal(repositories.toSorted(), places);
    equal(isWhole, true);
    equal(findEnvFilesSync(root), { files, repositories, isWhole });
  });
});

Deno.test({ name: "findEnvFiles() stops at a bound and says so", ignore }, async () => {
  await withWorkspace(async (root) => {
    await write(root, Array.from({ length: 520 }, (_, index) => `f${index}/.env`), "");
    const { files, isWhole } = await findEnvFiles(root);
    equal([files.length, isWhole], [500, false]);
  });
});

Deno.test(
  { name: "EnvMasks masks what is neither trusted nor committed as it is", ignore },
  async () => {
    await withWorkspace(async (root) => {
      await write(root, [".env", "a/.env", "b/.env"]);
      await write(root, ["committed/.env"], "PUBLIC\n");
      const blob = blobName(new TextEncoder().encode("PUBLIC\n"), 40);
      const masks = masksOf(root, {
        isTrusted: (at, name) => at === root && name === "a/.env",
        staged: (at, paths) => {
          equal([at, [...paths].sort()], [root, [".env", "b/.env", "committed/.env"]]);
          return Promise.resolve(`100644 ${blob} 0\tcommitted/.env\x00100644 ${blob} 0\tb/.env\0`);
        },
      });
      const names = () => masks.masked().map((path) => path.slice(root.length + 1));
      await masks.search(false);
      equal(names(), [".env", "b/.env", "committed/.env"]);
      await masks.search(true);
      equal(names(), [".env", "b/.env"], "what is staged under another content stays masked");
      await Deno.writeTextFile(join(root, "committed/.env"), "PUBLIC\nSECRET\n");
      equal(
        names(),
        [".env", "b/.env", "committed/.env"],
        "and what was changed since is masked again",
      );
    });
  },
);

Deno.test({
  name: "EnvMasks finds a file again whose folder was moved, and a new one at the top",
  ignore,
}, async () => {
  await withWorkspace(async (root) => {
    await write(root, ["a/b/.env"]);
    const masks = masksOf(root);
    await masks.search(false);
    await Deno.rename(join(root, "a"), join(root, "z"));
    masks.look();
    equal(masks.masked(), [join(root, "z/b/.env")]);
    await write(root, [".env.local"]);
    masks.look();
    equal(masks.masked(), [join(root, ".env.local"), join(root, "z/b/.env")]);
  });
});

Deno.test({
  name: "EnvMasks takes a link for what it leads to, and leaves folders and pipes alone",
  ignore,
}, async () => {
  await withWorkspace(async (dir) => {
    const root = join(dir, "root");
    await write(dir, ["elsewhere/values"]);
    await Deno.mkdir(root);
    await Deno.symlink("../elsewhere/values", join(root, ".env"));
    await Deno.symlink("../gone", join(root, ".env.gone"));
    await Deno.symlink("../elsewhere", join(root, ".env.dir"));
    const masks = masksOf(root);
    await masks.search(false);
    equal(masks.masked(), [join(dir, "elsewhere/values")]);
  });
});

Deno.test("blobName() is git's name of a content, and parseStaged() reads its rows", () => {
  const empty = new Uint8Array();
  equal(blobName(empty, 40), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  equal(blobName(empty, 64), "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
  const blob = "a".repeat(40);
  const text = `100644 ${blob} 0\ta\nb\x00120000 ${blob} 0\tc\x00100644 ${blob} 2\tconflict\0odd\0`;
  equal([...parseStaged(text)], [["a\nb", blob], ["c", blob]]);
});
