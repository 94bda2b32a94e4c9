import { deepStrictEqual as equal } from "node:assert/strict";
import { isWithin, seenFrom } from "@/lib/path_within.ts";

Deno.test("isWithin() compares whole names", () => {
  equal(isWithin("/ws/a", "/ws"), true);
  equal(isWithin("/ws", "/ws"), true);
  equal(isWithin("/ws-evil", "/ws"), false);
  equal(isWithin("/a", "/"), true);
  equal(isWithin("/", "/a"), false);
});

Deno.test("seenFrom() is relative below the directory and the path itself elsewhere", () => {
  equal(seenFrom("/ws", "/ws/src/a.ts"), "src/a.ts");
  equal(seenFrom("/ws", "/ws/..a/b"), "..a/b");
  equal(seenFrom("/", "/etc/hosts"), "etc/hosts");
  equal(seenFrom("/ws", "/ws-evil/a"), "/ws-evil/a");
  equal(seenFrom("/ws", "/ws"), "/ws");
});
