import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { lowestFree } from "@/channel/member.ts";
import type { Member } from "@/channel/member.ts";
import { channelChild, withBoards } from "../support/channel.ts";

const WRITE = { kind: "write", reason: "", ttlS: 300 } as const;
const CLAIM = { kind: "claim", reason: "the parser", ttlS: 1_800 } as const;

/** Who holds what is in the way; "" where it was taken. */
async function holder(
  member: Member,
  paths: readonly string[],
  terms = WRITE as typeof WRITE | typeof CLAIM,
) {
  const taken = await member.claim(paths, terms);
  return taken.ok ? "" : taken.held.map(({ holder, path }) => `${holder} ${path}`).join(", ");
}

Deno.test("agents see each other, have the lowest free names, and are told who joins and leaves", () =>
  withBoards(async ({ join: on }) => {
    const [one, two] = [await on("ollama/one"), await on("ollama/two")];
    equal([one.id, two.id], ["a1", "a2"]);
    equal((await one.peers()).map(({ id, model }) => [id, model]), [["a2", "ollama/two"]]);
    await two.beat({ model: "ollama/two", label: "writing tests" });
    equal((await one.peers()).map(({ label }) => label), ["writing tests"]);
    await one.leave();
    equal(await two.peers(), []);
    const three = await on("ollama/three");
    equal(three.id, "a1");
    equal((await two.hear("told")).map(({ sender, voice, text }) => [sender, voice, text]), [
      ["a1", "board", "left"],
      ["a1", "board", "joined (ollama/three)"],
    ]);
    equal(lowestFree(["a1", "a3"]), "a2");
    await rejects(one.peers(), /has left the board/);
  }));

Deno.test("a claim of several takes all or none, names who is in the way, and hinders nobody who holds it", () =>
  withBoards(async ({ join: on, path }) => {
    const [one, two] = [await on(), await on()];
    equal(await holder(one, [path("b.py")], CLAIM), "");
    equal(await holder(two, [path("a.py"), path("b.py")]), `a1 ${path("b.py")}`);
    equal(await two.claims(), []);
    equal(await holder(one, [path("b.py"), path("a.py")]), "");
    equal((await one.release([path("b.py")])).map(({ key }) => key), ["b.py"]);
    equal(await two.release([path("a.py")]), [], "what another holds");
    equal(await holder(two, [path("b.py")]), "");
    equal((await one.release()).map(({ key }) => key), ["a.py"]);
  }));

Deno.test("a claim of a directory covers what is in it; one taken by writing covers itself alone", () =>
  withBoards(async ({ join: on, path }) => {
    const [one, two] = [await on(), await on()];
    equal(await holder(one, [path("src")], CLAIM), "");
    equal(await holder(two, [path("src/deep/a.py")]), `a1 ${path("src")}`);
    equal(await holder(two, [path("srcs/a.py")]), "");
    await one.release();
    equal(await holder(one, [path("new")]), "", "create_dir");
    equal(await holder(two, [path("new/a.py")]), "");
    equal(await holder(one, [path("new")], CLAIM), `a2 ${path("new/a.py")}`);
  }));

Deno.test("a claim expires; writing makes one longer and never shorter", () =>
  withBoards(async ({ join: on, path, clock }) => {
    const [one, two] = [await on(), await on()];
    await one.claim([path("a"), path("b")], CLAIM);
    await one.claim([path("a"), path("c")], WRITE);
    equal((await one.claims()).map(({ key, kind, reason }) => [key, kind, reason]), [
      ["a", "claim", "the parser"],
      ["b", "claim", "the parser"],
      ["c", "write", ""],
    ]);
    clock.ms += 301_000;
    equal(await holder(two, [path("c")]), "");
    equal(await holder(two, [path("a")]), `a1 ${path("a")}`);
    clock.ms += 1_500_000;
    equal(await holder(two, [path("a")]), "");
  }));

Deno.test("spellings that lead to one file are one claim", () =>
  withBoards(async ({ join: on, path, top }) => {
    const [one, two] = [await on(), await on()];
    await one.claim([path("caf\u00e9.txt")], WRITE);
    equal(await holder(two, [path("cafe\u0301.txt")]), `a1 ${path("caf\u00e9.txt")}`);
    // Whether cases are told apart is the disk's to say.
    await Deno.writeTextFile(path("Read.md"), "");
    const isFolded = await Deno.stat(path("read.md")).then(() => true, () => false);
    await one.claim([path("Read.md")], WRITE);
    equal(await holder(two, [path("read.md")]) !== "", isFolded);
    equal(await holder(one, [join(top, "..", "outside.txt")]), "");
  }));

Deno.test("messages reach whom they are for, once for the model and once for the person, and never their sender", () =>
  withBoards(async ({ join: on }) => {
    const [one, two, three] = [await on(), await on(), await on()];
    for (const member of [one, two, three]) await member.hear("told");
    equal(await one.say("a2", "are you finished?"), {
      ok: true,
      to: "a2",
      here: ["a2", "a3"],
      wasCut: false,
    });
    equal(await three.say("everyone", "only tests\x1b[2J"), {
      ok: true,
      here: ["a1", "a2"],
      wasCut: false,
    });
    const texts = (heard: { text: string }[]) => heard.map(({ text }) => text);
    equal(texts(await two.unread("told")), ["are you finished?", "only tests\\x1b[2J"]);
    equal(texts(await two.hear("told")), ["are you finished?", "only tests\\x1b[2J"]);
    equal(await two.hear("told"), []);
    equal(texts(await two.hear("shown")).slice(-2), ["are you finished?", "only tests\\x1b[2J"]);
    equal(texts(await one.hear("told")), ["only tests\\x1b[2J"]);
    equal(texts(await three.hear("told")), []);
    equal(await one.say("a9", "hello"), { ok: false, here: ["a2", "a3"], wasCut: false });
    equal((await one.say("a2", "x".repeat(2_001))).wasCut, true);
  }));

Deno.test("a message to nobody is not sent, and the board keeps 200", () =>
  withBoards(async ({ join: on, open }) => {
    const one = await on();
    equal(await one.say("all", "anybody?"), { ok: false, here: [], wasCut: false });
    const two = await on();
    for (let n = 0; n < 250; n += 1) await two.say("a1", `${n}`);
    const { messages } = await (await open()).look();
    equal([messages.length, messages.at(-1)?.text], [200, "249"]);
  }));

Deno.test("what an agent whose process was killed holds is free at once, and nothing but its process keeps it", () =>
  withBoards(async ({ dir, top, clock, path, open, join: on }) => {
    clock.ms = Date.now();
    const child = channelChild("hold", dir, top, path("a.py"));
    const reader = child.stdout.getReader();
    await reader.read();
    const one = await on();
    equal(await holder(one, [path("a.py")]), `a1 ${path("a.py")}`);
    child.kill("SIGSTOP"); // Silent, but alive: its files stay its own.
    clock.ms += 500_000;
    equal(await holder(one, [path("a.py")]), `a1 ${path("a.py")}`);
    child.kill("SIGKILL");
    await child.status;
    // Its pid may belong to another program by now.
    const board = await open();
    await board.change((sql) =>
      sql.prepare("UPDATE agents SET pid = ? WHERE id = 'a1'").run(Deno.pid)
    );
    equal(await holder(one, [path("a.py")]), "");
    equal(await one.peers(), []);
    await reader.cancel();
    await child.stdin.close();
  }));

Deno.test("when the clock is set back a claim lasts as long as it was to last, from then on", () =>
  withBoards(async ({ clock, path, join: on }) => {
    const [one, two] = [await on(), await on()];
    equal(await holder(one, [path("a.py")]), "");
    clock.ms -= 900_000;
    equal(await holder(two, [path("a.py")]), `a1 ${path("a.py")}`);
    clock.ms += 299_000;
    equal(await holder(two, [path("a.py")]), `a1 ${path("a.py")}`);
    clock.ms += 1_000;
    equal(await holder(two, [path("a.py")]), "");
  }));

Deno.test("an agent of another machine counts as gone when it has given no sign for CHANNEL_STALE", () =>
  withBoards(async ({ clock, path, join: on, dir }) => {
    const [far, one] = [await on("ollama/far", "there"), await on()];
    await far.claim([path("a.py")], CLAIM);
    // Its lock is not seen from here.
    const [marks = ""] = [...Deno.readDirSync(dir)].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => join(dir, name));
    for (const { name } of Deno.readDirSync(marks)) {
      const text = await Deno.readTextFile(join(marks, name));
      await Deno.remove(join(marks, name));
      await Deno.writeTextFile(join(marks, name), text);
    }
    clock.ms += 119_000;
    equal(await holder(one, [path("a.py")]), `a1 ${path("a.py")}`);
    clock.ms += 2_000;
    equal(await holder(one, [path("a.py")]), "");
    equal((await far.peers()).length, 1, "it comes back by itself");
  }));

Deno.test("a board that is damaged or removed is made anew, and whoever is there is on it again", () =>
  withBoards(async ({ dir, join: on, path, clock }) => {
    const [one, two] = [await on(), await on()];
    const file = [...Deno.readDirSync(dir)].find(({ name }) => name.endsWith(".db"))?.name ?? "";
    await Deno.remove(join(dir, file));
    equal(await holder(one, [path("a")]), "");
    equal(await holder(two, [path("a")]), `a1 ${path("a")}`);
    clock.ms += 1;
    await Deno.writeTextFile(
      join(dir, file),
      "this is not a database, and long enough to be seen as none\n".repeat(200),
    );
    equal(await holder(two, [path("b")]), "");
    equal(await holder(one, [path("b")]), `a2 ${path("b")}`);
    const names = [...Deno.readDirSync(dir)].map(({ name }) => name);
    ok(names.some((name) => name.includes(".damaged-")), names.join(" "));
    match(file, /^ws-[0-9a-f]{10}\.1\.db$/);
    if (Deno.build.os !== "windows") {
      equal((Deno.statSync(join(dir, file)).mode ?? 0) & 0o777, 0o600);
    }
  }));
