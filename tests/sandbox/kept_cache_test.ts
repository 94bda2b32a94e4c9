/** Caches that outlive a run: one a workspace, written by its commands, seen by nothing else. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { openKeptCaches } from "@/sandbox/kept_cache.ts";
import { needing, withSandbox } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";
const has = (name: string) => Promise.resolve(name === "go");
const DAY_MS = 24 * 3_600_000;

Deno.test({ name: "openKeptCaches() keeps one a workspace, and 30 days", ignore }, async () => {
  await withWorkspace(async (stateDir) => {
    const open = (workspace: string, day: number) =>
      openKeptCaches({ stateDir, workspace, has, now: () => day * DAY_MS });
    const [one] = await open("/one", 1);
    equal(one?.at, ".cache/go-build");
    await Deno.writeTextFile(join(one?.from ?? "", "built"), "");
    equal(await open("/one", 2), [one]);
    const [two] = await open("/two", 20);
    equal(one?.from === two?.from, false);
    const names = () => [...Deno.readDirSync(join(stateDir, "caches"))].length;
    await open("/two", 31);
    equal([names(), Deno.statSync(join(one?.from ?? "", "built")).isFile], [2, true]);
    await open("/two", 33);
    equal(names(), 1, "what nobody opened for 30 days is gone");
  });
});

Deno.test({ name: "openKeptCaches() makes nothing where it is of no use", ignore }, async () => {
  await withWorkspace(async (stateDir) => {
    const nobody = () => Promise.resolve(false);
    equal(await openKeptCaches({ stateDir, workspace: "/one", has: nobody }), []);
    equal([...Deno.readDirSync(stateDir)], []);
    equal(await openKeptCaches({ stateDir: join(stateDir, "no"), workspace: "/one", has }), []);
    await Deno.writeTextFile(join(stateDir, "caches"), "in the way");
    equal(await openKeptCaches({ stateDir, workspace: "/one", has }), []);
  });
});

Deno.test({
  name:
    "what a command leaves in Go's cache is there in the next run of this project, and the rest of the state is not",
  ...await needing("go"),
}, async () => {
  await withSandbox(async ({ run, open, processes, workspace, state, home }) => {
    await Deno.writeTextFile(join(state, "secret"), "s");
    equal((await run("mkdir -p ~/.cache/go-build && echo kept > ~/.cache/go-build/x")).code, 0);
    const again = await open();
    const { stdout } = await processes.run({
      program: "/bin/sh",
      args: [
        "-c",
        `cat ~/.cache/go-build/x; ls ~/.cache/go-build/.. ${state}; rm ${state}/*; true`,
      ],
      cwd: workspace,
      wrap: again.wrap(),
    });
    equal(stdout.text().split("\n")[0], "kept");
    equal(/secret|caches/.test(stdout.text()), false);
    equal(Deno.readTextFileSync(join(state, "secret")), "s");
    equal([...Deno.readDirSync(home)].some(({ name }) => name === ".cache"), false);
    await again.close();
  });
});

Deno.test({
  name: "the boundary holds for who has a cache directory of their own, and nothing of it is seen",
  ...await needing("go"),
}, async () => {
  await withSandbox(async ({ open, processes, workspace, home }) => {
    await Deno.mkdir(join(home, ".cache/go-build"), { recursive: true });
    await Deno.writeTextFile(join(home, ".cache/go-build/mine"), "");
    await Deno.writeTextFile(join(home, ".cache/other"), "");
    const sandbox = await open();
    equal(sandbox.isProven, true);
    const { stdout } = await processes.run({
      program: "/bin/sh",
      args: ["-c", "ls ~/.cache ~/.cache/go-build"],
      cwd: workspace,
      wrap: sandbox.wrap(),
    });
    equal(/mine|other/.test(stdout.text()), false, stdout.text());
    await sandbox.close();
  });
});
