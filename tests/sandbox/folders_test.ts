/** The boundary for people whose folders lie elsewhere than most people's. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  type Folders,
  needing,
  withFolders,
  withSandbox,
  withSandboxIn,
} from "../support/sandbox.ts";

const needs = await needing();

Deno.test({ name: "a home that is a link is hidden under both names", ...needs }, async () => {
  const env: Record<string, string> = {};
  await withSandbox(async ({ run, dir, home, workspace }) => {
    const { output } = await run(
      `pwd; cat ~/letter ${dir}/link/letter ${home}/letter; echo $HOME; echo x > ~/x; cat ${home}/x`,
    );
    equal(output.includes("SECRET"), false);
    ok(output.startsWith(`${workspace}\n`), output);
    match(output, new RegExp(`${home}\nx\n`));
  }, {
    options: { env },
    prepare: async ({ dir, home }) => {
      await Deno.writeTextFile(join(home, "letter"), "SECRET\n");
      await Deno.symlink(home, join(dir, "link"));
      env.HOME = join(dir, "link");
    },
  });
});

Deno.test({
  name: "added directories are writable, shown paths are not, and nothing beside them is seen",
  ...needs,
}, async () => {
  await withSandbox(async ({ run, home }) => {
    const stuff = join(home, "stuff");
    const { output } = await run(
      `cat ${stuff}/*/file; echo new > ${stuff}/data/new; echo new > ${stuff}/lib/new; ls ${stuff}; touch ${stuff}/x`,
    );
    equal(output.split("\n").filter((line) => !line.includes("Read-only")), [
      "data",
      "lib",
      "data",
      "lib",
      "",
    ]);
    equal([...Deno.readDirSync(join(stuff, "data"))].length, 2);
    equal([...Deno.readDirSync(join(stuff, "lib"))].length, 1);
    equal([...Deno.readDirSync(stuff)].length, 3, "what was made beside them was private");
  }, {
    prepare: async ({ home }) => {
      for (const name of ["data", "private", "lib"]) {
        await Deno.mkdir(join(home, "stuff", name), { recursive: true });
        await Deno.writeTextFile(join(home, "stuff", name, "file"), `${name}\n`);
      }
    },
    options: ({ home, state }) => ({
      added: [join(home, "stuff/data")],
      visible: [join(home, "stuff/lib"), state, "/", "", join(home, "gone")],
    }),
  });
});

Deno.test({
  name: "a state directory in the workspace is not seen, and cannot be taken away",
  ...needs,
}, async () => {
  await withFolders(async (folders) => {
    const state = join(folders.workspace, "tools", "state");
    await Deno.mkdir(join(state, "sessions"), { recursive: true });
    await Deno.writeTextFile(join(state, "providers.json"), "SECRET\n");
    await withSandboxIn({ ...folders, state }, async (run) => {
      const hunt = "cat tools/state/* moved/*/* 2>&1; grep -rs SECRET .; ls -A tools/state";
      for (
        const line of [
          "true",
          "mv tools moved",
          "mv tools/state s; ls s",
          "rm -rf tools",
          "echo x > tools/state/providers.json",
        ]
      ) {
        equal((await run(`${line}; ${hunt}`)).output.includes("SECRET"), false, line);
      }
    });
    equal(await Deno.readTextFile(join(state, "providers.json")), "SECRET\n");
  });
});

Deno.test({
  name: "a scratch directory in the state can be given to one command, and nothing beside it",
  ...needs,
}, async () => {
  await withSandbox(async ({ run, state }) => {
    const scratch = join(state, "vm", "scratch");
    const line =
      `echo x > ${scratch}/x; cat ${state}/providers.json; ls ${state} ${state}/vm; echo y > y`;
    const given = await run(line, { writable: [scratch], canWriteWorkspace: false });
    equal(given.output.includes("SECRET"), false);
    match(given.stdout, /:\nvm\n\n.*:\nscratch\n$/s);
    match(given.stderr, /y: Read-only file system/);
    equal((await run(line)).stderr.includes("nonexistent"), true);
    equal(await Deno.readTextFile(join(scratch, "x")), "x\n");
  }, {
    prepare: async ({ state }) => {
      await Deno.mkdir(join(state, "vm", "scratch"), { recursive: true });
      await Deno.writeTextFile(join(state, "providers.json"), "SECRET\n");
    },
  });
});

Deno.test({
  name: "a workspace that is no part of any home works, and its neighbours are read-only",
  ...needs,
}, async () => {
  const dir = await Deno.realPath(
    await Deno.makeTempDir({ dir: "/var/tmp", prefix: "harness-test-" }),
  );
  try {
    await withFolders(async (folders) => {
      const workspace = join(dir, "project");
      await Deno.mkdir(workspace);
      await Deno.writeTextFile(join(dir, "neighbour"), "SECRET\n");
      await withSandboxIn({ ...folders, workspace } satisfies Folders, async (run) => {
        const { output } = await run(`pwd; echo x > x; cat ../neighbour; echo y > ../y`);
        equal(output.includes("SECRET"), false);
        ok(output.startsWith(workspace));
      });
      equal([...Deno.readDirSync(dir)].map(({ name }) => name).sort(), ["neighbour", "project"]);
      equal(await Deno.readTextFile(join(workspace, "x")), "x\n");
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
