import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { openPrivateDir, PrivateDir, sweepPrivateDirs } from "@/sandbox/private_dir.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

function names(dir: string): string[] {
  return [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
}

const modeOf = (path: string) => ((Deno.lstatSync(path).mode ?? 0) & 0o777).toString(8);

Deno.test({
  name: "PrivateDir is for the person alone, whatever the umask, and leaves nothing behind",
  ignore,
}, async () => {
  await withWorkspace(async (parent) => {
    const before = Deno.umask(0);
    try {
      const dir = await PrivateDir.create(parent);
      const file = dir.file(new TextEncoder().encode("a"));
      equal([modeOf(dir.path), modeOf(dir.dir("x")), modeOf(file)], ["700", "700", "600"]);
      equal(await Deno.readTextFile(file), "a");
      equal(dir.file(new TextEncoder().encode("a")), file, "the same content is the same file");
      ok(dir.file(new TextEncoder().encode("b")) !== file);
      equal(dir.ownDir("/home/x"), dir.ownDir("/home/x"));
      await dir.remove();
      equal(names(parent), []);
    } finally {
      Deno.umask(before);
    }
  });
});

Deno.test({
  name: "PrivateDir.remove() takes away what cannot be written and follows no link",
  ignore,
}, async () => {
  await withWorkspace(async (parent) => {
    const outside = join(parent, "outside");
    await Deno.mkdir(outside);
    await Deno.writeTextFile(join(outside, "kept"), "");
    const dir = await PrivateDir.create(parent);
    const home = dir.ownDir("/home/x");
    await Deno.mkdir(join(home, "a", "b"), { recursive: true });
    await Deno.writeTextFile(join(home, "a", "b", "c"), "");
    await Deno.symlink(outside, join(home, "link"));
    await Deno.chmod(join(home, "a", "b"), 0o500);
    await Deno.chmod(join(home, "a"), 0o000);
    await dir.remove();
    equal([names(parent), names(outside)], [["outside"], ["kept"]]);
  });
});

Deno.test(
  { name: "sweepPrivateDirs() removes what dead runs left, and nothing else", ignore },
  async () => {
    await withWorkspace(async (parent) => {
      const living = await PrivateDir.create(parent);
      const dead = join(parent, "harness-sandbox-dead");
      const making = join(parent, "harness-sandbox-making");
      const old = join(parent, "harness-sandbox-old");
      for (const path of [dead, making, old, join(parent, "else")]) await Deno.mkdir(path);
      await Deno.writeTextFile(join(dead, "lock"), "");
      await Deno.utime(old, new Date(0), new Date(0));
      await Deno.symlink(join(parent, "else"), join(parent, "harness-sandbox-link"));
      const { uid } = await Deno.lstat(parent);
      await sweepPrivateDirs(parent, (uid ?? 0) + 1);
      equal(names(parent).length, 6, "those of others stay");
      await sweepPrivateDirs(parent, uid);
      const kept = [
        "else",
        living.path.slice(parent.length + 1),
        "harness-sandbox-link",
        "harness-sandbox-making",
      ];
      equal(names(parent), kept.sort());
      await living.remove();
    });
  },
);

Deno.test(
  { name: "PrivateDir.create() gives none that another run sweeps meanwhile", ignore },
  async () => {
    await withWorkspace(async (parent) => {
      const { uid } = await Deno.lstat(parent);
      let isOver = false;
      const sweeping = Array.from({ length: 4 }, async () => {
        while (!isOver) await sweepPrivateDirs(parent, uid).catch(gone);
      });
      const made: PrivateDir[] = [];
      for (let round = 0; round < 50; round += 1) {
        made.push(
          ...await Promise.all(Array.from({ length: 4 }, () => PrivateDir.create(parent))),
        );
      }
      isOver = true;
      await Promise.all(sweeping);
      equal(made.filter(({ path }) => !names(parent).includes(path.slice(parent.length + 1))), []);
      for (const dir of made) await dir.remove();
    });
  },
);

/** Somebody else who sweeps has removed it. */
function gone(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

Deno.test({ name: "openPrivateDir() makes none where commands can see", ignore }, async () => {
  await withWorkspace(async (dir) => {
    const options = { env: { TMPDIR: join(dir, "own") }, onNotice: () => {} };
    await Deno.mkdir(join(dir, "own"));
    const notSeen = await openPrivateDir([dir], options);
    ok("dir" in notSeen && !notSeen.dir.path.startsWith(dir), JSON.stringify(notSeen));
    await notSeen.dir.remove();
    const nowhere = await openPrivateDir(["/"], options);
    equal(nowhere, { problem: "there is no temporary directory outside the workspace" });
  });
});
