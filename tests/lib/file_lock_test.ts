import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { FileLocked, withFileLock } from "@/lib/file_lock.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("withFileLock() lets one holder in at a time inside a process", async () => {
  await withWorkspace(async (dir) => {
    let inside = 0;
    let most = 0;
    await Promise.all(Array.from({ length: 20 }, () =>
      withFileLock(join(dir, "x"), async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
      })));
    equal(most, 1);
  });
});

Deno.test("withFileLock() gives up after the wait, names what is locked and runs nothing", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "settings.json");
    await withFileLock(path, async () => {
      let ran = false;
      const body = () => Promise.resolve(ran = true);
      await rejects(
        withFileLock(path, body, { waitMs: 30, what: "the settings" }),
        (error: unknown) => {
          ok(error instanceof FileLocked);
          equal(
            error.message,
            "Cannot change the settings: another process has kept it locked for 0.03 s",
          );
          equal(error.path, path);
          return true;
        },
      );
      equal(ran, false);
    });
  });
});

Deno.test("withFileLock() gives the lock back when the body throws, and hands its result on", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "x");
    await rejects(withFileLock(path, () => Promise.reject(new RangeError())), RangeError);
    equal(await withFileLock(path, () => Promise.resolve(7), { waitMs: 0 }), 7);
  });
});

const HOLDER = `
  import { withFileLock } from "@/lib/file_lock.ts";
  await withFileLock(Deno.args[0], async () => {
    console.log("held");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
`;

Deno.test("withFileLock() waits for another process and is free as soon as that one is killed", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "x");
    Deno.writeTextFileSync(join(dir, "holder.ts"), HOLDER);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-q", "--config", join(import.meta.dirname ?? "", "../../deno.json")],
        ...["--allow-read", "--allow-write", join(dir, "holder.ts"), path],
      ],
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    equal(new TextDecoder().decode((await reader.read()).value), "held\n");
    await rejects(withFileLock(path, () => Promise.resolve(), { waitMs: 50 }), FileLocked);
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    equal(await withFileLock(path, () => Promise.resolve("mine"), { waitMs: 1000 }), "mine");
  });
});
