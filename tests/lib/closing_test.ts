import { deepStrictEqual as equal, rejects, throws } from "node:assert/strict";
import { closing } from "@/lib/closing.ts";

/** Notes when it is let go of. */
function noting(notes: string[]): Disposable & { name: string } {
  return { name: "it", [Symbol.dispose]: () => void notes.push("closed") };
}

Deno.test("closing() lets go after what it ran, and after the promise that it gave", async () => {
  const notes: string[] = [];
  equal(closing(noting(notes), ({ name }) => notes.push(name)), 1);
  equal(notes, ["it", "closed"]);
  const later = closing(noting(notes), async () => {
    await Promise.resolve();
    notes.push("done");
    return 7;
  });
  equal(notes.length, 2);
  equal([await later, notes.slice(2)], [7, ["done", "closed"]]);
});

Deno.test("closing() lets go when that fails", async () => {
  const notes: string[] = [];
  throws(() =>
    closing(noting(notes), () => {
      throw new Error("now");
    }), /now/);
  await rejects(closing(noting(notes), () => Promise.reject(new Error("later"))), /later/);
  equal(notes, ["closed", "closed"]);
});
