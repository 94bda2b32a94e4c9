import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { readBounded } from "@/lib/bounded_file.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

Deno.test("readBounded() reads a file whole, up to its bound", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a");
    const bytes = new Uint8Array(200_000).fill(7);
    await Deno.writeFile(path, bytes);
    equal(await readBounded(path, 200_000), { kind: "bytes", bytes });
    equal((await readBounded(path, 199_999)).kind, "refused");
    await Deno.writeFile(path, new Uint8Array());
    equal(await readBounded(path, 0), { kind: "bytes", bytes: new Uint8Array() });
    equal(await readBounded(join(dir, "b"), 10), { kind: "absent" });
  });
});

Deno.test({ name: "readBounded() refuses what is no file", ignore }, async () => {
  await withWorkspace(async (dir) => {
    await new Deno.Command("mkfifo", { args: [join(dir, "pipe")] }).output();
    for (const path of [join(dir, "pipe"), "/dev/zero", dir]) {
      equal((await readBounded(path, 10)).kind, "refused");
    }
    await Deno.symlink("gone", join(dir, "link"));
    const read = await readBounded(join(dir, "link"), 10);
    match(read.kind === "refused" ? read.cause : "", /link to nothing/);
  });
});
