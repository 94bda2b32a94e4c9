import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { lockSession, SessionInUse } from "@/session/lock.ts";
import { withWorkspace } from "../support/workspace.ts";

const SESSION = { key: "0199-u", id: "talk" };

Deno.test("lockSession() is held by one at a time, however others come and go", async () => {
  await withWorkspace(async (dir) => {
    let holders = 0;
    let taken = 0;
    let refused = 0;
    const worker = async () => {
      for (let turn = 0; turn < 60; turn += 1) {
        try {
          const lock = await lockSession(dir, SESSION);
          holders += 1;
          taken += 1;
          equal(holders, 1);
          await new Promise((resolve) => setTimeout(resolve, turn % 3));
          holders -= 1;
          await lock.release();
        } catch (error) {
          if (!(error instanceof SessionInUse)) throw error;
          refused += 1;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    equal(taken + refused, 240);
    ok(taken > 10 && refused > 10, `${taken} taken, ${refused} refused`);
    equal([...Deno.readDirSync(join(dir, ".open"))], []);
  });
});

Deno.test("lockSession() locks sessions apart, and says who has one", async () => {
  await withWorkspace(async (dir) => {
    const first = await lockSession(dir, SESSION);
    const other = await lockSession(dir, { key: "0199-v", id: "other" });
    await rejects(lockSession(dir, SESSION), {
      message: `Cannot open session "talk": it is open in another harness (process ${Deno.pid})`,
      hint: "Go on there, or end that one; -r with --fork goes on with a copy",
    });
    await first.release();
    await (await lockSession(dir, SESSION)).release();
    await other.release();
  });
});

Deno.test("lockSession() does not mind a lock file that somebody removed", async () => {
  await withWorkspace(async (dir) => {
    const lock = await lockSession(dir, SESSION);
    await Deno.remove(join(dir, ".open", "0199-u.lock"));
    await lock.release();
    await (await lockSession(dir, SESSION)).release();
  });
});
