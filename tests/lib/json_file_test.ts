import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { type DamagedFile, type JsonShape, readJsonFile, updateJsonFile } from "@/lib/json_file.ts";
import { withWorkspace } from "../support/workspace.ts";

const Shape = z.looseObject({ count: z.int(), keys: z.record(z.string(), z.string()).optional() });
type Counted = z.infer<typeof Shape>;
const COUNTED: JsonShape<Counted> = {
  read: (value) => Shape.parse(value),
  empty: () => ({ count: 0 }),
};
const now = () => new Date("2026-03-04T05:06:07.890Z");

Deno.test("readJsonFile() takes a missing file as empty, and one with a byte order mark as it is", async () => {
  await withWorkspace(async (dir) => {
    equal(await readJsonFile(join(dir, "no/such.json"), COUNTED), { value: { count: 0 } });
    Deno.writeTextFileSync(join(dir, "a.json"), '\uFEFF{"count": 3}');
    equal(await readJsonFile(join(dir, "a.json"), COUNTED), { value: { count: 3 } });
  });
});

Deno.test("readJsonFile() says what is damaged without quoting the file", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.json");
    for (
      const [text, cause] of [
        ["sk-secret-key", "it is not valid JSON"],
        ['{"count": 1,\n "k": sk-secret}', "it is not valid JSON"],
        ['{"count": "sk-secret"}', "count: Invalid input: expected int, received string"],
        ["[]", "Invalid input: expected object, received array"],
        ["", "it is not valid JSON"],
      ] as const
    ) {
      Deno.writeTextFileSync(path, text);
      const { value, damaged } = await readJsonFile(path, COUNTED);
      equal(value, { count: 0 });
      equal(damaged?.path, path);
      match(damaged?.cause ?? "", new RegExp(cause.slice(0, 14)));
      equal((damaged?.cause ?? "").includes("secret"), false);
    }
  });
});

/** What may stand where a JSON file is expected, without being one. Reading a pipe or /dev/zero would never end. */
const NO_FILES: readonly { name: string; put(path: string): void }[] = [
  { name: "a directory", put: (path) => Deno.mkdirSync(path) },
  { name: "a pipe", put: (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync() },
  { name: "a device", put: (path) => Deno.symlinkSync("/dev/zero", path) },
  { name: "a link to itself", put: (path) => Deno.symlinkSync(path, path) },
  { name: "a link to nothing", put: (path) => Deno.symlinkSync(`${path}.gone`, path) },
  {
    name: "a file of 200 MB",
    put: (path) => {
      using file = Deno.openSync(path, { create: true, write: true });
      file.truncateSync(200_000_000);
    },
  },
];

for (const { name, put } of NO_FILES) {
  Deno.test({
    name: `readJsonFile() and updateJsonFile() refuse ${name} at once and leave it`,
    ignore: Deno.build.os === "windows",
    async fn() {
      await withWorkspace(async (dir) => {
        const path = join(dir, "a.json");
        put(path);
        const { ino, mtime } = Deno.lstatSync(path);
        const { value, damaged } = await readJsonFile(path, COUNTED);
        equal([value, damaged?.path], [{ count: 0 }, path]);
        const update = { ...COUNTED, change: () => ({ count: 1 }), onDamaged: () => {} };
        await rejects(updateJsonFile(path, update), /is damaged/);
        const after = Deno.lstatSync(path);
        equal([after.ino, after.mtime], [ino, mtime]);
        equal([...Deno.readDirSync(dir)].map((entry) => entry.name).sort(), [
          "a.json",
          "a.json.lock",
        ]);
      });
    },
  });
}

Deno.test("readJsonFile() takes bytes that are not UTF-8 for damage, not for other text", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.json");
    Deno.writeFileSync(
      path,
      new Uint8Array([...new TextEncoder().encode('{"count": 1, "k": "'), 0xff, 0x22, 0x7d]),
    );
    const { value, damaged } = await readJsonFile(path, COUNTED);
    equal([value, damaged?.cause], [{ count: 0 }, "it is not UTF-8 text"]);
  });
});

Deno.test("updateJsonFile() makes the file, keeps unknown fields and leaves it alone for undefined", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "sub/a.json");
    const add = (current: Counted) => ({ ...current, count: current.count + 1 });
    equal(await updateJsonFile(path, { ...COUNTED, change: add }), { count: 1 });
    Deno.writeTextFileSync(path, '{"count": 1, "later": [true]}');
    equal(await updateJsonFile(path, { ...COUNTED, change: add }), { count: 2, later: [true] });
    equal(Deno.readTextFileSync(path), '{\n  "count": 2,\n  "later": [\n    true\n  ]\n}\n');
    const before = Deno.statSync(path).ino;
    equal((await updateJsonFile(path, { ...COUNTED, change: () => undefined })).count, 2);
    equal(Deno.statSync(path).ino, before);
  });
});

Deno.test("updateJsonFile() sets a damaged file aside whole, reports it and goes on", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.json");
    const damaged: DamagedFile[] = [];
    const update = {
      ...COUNTED,
      now,
      change: () => ({ count: 9 }),
      onDamaged: (file: DamagedFile) => void damaged.push(file),
    };
    for (const text of ['{"count": 1', "other damage"]) {
      Deno.writeTextFileSync(path, text);
      await updateJsonFile(path, update);
    }
    const kept = `${path}.damaged-2026-03-04T050607Z`;
    equal(damaged.map((file) => file.keptAs), [kept, `${kept}-2`]);
    equal(Deno.readTextFileSync(kept), '{"count": 1');
    equal(Deno.readTextFileSync(`${kept}-2`), "other damage");
    equal(JSON.parse(Deno.readTextFileSync(path)), { count: 9 });
  });
});

Deno.test("updateJsonFile() refuses to change a damaged file when nobody would be told", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.json");
    Deno.writeTextFileSync(path, "{");
    await rejects(
      updateJsonFile(path, { ...COUNTED, change: () => ({ count: 1 }) }),
      /is damaged \(it is not valid JSON/,
    );
    equal(Deno.readTextFileSync(path), "{");
  });
});

Deno.test({
  name: "updateJsonFile() keeps a private file at 0600 in a directory of 0700",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withWorkspace(async (dir) => {
      const path = join(dir, "state/keys.json");
      await updateJsonFile(path, { ...COUNTED, private: true, change: () => ({ count: 1 }) });
      equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
      equal((Deno.statSync(join(dir, "state")).mode ?? 0) & 0o777, 0o700);
      equal((Deno.statSync(`${path}.lock`).mode ?? 0) & 0o777, 0o600);
    });
  },
});

const WRITER = `
  import { updateJsonFile } from "@/lib/json_file.ts";
  const [path, name] = Deno.args;
  for (let i = 0; i < 200; i++) {
    await updateJsonFile(path, {
      read: (value) => value,
      empty: () => ({ total: 0 }),
      change: (now) => ({ ...now, total: now.total + 1, [name + i]: i }),
    });
  }
`;

Deno.test("updateJsonFile() loses none of 200 changes from each of two processes", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "shared.json");
    Deno.writeTextFileSync(join(dir, "writer.ts"), WRITER);
    const args = ["run", "-q", "--config", join(import.meta.dirname ?? "", "../../deno.json")];
    const run = (name: string) =>
      new Deno.Command(Deno.execPath(), {
        args: [...args, "--allow-read", "--allow-write", join(dir, "writer.ts"), path, name],
        stderr: "inherit",
      }).spawn().status;
    const ended = await Promise.all([run("a"), run("b")]);
    equal(ended.map((status) => status.code), [0, 0]);
    const value = JSON.parse(Deno.readTextFileSync(path));
    equal(value.total, 400);
    equal(Object.keys(value).length, 401);
  });
});
