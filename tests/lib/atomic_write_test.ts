import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { ensureDir, replaceFile, writeFileAtomic } from "@/lib/atomic_write.ts";
import { canFillDisk, runOnSmallDisk } from "../support/small_disk.ts";
import { withWorkspace } from "../support/workspace.ts";

const POSIX = Deno.build.os !== "windows";

function names(dir: string): string[] {
  return [...Deno.readDirSync(dir)].map((entry) => entry.name).sort();
}

function mode(path: string): number {
  return (Deno.lstatSync(path).mode ?? 0) & 0o7777;
}

Deno.test("writeFileAtomic() writes text and bytes and leaves no other file", async () => {
  await withWorkspace(async (dir) => {
    await writeFileAtomic(join(dir, "a"), "가\n");
    await writeFileAtomic(join(dir, "a"), new Uint8Array([0, 255]));
    equal(Deno.readFileSync(join(dir, "a")), new Uint8Array([0, 255]));
    equal(names(dir), ["a"]);
  });
});

Deno.test({
  name: "writeFileAtomic() keeps the mode of a file and leaves a new one to the umask",
  ignore: !POSIX,
  async fn() {
    await withWorkspace(async (dir) => {
      Deno.writeTextFileSync(join(dir, "tool.sh"), "old");
      for (const kept of [0o755, 0o750, 0o600, 0o4755, 0o444]) {
        Deno.chmodSync(join(dir, "tool.sh"), kept);
        await writeFileAtomic(join(dir, "tool.sh"), "new");
        equal(mode(join(dir, "tool.sh")), kept);
      }
      await writeFileAtomic(join(dir, "fresh"), "x");
      equal(mode(join(dir, "fresh")), 0o666 & ~Deno.umask());
      await writeFileAtomic(join(dir, "script"), "x", { newMode: 0o777 });
      equal(mode(join(dir, "script")), 0o777 & ~Deno.umask());
      await writeFileAtomic(join(dir, "exact"), "x", { mode: 0o646 });
      equal(mode(join(dir, "exact")), 0o646);
    });
  },
});

Deno.test({
  name: "writeFileAtomic() keeps a secret at 0600 from creation, whatever was there",
  ignore: !POSIX,
  async fn() {
    await withWorkspace(async (dir) => {
      const path = join(dir, "keys.json");
      Deno.writeTextFileSync(path, "old", { mode: 0o644 });
      const seen: number[] = [];
      await replaceFile(path, "secret", {
        private: true,
        landed: (temp) => void seen.push(mode(temp)),
        ready: () =>
          void seen.push(
            ...names(dir).filter((n) => n !== "keys.json").map((n) => mode(join(dir, n))),
          ),
      });
      equal(seen, [0o600, 0o600]);
      equal(mode(path), 0o600);
    });
  },
});

Deno.test("writeFileAtomic() writes through a chain of links and the links stay", async () => {
  await withWorkspace(async (dir) => {
    await ensureDir(join(dir, "real"));
    Deno.writeTextFileSync(join(dir, "real/file"), "old");
    Deno.symlinkSync("real/file", join(dir, "one"));
    Deno.symlinkSync(join(dir, "one"), join(dir, "two"));
    await writeFileAtomic(join(dir, "two"), "new");
    equal(Deno.readLinkSync(join(dir, "two")), join(dir, "one"));
    equal(Deno.readTextFileSync(join(dir, "real/file")), "new");
    equal(names(dir), ["one", "real", "two"]);
  });
});

Deno.test("writeFileAtomic() refuses a link that dangles or turns in a circle", async () => {
  await withWorkspace(async (dir) => {
    Deno.symlinkSync("nowhere", join(dir, "dangling"));
    Deno.symlinkSync("loop", join(dir, "loop"));
    await rejects(
      writeFileAtomic(join(dir, "dangling"), "x"),
      /a link to "nowhere", which does not exist/,
    );
    await rejects(writeFileAtomic(join(dir, "loop"), "x"), /circle/);
    equal(names(dir), ["dangling", "loop"]);
  });
});

Deno.test({
  name:
    "writeFileAtomic() keeps the bits that writing alone takes away, as far as this user may set them",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withWorkspace(async (dir) => {
      for (const mode of [0o4755, 0o2750, 0o6711, 0o644]) {
        const path = join(dir, mode.toString(8));
        Deno.writeTextFileSync(path, "old");
        Deno.chmodSync(path, mode);
        await writeFileAtomic(path, "new");
        equal((Deno.statSync(path).mode ?? 0) & 0o7777, mode);
      }
    });
  },
});

Deno.test("writeFileAtomic() breaks a hard link instead of writing through it", async () => {
  await withWorkspace(async (dir) => {
    Deno.writeTextFileSync(join(dir, "a"), "old");
    Deno.linkSync(join(dir, "a"), join(dir, "b"));
    await writeFileAtomic(join(dir, "a"), "new");
    equal(Deno.readTextFileSync(join(dir, "b")), "old");
  });
});

Deno.test("writeFileAtomic() throws Deno's own error with a sentence when the place is wrong", async () => {
  await withWorkspace(async (dir) => {
    await ensureDir(join(dir, "d"));
    await rejects(writeFileAtomic(join(dir, "d"), "x"), Deno.errors.IsADirectory);
    await rejects(writeFileAtomic(join(dir, "none/x"), "x"), (error: unknown) => {
      equal(error instanceof Deno.errors.NotFound, true);
      match(String(error), /Cannot write ".*none\/x": no such file or directory/);
      return true;
    });
    equal(names(dir), ["d"]);
  });
});

Deno.test({
  name: "writeFileAtomic() says that a directory nobody may write in keeps its files as they are",
  ignore: Deno.build.os === "windows" || Deno.uid() === 0, // Root may write everywhere.
  async fn() {
    await withWorkspace(async (dir) => {
      Deno.writeTextFileSync(join(dir, "a"), "old");
      Deno.chmodSync(dir, 0o555);
      await rejects(writeFileAtomic(join(dir, "a"), "new"), (error: unknown) => {
        equal(error instanceof Deno.errors.PermissionDenied, true);
        match(String(error), /Cannot write ".*a": a file is replaced whole, .*chmod u\+w/);
        return true;
      });
      Deno.chmodSync(dir, 0o755);
      equal(Deno.readTextFileSync(join(dir, "a")), "old");
    });
  },
});

Deno.test("replaceFile() leaves the old file and no other when a check throws", async () => {
  await withWorkspace(async (dir) => {
    Deno.writeTextFileSync(join(dir, "a"), "old");
    const stop = (): never => {
      throw new RangeError("stop");
    };
    await rejects(replaceFile(join(dir, "a"), "new", { landed: stop }), RangeError);
    await rejects(replaceFile(join(dir, "a"), "new", { ready: stop }), RangeError);
    await rejects(
      replaceFile(join(dir, "a"), "new", { ready: () => Promise.reject(new RangeError()) }),
      RangeError,
    );
    equal(Deno.readTextFileSync(join(dir, "a")), "old");
    equal(names(dir), ["a"]);
  });
});

Deno.test("replaceFile() replaces a link itself", async () => {
  await withWorkspace(async (dir) => {
    Deno.writeTextFileSync(join(dir, "target"), "old");
    Deno.symlinkSync("target", join(dir, "link"));
    await replaceFile(join(dir, "link"), "new");
    equal(Deno.lstatSync(join(dir, "link")).isFile, true);
    equal(Deno.readTextFileSync(join(dir, "target")), "old");
  });
});

Deno.test({
  name: "ensureDir() makes the directories and takes away rights beyond its mode",
  ignore: !POSIX,
  async fn() {
    await withWorkspace(async (dir) => {
      await ensureDir(join(dir, "a/b"), { mode: 0o700 });
      equal([mode(join(dir, "a")), mode(join(dir, "a/b"))], [0o700, 0o700]);
      Deno.chmodSync(join(dir, "a/b"), 0o755);
      await ensureDir(join(dir, "a/b"), { mode: 0o700 });
      equal(mode(join(dir, "a/b")), 0o700);
      await rejects(async () => {
        Deno.writeTextFileSync(join(dir, "file"), "");
        await ensureDir(join(dir, "file"));
      }, Deno.errors.AlreadyExists);
    });
  },
});

const FULL_DISK = `
  import { writeFileAtomic } from "@/lib/atomic_write.ts";
  const path = Deno.args[0] + "/file";
  await writeFileAtomic(path, "small");
  try {
    await writeFileAtomic(path, new Uint8Array(500_000).fill(65));
    console.log("no error");
  } catch (error) {
    console.log(error.code, error.message);
  }
  console.log(Deno.readTextFileSync(path), [...Deno.readDirSync(Deno.args[0])].map((e) => e.name).join());
`;

Deno.test({
  name: "writeFileAtomic() on a full disk says so, keeps the old file and cleans up",
  ignore: !canFillDisk(),
  async fn() {
    await withWorkspace(async (dir) => {
      equal(
        await runOnSmallDisk(FULL_DISK, dir),
        `ENOSPC Cannot write "${join(dir, "full/file")}": the disk is full\nsmall file\n`,
      );
    });
  },
});
