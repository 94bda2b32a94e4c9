import { deepStrictEqual as equal } from "node:assert/strict";
import { META_DIFF } from "@/lib/tool_meta.ts";
import { withFiles } from "../support/file_place.ts";

Deno.test("edit_file says for log and screen what it changed, with the lines around", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\nc\n");
    const { meta } = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: "b",
      new_content: "B",
    });
    equal(
      meta?.[META_DIFF],
      "--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c",
    );
  }));

Deno.test("write_file says what it changed of a file that the conversation has read", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    await place.call("read_file", { filepath: "f.txt" });
    const { meta } = await place.call("write_file", { filepath: "f.txt", content: "a\nc\n" });
    equal(meta?.[META_DIFF], "--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c");
  }));

Deno.test("write_file says of a file that was never read only what it wrote", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "secret\n");
    const { meta } = await place.call("write_file", { filepath: "f.txt", content: "new\n" });
    equal(meta?.[META_DIFF], "--- /dev/null\n+++ f.txt\n@@ -0,0 +1,1 @@\n+new");
  }));

Deno.test("write_file says what it changed of a file that the conversation itself has written", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "secret\n");
    await place.call("write_file", { filepath: "f.txt", content: "a\nb\n" });
    const { meta } = await place.call("write_file", { filepath: "f.txt", content: "a\nc\n" });
    equal(meta?.[META_DIFF], "--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c");
  }));

Deno.test("edit_file and write_file say no change where there is none", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\n");
    const same = await place.call("write_file", { filepath: "f.txt", content: "a\n" });
    const failed = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: "zzz",
      new_content: "y",
    });
    equal([same.meta?.[META_DIFF], failed.meta?.[META_DIFF]], [undefined, undefined]);
  }));
