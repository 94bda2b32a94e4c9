import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { changePreview } from "@/workspace/change_preview.ts";

Deno.test("changePreview() is a unified diff with three lines around", async () => {
  const before = ["1", "2", "3", "4", "5", "6", ""];
  const after = ["1", "2", "3", "4", "five", "6", ""];
  equal(
    await changePreview("f", before, after),
    "--- f\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6",
  );
});

Deno.test("changePreview() shows a new file as added lines, and a missing final newline", async () => {
  equal(
    await changePreview("f", undefined, ["a", "b"]),
    "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file",
  );
});

Deno.test("changePreview() keeps removed lines that look like a header", async () => {
  const diff = await changePreview("f", ["-- x", "=====", ""], ["y", "=====", ""]);
  equal(diff, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n--- x\n+y\n =====");
});

Deno.test("changePreview() is bounded and says what is left out", async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
  const diff = await changePreview("f", undefined, lines);
  ok(diff.length < 21_000);
  match(diff, /… \d+ more lines of the diff are not shown$/);
});

Deno.test("changePreview() shows what is added to a file, however much that is", async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
  const diff = await changePreview("f", [...lines.slice(0, 1_500), ""], [...lines, ""]);
  match(diff, /\n line 1499\n\+line 1500\n/);
});

Deno.test("changePreview() shows a replacement when comparing takes too long", async () => {
  const side = (name: string) =>
    Array.from({ length: 6_000 }, (_, index) => `${name} ${(index * 7919) % 6_007}`);
  const diff = await changePreview("f", side("old"), side("new"));
  match(diff, /too different to compare; the new content/);
});
