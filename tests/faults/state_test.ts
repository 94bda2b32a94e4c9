/**
 * The real program where its state cannot be kept, or was kept by another version or under another clock: it says so in a
 * sentence, goes on as far as it can, and takes nothing away.
 */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { command, environment, harness, type Ran } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { withScript } from "../support/scripted_world.ts";
import { canFillDisk } from "../support/small_disk.ts";

const write = (filepath: string, content: string): ScriptedReply => ({
  calls: [{ name: "write_file", arguments: { filepath, content } }],
});
const ARGS = ["-m", "ollama/m", "--sandbox", "off", "--auto"];

type Mounted = { dir: string; home: string; url: string; mounts: readonly string[] };

/** Run the program where something is mounted, after a shell line that prepares it there. */
async function runMounted(
  { dir, home, url, mounts }: Mounted,
  before: string,
  args: readonly string[],
): Promise<Ran> {
  const line = `${before}; cd "$0" && exec "$@"`;
  const run = [...command({}), ...ARGS, ...args];
  const child = await new Deno.Command("bwrap", {
    args: ["--dev-bind", "/", "/", ...mounts, "--", "sh", "-c", line, dir, ...run],
    clearEnv: true,
    env: environment({ home, env: { OLLAMA_HOST: url } }),
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code: child.code, stdout: text.decode(child.stdout), stderr: text.decode(child.stderr) };
}

const fill = (dir: string) => `head -c 10000000 /dev/zero > ${dir}/filler 2> /dev/null`;

Deno.test({
  name:
    "a full disk under the state directory is said when it is met and at the end, and the answer is given",
  ignore: !canFillDisk(),
  fn: () =>
    withScript([write("a.txt", "x"), { text: "Hm." }], async ({ dir, home, api }) => {
      const mounts = ["--size", "65536", "--tmpfs", home];
      const ran = await runMounted({ dir, home, url: api.url, mounts }, fill(home), [
        "-p",
        "write it",
      ]);
      equal(ran.stdout, "Hm.\n", ran.stderr);
      match(ran.stderr, /the disk is full/);
      equal(ran.stderr.split("Cannot save session").length - 1, 2, ran.stderr);
      match(ran.stderr, /The conversation ends without \d+ records of it in the file\. Make room/);
      // What cannot be recorded for undo is not done.
      equal([...Deno.readDirSync(dir)], []);
      match(JSON.stringify(api.bodies[1]), /Cannot record the edit/);
    }),
});

Deno.test({
  name: "a full disk under the workspace leaves every file whole, and the model is told",
  ignore: !canFillDisk(),
  fn: () =>
    withScript(
      [
        write("old.txt", "new ".repeat(30_000)),
        { calls: [{ name: "read_file", arguments: { filepath: "old.txt" } }] },
        { calls: [{ name: "list_dir", arguments: { dirpath: "." } }] },
        { text: "No room." },
      ],
      async ({ dir, home, api }) => {
        const mounts = ["--size", "65536", "--tmpfs", dir];
        const before = `printf 'as it was\\n' > ${dir}/old.txt; ${fill(dir)}`;
        const ran = await runMounted({ dir, home, url: api.url, mounts }, before, ["-p", "write"]);
        equal([ran.code, ran.stdout], [0, "No room.\n"], ran.stderr);
        match(JSON.stringify(api.bodies[1]), /disk is full|No space left/);
        match(JSON.stringify(api.bodies[2]), /\|as it was/);
        ok(!JSON.stringify(api.bodies[3]).includes(".tmp"), "nothing is left lying about");
      },
    ),
});

Deno.test({
  name: "a state directory that cannot be written ends the start with its cause and the way out",
  ignore: !canFillDisk(),
  fn: () =>
    withScript([], async ({ dir, home, api }) => {
      const mounts = ["--ro-bind", home, home];
      const ran = await runMounted({ dir, home, url: api.url, mounts }, ":", ["-p", "hi"]);
      equal([ran.code, ran.stdout, api.bodies.length], [1, "", 0]);
      match(
        ran.stderr,
        /^harness: Cannot keep sessions and settings in ".*home": the file system is read-only\n {2}Make .* HARNESS_HOME/,
      );
    }),
});

Deno.test("a session and settings of a later version are used as far as they are understood, and kept as they are", () =>
  withScript(
    [{ text: "One." }, { text: "Two." }, { text: "Three." }],
    async ({ dir, home, api }) => {
      const options = { cwd: dir, home, env: { OLLAMA_HOST: api.url } };
      equal((await harness([...ARGS, "-p", "first"], options)).code, 0);
      const [name = ""] = [...Deno.readDirSync(join(home, "sessions"))].flatMap(({ name }) =>
        name.endsWith(".jsonl") ? [name] : []
      );
      const path = join(home, "sessions", name);
      const at = "2031-01-01T00:00:00.000Z";
      const later = [
        { v: 1, at, event: { type: "mood", mood: "fine" } },
        { v: 2, at, event: { type: "message", message: { role: "user", parts: [] } } },
        { v: 1, at, event: { type: "notice", level: "info", text: "hm", tint: "blue" } },
      ].map((record) => `${JSON.stringify(record)}\n`).join("");
      await Deno.writeTextFile(path, later, { append: true });
      const settings = { NUM_CTX: 16_384, FUTURE_THING: { deep: [1] }, AUTOMODE: "sometimes" };
      await Deno.writeTextFile(join(home, "settings.json"), JSON.stringify(settings));
      const ran = await harness([...ARGS, "-c", "-p", "second"], options);
      equal([ran.code, ran.stdout], [0, "Two.\n"], ran.stderr);
      match(ran.stderr, /holds 2 records of a form that this version does not/);
      const body = api.bodies[1] as { options: { num_ctx: number }; messages: unknown[] };
      ok(JSON.stringify(body.messages).includes("One."));
      equal(body.options.num_ctx, 16_384);
      // What a later version wrote stays for it.
      const log = [...Deno.readDirSync(join(home, "sessions"))].find(({ name }) =>
        name.endsWith(".jsonl")
      );
      ok(Deno.readTextFileSync(join(home, "sessions", log?.name ?? "")).includes(later));
      equal((await harness(["-p", "/set NUM_CTX 24576"], options)).code, 0);
      const kept = JSON.parse(Deno.readTextFileSync(join(home, "settings.json")));
      equal([kept.NUM_CTX, kept.FUTURE_THING], [24_576, { deep: [1] }]);
      const third = await harness([...ARGS, "-c", "-p", "third"], options);
      equal([third.code, third.stdout], [0, "Three.\n"], third.stderr);
    },
  ));

Deno.test("a clock that was years ahead, and files from the future and from 1970, change nothing", () =>
  withScript([{ text: "One." }], async ({ dir, home, api }) => {
    const options = { cwd: dir, home, env: { OLLAMA_HOST: api.url } };
    equal((await harness([...ARGS, "-p", "first"], options)).code, 0);
    for (const { name } of Deno.readDirSync(join(home, "sessions"))) {
      const path = join(home, "sessions", name);
      if (!name.endsWith(".jsonl")) continue;
      const text = Deno.readTextFileSync(path);
      Deno.writeTextFileSync(path, text.replaceAll(/"at":"\d{4}/g, '"at":"2091'));
      Deno.utimeSync(path, new Date("2091-01-01"), new Date("2091-01-01"));
    }
    const rows = ["1970-01-01", "2091-01-01"].map((day, at) => {
      const path = join(dir, `f${at}.txt`);
      Deno.writeTextFileSync(path, "old\n");
      Deno.utimeSync(path, new Date(day), new Date(day));
      return { filepath: `f${at}.txt`, old_content: "old", new_content: "new" };
    });
    await using next = startFakeOllama([
      { calls: rows.map((row) => ({ name: "read_file", arguments: { filepath: row.filepath } })) },
      { calls: rows.map((row) => ({ name: "edit_file", arguments: row })) },
      { text: "Both." },
    ]);
    const env = { OLLAMA_HOST: next.url };
    const ran = await harness([...ARGS, "-c", "-p", "edit both"], { ...options, env });
    equal([ran.code, ran.stdout], [0, "Both.\n"], ran.stderr);
    equal(rows.map(({ filepath }) => Deno.readTextFileSync(join(dir, filepath))), [
      "new\n",
      "new\n",
    ]);
    ok(JSON.stringify(next.bodies[0]).includes("One."), "the session from the future goes on");
    const undone = await harness(["-c", "-p", "/undo"], { ...options, env });
    equal(undone.code, 0, undone.stderr);
    equal(Deno.readTextFileSync(join(dir, "f1.txt")), "old\n");
    equal((await harness(["sessions", "list"], { ...options, env })).code, 0);
  }));
