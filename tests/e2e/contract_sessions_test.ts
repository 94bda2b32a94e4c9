/** Sessions and slash commands as scripts rely on them: reopened, copied, without a model. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import { withScript } from "../support/scripted_world.ts";
import { HELLO, json, world, WRITE } from "../support/scripted_runs.ts";

Deno.test("-c and -r go on with a session; none or several exit 1", () =>
  world([HELLO, HELLO, HELLO], async ({ run, bodies }) => {
    equal((await run(["-c", "-p", "again"])).code, 1);
    const first = json(await run(["-p", "first", "--output", "json"]));
    const second = json(await run(["-c", "-p", "second", "--output", "json"]));
    equal(second["session"], first["session"]);
    const third = json(
      await run(["-resume", String(first["id"]), "-p", "third", "--output", "json"]),
    );
    equal(third["session"], first["session"]);
    const { messages } = bodies()[2] as { messages: { role: string }[] };
    equal(messages.filter(({ role }) => role === "user").length, 3);
    equal((await run(["-r", "no such", "-p", "x"])).code, 1);
  }));

Deno.test("-c goes on with the model that answered last, and the session says who that was", () =>
  withScript([HELLO, HELLO, HELLO, HELLO], async ({ dir, home, api }) => {
    const say = async (...args: string[]) => {
      const env = { OLLAMA_HOST: api.url };
      equal((await harness([...args, "-p", "hi"], { cwd: dir, home, env })).code, 0);
    };
    for (const args of [["-m", "ollama/one"], ["-c", "-m", "ollama/two"], ["-c"]]) {
      await say(...args);
    }
    equal(api.bodies.map((body) => (body as { model: string }).model), ["one", "two", "two"]);
    const [file] = [...Deno.readDirSync(join(home, "sessions"))].filter(({ isFile }) => isFile);
    const path = join(home, "sessions", file?.name ?? "");
    const models = () => {
      const events = Deno.readTextFileSync(path).trim().split("\n").map((line) =>
        JSON.parse(line).event
      );
      return events.flatMap(({ type, model }) => type === "model" ? [model] : []);
    };
    equal(models(), ["one", "two"]);
    // As a run leaves it that is killed while another model stands in.
    const event = { type: "model", provider: "ollama", model: "other", standsIn: true };
    const record = { v: 1, at: new Date().toISOString(), event };
    Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
    await say("-c");
    equal(models(), ["one", "two", "other", "two"]);
  }));

Deno.test("--session-id and --fork begin sessions whose uid the script chose, and leave the others as they are", () =>
  world([HELLO, HELLO, HELLO], async ({ run, home, bodies }) => {
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const sessions = join(home, "sessions");
    const first = json(
      await run(["--session-id", one.toUpperCase(), "-p", "first", "--output", "json"]),
    );
    equal(first["session"], one);
    const path = join(sessions, `${first["id"]}.jsonl`);
    const before = Deno.readTextFileSync(path);
    const taken = await run(["--session-id", one, "-p", "again"]);
    equal([taken.code, taken.stdout], [1, ""]);
    match(taken.stderr, /has the uid .* already[\s\S]*-r /);
    const copy = json(
      await run(["-c", "--fork", "--session-id", two, "-p", "second", "--output", "json"]),
    );
    equal(copy["session"], two);
    const { messages } = bodies()[1] as { messages: { role: string }[] };
    equal(messages.filter(({ role }) => role === "user").length, 2);
    const third = json(await run(["-r", one, "--fork", "-p", "third", "--output", "json"]));
    ok(third["session"] !== one && third["session"] !== two);
    equal(Deno.readTextFileSync(path), before);
    const refused = [
      ["--fork"],
      ["--session-id", "x"],
      ["--session-id", ""],
      ["-c", "--session-id", crypto.randomUUID()],
    ];
    for (const args of refused) equal([args, (await run([...args, "-p", "x"])).code], [args, 2]);
    equal([...Deno.readDirSync(sessions)].filter(({ isFile }) => isFile).length, 3);
  }));

Deno.test("slash commands work without a model, their text on stdout", () =>
  world([WRITE, HELLO], async ({ run, dir, home }) => {
    match((await run(["-p", "/help"])).stdout, /\/undo/);
    equal((await run(["-p", "/set NUM_CTX 32768"])).code, 0);
    match(Deno.readTextFileSync(join(home, "settings.json")), /32768/);
    equal((await run(["-p", "/nope"])).code, 2);
    equal((await run(["-p", "write", "--auto"])).code, 0);
    ok(Deno.statSync(join(dir, "a.txt")).isFile);
    const undone = await run(["-p", "/undo"]);
    equal(undone.code, 0);
    match(undone.stdout, /a\.txt/);
    equal([...Deno.readDirSync(dir)].length, 0);
    equal((await run(["-p", "/redo"])).code, 0);
    ok(Deno.statSync(join(dir, "a.txt")).isFile);
  }));

Deno.test("/export writes a new file and never over one that is there", () =>
  world([HELLO], async ({ run, dir, home }) => {
    const mine = join(dir, "notes.md");
    await Deno.writeTextFile(mine, "mine");
    await run(["-p", "hi"]);
    const ran = await run(["-c", "-p", "/export notes.md"]);
    equal([ran.code, Deno.readTextFileSync(mine)], [1, "mine"]);
    match(ran.stderr, /Nothing was written: ".*notes\.md" is there already/);
    equal((await run(["-c", "-p", "/export new.md"])).code, 0);
    match(Deno.readTextFileSync(join(dir, "new.md")), /Hello there\./);
    const page = await run(["-c", "-p", "/export html"]);
    match(page.stdout, /Written to .*\.html/);
    const [name = ""] = [...Deno.readDirSync(dir)].flatMap(({ name }) =>
      name.endsWith(".html") ? [name] : []
    );
    const printed = await harness(
      ["sessions", "export", name.slice(0, -5), "--format", "html"],
      { cwd: dir, home },
    );
    match(printed.stdout, /^<!DOCTYPE html>[\s\S]*Hello there\./);
    const found = await harness(["sessions", "search", "HELLO there"], { cwd: dir, home });
    equal(found.code, 0);
    match(found.stdout, /Hello there\./);
    const none = await harness(["sessions", "search", "no such words"], { cwd: dir, home });
    equal([none.code, none.stdout], [0, ""]);
    match(none.stderr, /no session holds "no such words"/);
  }));

Deno.test("a refused slash command has one header and one result, with the error's own kind", () =>
  world([], async ({ run }) => {
    const ran = await run(["-p", "/set NOPE 1", "--output", "jsonl"]);
    const records = ran.stdout.trimEnd().split("\n").map((line) =>
      JSON.parse(line) as Record<string, unknown>
    );
    equal(records.map(({ type }) => type), ["session", "result"]);
    const [header, result] = records;
    equal([ran.code, result?.["session"]], [2, header?.["session"]]);
    equal((result?.["error"] as Record<string, unknown>)["kind"], "usage");
    match(ran.stderr, /^harness: No setting is named "NOPE"/);
  }));
