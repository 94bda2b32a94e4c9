import { deepStrictEqual as equal, match } from "node:assert/strict";
import { TestLock, testLock } from "@/agent/test_lock.ts";
import type { Guard } from "@/protocol/policy.ts";
import { guardedCall, pathCall } from "../support/guarded_call.ts";
import { loop, say } from "../support/loop.ts";
import { calls, type Reply, says, scriptedProvider } from "../support/scripted_provider.ts";

const tests = () => ({
  isTest: (path: string) => Promise.resolve(/test/.test(path.slice("/ws/".length))),
  keep: () => Promise.resolve(),
});

function held(): { lock: TestLock; guard: Guard } {
  const lock = new TestLock();
  lock.arm(0);
  lock.sink({ type: "turn_start", turn: 1 });
  const resolve = (path: string) => path.startsWith("/") ? path : `/ws/${path}`;
  return { lock, guard: testLock({ lock, tests, resolve }) };
}

Deno.test("the test lock refuses every change of a test, and says what would work", async () => {
  const { guard } = held();
  for (const tool of ["edit_file", "write_file", "delete_file"]) {
    const decision = await guard(pathCall(tool, ["/ws/test_a.py"]));
    equal([decision?.verdict, decision?.by], ["deny", "guard"]);
    match(decision?.reason ?? "", /"\/ws\/test_a.py".*\/tdd.*say that the test is wrong/);
  }
  equal(await guard(pathCall("edit_file", ["/ws/a.py"])), undefined);
  equal(await guard(pathCall("read_file", ["/ws/test_a.py"], { effect: "reads" })), undefined);
});

Deno.test("the test lock lets tests be copied from, not to", async () => {
  const { guard } = held();
  const copy = (src: string, dst: string) =>
    guard(guardedCall({ kind: "path", paths: [src, dst], reads: [src] }, { tool: "copy_file" }));
  equal(await copy("/ws/test_a.py", "/ws/a.py"), undefined);
  equal((await copy("/ws/a.py", "/ws/test_a.py"))?.verdict, "deny");
});

Deno.test("the test lock looks at a path as it is written and at what it leads to", async () => {
  const { guard } = held();
  const link = pathCall("edit_file", ["/ws/a.py"], { spelled: ["tests/a.py"] });
  equal((await guard(link))?.verdict, "deny");
  const other = pathCall("edit_file", ["/ws/tests/a.py"], { spelled: ["a.py"] });
  equal((await guard(other))?.verdict, "deny");
});

const edit = calls([{ name: "change", input: { filepath: "test_a.py" } }]);

/** Turns of a real loop with the lock; the status of each call. */
async function statuses(
  script: readonly Reply[],
  { before = () => {}, turns = 1, during }: {
    before?: (lock: TestLock) => void;
    turns?: number;
    during?: (interrupt: () => void) => void;
  },
): Promise<{ lock: TestLock; statuses: string[]; told: number }> {
  const lock = new TestLock();
  before(lock);
  const resolve = (path: string) => path.startsWith("/") ? path : `/ws/${path}`;
  const provider = scriptedProvider(script);
  const { harness, seen } = loop({
    provider,
    guards: [
      testLock({ lock, tests, resolve }),
      () => ({ verdict: "allow", by: "rule", reason: "" }),
    ],
    hooks: [lock.hook],
    sink: (event) => lock.sink(event),
  });
  for (let at = 0; at < turns; at += 1) {
    const turn = say(harness);
    during?.(() => harness.interrupt());
    await turn;
  }
  const found = seen.flatMap((event) =>
    event.type === "message" && event.message.role === "tool" ? [event.message.result.status] : []
  );
  const told =
    seen.filter((event) =>
      event.type === "message" && event.message.role === "user" && event.message.origin === "hook"
    ).length;
  return { lock, statuses: found, told };
}

Deno.test("the test lock holds for one turn, told to the model once, and lifts itself", async () => {
  const { lock, statuses: seen, told } = await statuses(
    [edit, edit, says("cannot"), edit, says("done")],
    { before: (one) => one.arm(0), turns: 2 },
  );
  equal(seen, ["denied", "denied", "ok"]);
  equal([lock.state, told], ["off", 1]);
});

Deno.test("the test lock is lifted when the turn fails or is interrupted", async () => {
  const fault = { events: [], fault: new Error("the connection is gone") };
  equal((await statuses([fault], { before: (one) => one.arm(0) })).lock.state, "off");
  const hangs = { events: [], hang: true };
  const { lock } = await statuses([hangs], {
    before: (one) => one.arm(0),
    during: (interrupt) => setTimeout(interrupt, 50),
  });
  equal(lock.state, "off");
});

Deno.test("the test lock takes no notice of turns from before it was armed", () => {
  const lock = new TestLock();
  lock.arm(2);
  for (const turn of [1, 2]) {
    lock.sink({ type: "turn_start", turn });
    lock.sink({ type: "turn_end", turn, stop: "end" });
  }
  equal(lock.state, "armed");
  lock.sink({ type: "turn_start", turn: 3 });
  equal(lock.state, "held");
});

Deno.test("the test lock can be lifted early", async () => {
  const { lock, guard } = held();
  equal([lock.lift(), lock.lift(), lock.state], [true, false, "off"]);
  equal(await guard(pathCall("edit_file", ["/ws/test_a.py"])), undefined);
});
