/** The archive and the checksum, held against the programs that read them. */
import { deepStrictEqual as equal, throws } from "node:assert";
import { fc } from "../support/property.ts";
import { joinBytes } from "@/lib/bytes.ts";
import { cksum } from "@/release/cksum.ts";
import { tar } from "@/release/tar.ts";
import { started } from "../support/single_file.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

Deno.test("tar() writes what tar reads, with folders and modes", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const files = [
      { path: "app/main.js", bytes: new TextEncoder().encode("main") },
      { path: "app/empty", bytes: new Uint8Array() },
      { path: "app/src/deep/x y.js", bytes: new Uint8Array(512).fill(7) },
      { path: `app/${"l".repeat(96)}`, bytes: new Uint8Array(513).fill(8) },
    ];
    await Deno.writeFile(`${dir}/a.tar`, tar(files));
    const { code, stderr } = await started(["tar", "-xomf", `${dir}/a.tar`, "-C", dir]);
    equal([code, stderr], [0, ""]);
    for (const { path, bytes } of files) {
      equal(Uint8Array.from(await Deno.readFile(`${dir}/${path}`)), Uint8Array.from(bytes));
      equal(((await Deno.stat(`${dir}/${path}`)).mode ?? 0) & 0o777, 0o400);
    }
    equal(((await Deno.stat(`${dir}/app/src/deep`)).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("tar() is the same for the same files, and takes no path that does not fit", () => {
  const files = [{ path: "a/b", bytes: new Uint8Array([1]) }];
  equal(tar(files), tar(files));
  throws(() => tar([{ path: "x".repeat(101), bytes: new Uint8Array() }]), /too long a path/);
});

Deno.test("cksum() is what cksum prints", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const bytes = fc.sample(fc.uint8Array({ maxLength: 5000 }), { numRuns: 8, seed: 7 });
    for (const sample of [new Uint8Array(), new Uint8Array(70_000).fill(255), ...bytes]) {
      await Deno.writeFile(`${dir}/f`, sample);
      const { stdout } = await started(["sh", "-c", 'cksum < "$0"', `${dir}/f`]);
      equal(`${cksum(sample)}\n`, stdout);
    }
  });
});

Deno.test("cksum() of pieces is that of the whole", () => {
  fc.assert(fc.property(fc.array(fc.uint8Array()), (pieces) => {
    equal(cksum(...pieces), cksum(joinBytes(pieces)));
  }));
});
