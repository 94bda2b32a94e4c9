import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { Confine } from "@/workspace/confine.ts";
import { allowed, withTree } from "./confine_tree.ts";

Deno.test("resolve() takes the existing name when only the Unicode form differs, and says so", async () => {
  await withTree(async (dir, confine) => {
    const nfc = "caf\u00e9";
    const nfd = "cafe\u0301";
    Deno.mkdirSync(join(dir, "ws", nfd));
    Deno.writeTextFileSync(join(dir, "ws", nfd, "한글".normalize("NFD")), "x");
    const spelled = `${nfc}/한글`;
    const found = await confine.resolve(spelled, "changes");
    equal(found.real, join(dir, "ws", nfd, "한글".normalize("NFD")));
    match(found.note ?? "", /another Unicode form/);
    equal(found.outside, false);
    // The exact name wins when both are there; a name that is neither is new.
    Deno.mkdirSync(join(dir, "ws", nfc));
    equal(await confine.resolve(nfc, "reads"), allowed(join(dir, "ws", nfc)));
    equal(await confine.resolve("café2", "changes"), allowed(join(dir, "ws/café2")));
  });
});

Deno.test("resolve() refuses a name that several files share in other Unicode forms", async () => {
  await withTree(async (dir, confine) => {
    // Three spellings of one name: two accents in either order, and composed as far as it goes.
    Deno.writeTextFileSync(join(dir, "ws", "a\u0323\u0307"), "");
    Deno.writeTextFileSync(join(dir, "ws", "a\u0307\u0323"), "");
    match((await confine.resolve("\u1ea1\u0307", "reads")).refusal ?? "none", /any of 2 names/);
  });
});

Deno.test("resolve() takes the disk's own spelling where the disk folds case", async () => {
  await withTree(async (dir) => {
    const fold = (path: string) =>
      path.replace(/SRC/g, "src").replace(/A\.TS$/g, "a.ts").replace("STATE", "state");
    const confine = new Confine({
      workspace: join(dir, "ws"),
      added: [],
      forbidden: [join(dir, "state")],
      disk: {
        lstat: (path) => Deno.lstatSync(fold(path)),
        readLink: (path) => Deno.readLinkSync(fold(path)),
        realPath: (path) => Deno.realPathSync(fold(path)),
        readDir: (path) => Deno.readDir(fold(path)),
      },
    });
    equal((await confine.resolve("SRC/A.TS", "reads")).real, join(dir, "ws/src/a.ts"));
    equal((await confine.resolve("SRC/new", "changes")).real, join(dir, "ws/src/new"));
    match((await confine.resolve("../STATE/keys.json", "reads")).refusal ?? "none", /state/);
  });
});

Deno.test("resolve() knows the state directory by inode when the disk does not say how it is spelled", async () => {
  await withTree(async (dir) => {
    const fold = (path: string) => path.replace("STATE", "state");
    const confine = new Confine({
      workspace: join(dir, "ws"),
      added: [],
      forbidden: [join(dir, "state")],
      disk: {
        lstat: (path) => Deno.lstatSync(fold(path)),
        readLink: (path) => Deno.readLinkSync(fold(path)),
        realPath: (path) => path,
        readDir: (path) => Deno.readDir(fold(path)),
      },
    });
    match((await confine.resolve("../STATE/keys.json", "reads")).refusal ?? "none", /state/);
  });
});
