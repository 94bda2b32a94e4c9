import { deepStrictEqual as equal } from "node:assert/strict";
import { delimiter, join } from "node:path";
import { findProgram, pathOutside } from "@/sandbox/program.ts";
import { needing, withSandbox } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

async function plant(path: string, mode = 0o755): Promise<void> {
  await Deno.writeTextFile(path, "#!/bin/sh\n");
  await Deno.chmod(path, mode);
}

const ignore = Deno.build.os === "windows";

Deno.test({ name: "findProgram() takes the first executable file on PATH", ignore }, async () => {
  await withWorkspace(async (dir) => {
    for (const name of ["a", "b", "c", "d"]) await Deno.mkdir(join(dir, name));
    await plant(join(dir, "a", "tool"), 0o644);
    await Deno.mkdir(join(dir, "b", "tool"));
    await plant(join(dir, "c", "tool"));
    await plant(join(dir, "d", "tool"));
    const path = ["a", "gone", "b", "c", "d"].map((name) => join(dir, name)).join(delimiter);
    equal(await findProgram("tool", { path }), join(dir, "c", "tool"));
    equal(await findProgram("other", { path }), undefined);
  });
});

Deno.test(
  { name: "findProgram() passes over relative entries and the workspace", ignore },
  async () => {
    await withWorkspace(async (dir) => {
      const [ws, links, system] = ["ws", "links", "system"].map((name) => join(dir, name)) as [
        string,
        string,
        string,
      ];
      for (const made of [ws, links, system]) await Deno.mkdir(made);
      await plant(join(ws, "git"));
      await plant(join(system, "git"));
      await Deno.symlink(join(ws, "git"), join(links, "git"));
      const path = [".", "", ws, links, system].join(delimiter);
      equal(await findProgram("git", { path, notUnder: [ws] }), join(system, "git"));
    });
  },
);

Deno.test({
  name:
    "pathOutside() leaves out what is relative, and what lies inside by itself or through a link",
  ignore,
}, async () => {
  await withWorkspace(async (dir) => {
    const inside = join(dir, "ws/bin");
    await Deno.mkdir(inside, { recursive: true });
    await Deno.mkdir(join(dir, "ws-other"));
    await Deno.symlink(inside, join(dir, "link"));
    const path = [
      inside,
      "bin",
      "",
      join(dir, "link"),
      join(dir, "ws"),
      join(dir, "ws-other"),
      "/bin",
    ];
    equal(
      pathOutside(path.join(":"), [join(dir, "ws")]),
      `${join(dir, "ws-other")}:/bin`,
    );
    equal(pathOutside("/bin:relative", []), "/bin");
  });
});

Deno.test({
  name: "what opens the sandbox takes no program that the workspace offers on PATH",
  ...await needing("bwrap"),
}, async () => {
  await withSandbox(async ({ outside, run }) => {
    equal((await run("echo up")).stdout, "up\n");
    equal([...Deno.readDirSync(outside)].map(({ name }) => name), []);
  }, {
    prepare: async ({ workspace, outside }) => {
      for (const name of ["cat", "id", "ps", "sleep", "stat", "true"]) {
        const script = `#!/bin/sh\n: > "${outside}/${name}"\n`;
        await Deno.writeTextFile(join(workspace, name), script, { mode: 0o755 });
      }
    },
    options: ({ workspace }) => ({ env: { PATH: `${workspace}:${Deno.env.get("PATH")}` } }),
  });
});
