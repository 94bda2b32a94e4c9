/** The agent channel in the whole program, beside another agent on the same board. */
import { deepStrictEqual as equal, doesNotMatch, match } from "node:assert/strict";
import { join } from "node:path";
import { runCommand } from "@/terminal/commands/mod.ts";
import { withPeer } from "../support/channel.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { until } from "../support/until.ts";
import { sent, type WholeApp } from "../support/whole_app.ts";

const TOOLS = ["list_agents", "send_agent_message", "claim_files", "release_files"];
const CLAIM = { kind: "claim", reason: "the parser", ttlS: 600 } as const;
const DONE: ScriptedReply = { text: "done" };

const call = (name: string, args: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name, arguments: args }],
});
const write = (filepath: string, content = "mine\n") => call("write_file", { filepath, content });

const results = ({ events }: WholeApp) =>
  events.flatMap((event) =>
    event.type === "message" && event.message.role === "tool" ? [event.message.result] : []
  );
const notices = ({ events }: WholeApp) =>
  events.flatMap((event) =>
    event.type === "notice" && event.about === "channel" ? [event.text] : []
  );
const offered = (body: unknown) => sent(body).tools.filter((name) => TOOLS.includes(name));

Deno.test("a file that another agent holds is refused to every tool that would change it, with holder and reason", () =>
  withPeer([
    write("a.txt"),
    call("edit_file", { filepath: "sub/../a.txt", old_content: "theirs", new_content: "mine" }),
    DONE,
    call("delete_file", { filepath: "a.txt" }),
    call("copy_file", { src: "b.txt", dst: "link.txt" }),
    DONE,
    call("create_dir", { dirpath: "new/deep" }),
    call("copy_file", { src: "a.txt", dst: "c.txt" }),
    DONE,
  ], async (world) => {
    const { app, peer, dir } = world;
    await Deno.writeTextFile(join(dir, "a.txt"), "theirs\n");
    await Deno.writeTextFile(join(dir, "b.txt"), "b\n");
    await Deno.mkdir(join(dir, "sub"));
    await Deno.symlink("a.txt", join(dir, "link.txt"));
    await peer.claim([join(dir, "a.txt"), join(dir, "new")], CLAIM);
    for (let turn = 0; turn < 3; turn += 1) await app.say("go");
    const [last, ...refused] = results(world).reverse();
    equal(last?.status, "ok", "what is only read is nobody's");
    equal(refused.map(({ status }) => status), Array(5).fill("denied"));
    for (const { text } of refused) {
      match(
        text,
        /is held by a1, who says: "the parser" \(for .* more at most\).*send_agent_message to a1/,
      );
    }
    equal(await Deno.readTextFile(join(dir, "a.txt")), "theirs\n");
    equal(await Deno.readTextFile(join(dir, "c.txt")), "theirs\n");
  }));

Deno.test("what is written is held for the writer, and what was refused or failed is not", () =>
  withPeer([
    write("a.txt"),
    write("no/such/dir.txt"),
    call("edit_file", { filepath: "a.txt", old_content: "not there", new_content: "x" }),
    write("secret.txt"),
    call("create_dir", { dirpath: "made" }),
    DONE,
  ], async (world) => {
    const { app, peer, board, dir } = world;
    await Deno.writeTextFile(join(dir, "no"), "a file where a directory would have to be");
    await app.say("go");
    await until(async () => !(await board.look()).claims.some(({ key }) => key === "secret.txt"));
    const { claims } = await board.look();
    equal(claims.map(({ key, kind }) => [key, kind]), [["a.txt", "write"], ["made", "write"]]);
    const taken = await peer.claim([join(dir, "a.txt")], CLAIM);
    equal(taken.ok, false);
    await app.close();
    equal((await board.look()).claims, []);
  }, { run: { deny: ["write_file(secret*)"] } }));

Deno.test("what a call that would change nothing was about is held no longer than the call", () =>
  withPeer([
    call("edit_file", { filepath: "a.txt", old_content: "not there at all", new_content: "x" }),
    DONE,
  ], async ({ app, board, dir, events }) => {
    await Deno.writeTextFile(join(dir, "a.txt"), "as it was\n");
    await app.say("go");
    const decided = events.flatMap((event) => event.type === "decision" ? [event.decision] : []);
    equal(decided.map(({ verdict, reason }) => [verdict, reason]), [
      ["allow", "it would change nothing"],
    ]);
    await until(async () => (await board.look()).claims.length === 0);
  }, { run: { auto: false } }));

Deno.test("the tools come with the first other agent, and stay: the prefix changes once", () =>
  withPeer(() => DONE, async (world) => {
    const { app, api, board } = world;
    await app.say("alone");
    equal((await board.look()).claims, []);
    const { Member } = await import("@/channel/member.ts");
    const peer = await Member.join(board, { model: "ollama/peer", label: "tests" });
    await app.say("with a peer");
    await peer.leave();
    await app.say("alone again");
    const [first, second, third] = api.bodies;
    equal([first, second, third].map(offered), [[], TOOLS, TOOLS]);
    equal(sent(second).system.slice(0, 200), sent(third).system.slice(0, 200));
    doesNotMatch(JSON.stringify(first), /agents are at work/);
    match(
      JSON.stringify(second),
      /Other agents are at work in this project.*a2 \(ollama\/peer - tests; holding nothing\).*You are a1/,
    );
    match(JSON.stringify(third), /a2 left/);
  }, { isAlone: true }));

Deno.test("a message is shown to the person at once, given to the model with its next request, and chased once", () =>
  withPeer((body) => {
    const { texts } = sent(body);
    const isChased = texts.at(-1)?.includes("waiting on an answer");
    return isChased && texts.filter((text) => text.includes("waiting on an answer")).length === 2
      ? call("send_agent_message", { to: "a1", message: "a.txt is yours" })
      : DONE;
  }, async (world) => {
    const { app, peer, api } = world;
    await peer.hear("told");
    await peer.say("a2", "are you finished?\nwith a.txt");
    await until(() =>
      notices(world).some((text) => /^a1 → a2: are you finished\? with a\.txt$/.test(text))
    );
    await until(async () =>
      (await app.alive()).some(({ name, needs }) => name === "a1" && needs === true)
    );
    await app.say("go on");
    match(
      sent(api.bodies[0]).texts.join("\n"),
      /a1 to you:\n\| are you finished\?\n\| with a\.txt/,
    );
    equal(api.bodies.length, 2, "asked once more, and not again");
    equal((await app.alive()).some(({ needs }) => needs === true), false);
    await peer.say("a2", "well?");
    await app.say("and now");
    equal((await peer.hear("told")).map(({ text }) => text), ["a.txt is yours"]);
    await peer.say("all", "news");
    const before = api.bodies.length;
    await app.say("more");
    equal(api.bodies.length, before + 1, "news needs no answer");
  }));

Deno.test("claims are asked for and handed back by tools, and the person alone takes one away", () =>
  withPeer([
    call("claim_files", { paths: "a.txt, 'b.txt'", reason: "a rewrite" }),
    call("claim_files", { paths: ["c.txt", "theirs.txt"] }),
    call("release_files", { paths: ["b.txt"] }),
    call("list_agents", {}),
    DONE,
    write("theirs.txt"),
    DONE,
  ], async (world) => {
    const { app, peer, board, dir } = world;
    await peer.claim([join(dir, "theirs.txt")], CLAIM);
    await app.say("go");
    const [claimed, refused, released, listed] = results(world);
    equal([claimed, refused, released].map((one) => one?.status), ["ok", "denied", "ok"]);
    match(refused?.text ?? "", /Nothing was claimed: "theirs\.txt" is held by a1/);
    match(
      listed?.text ?? "",
      /a1 +ollama\/peer - writing tests\n.*holding theirs\.txt\n +a2 \(you\).*\n.*holding a\.txt/,
    );
    const { claims } = await board.look();
    equal(claims.map(({ key, reason }) => [key, reason]), [["a.txt", "a rewrite"], [
      "theirs.txt",
      "the parser",
    ]]);
    const host = await app.commandHost();
    match((await runCommand("/agents", host)).text, /Agents in .*\n +a1 .*\n.*\n +a2 \(you\)/);
    equal(
      (await runCommand("/agents release theirs.txt", host)).text,
      '"theirs.txt" is no longer held by a1',
    );
    match(
      (await peer.hear("told")).at(-1)?.text ?? "",
      /took "theirs\.txt" from you, as the user said/,
    );
    await app.say("again");
    equal(await Deno.readTextFile(join(dir, "theirs.txt")), "mine\n");
    match((await runCommand("/agents say lunch", host)).text, /said to a1/);
    equal((await peer.hear("told")).map(({ voice, text }) => [voice, text]), [["person", "lunch"]]);
  }));

Deno.test("/agents off leaves the board and hands everything back, and a setting never joins it", () =>
  withPeer([write("a.txt"), DONE, write("theirs.txt"), DONE], async (world) => {
    const { app, peer, board, dir, api } = world;
    await app.say("go");
    const host = await app.commandHost();
    match((await runCommand("/agents off", host)).text, /off the board/);
    equal(await peer.peers(), []);
    equal((await board.look()).claims, []);
    await peer.claim([join(dir, "theirs.txt")], CLAIM);
    await app.say("go");
    equal(await Deno.readTextFile(join(dir, "theirs.txt")), "mine\n");
    equal(offered(api.bodies[0]), TOOLS);
    match((await runCommand("/agents on", host)).text, /on the board, as a2/);
    equal((await peer.peers()).length, 1);
    await runCommand("/set CHANNEL_ENABLED off", host);
    await until(async () => (await peer.peers()).length === 0);
    match((await runCommand("/agents on", host)).text, /CHANNEL_ENABLED is off/);
  }));

Deno.test("/undo does not change what another agent holds", () =>
  withPeer([write("a.txt"), DONE], async (world) => {
    const { app, peer, board, dir } = world;
    await app.say("go");
    const host = await app.commandHost();
    await board.free(join(dir, "a.txt"));
    await peer.claim([join(dir, "a.txt")], CLAIM);
    const refused = await runCommand("/undo", host);
    match(refused.text, /Nothing was changed: "a\.txt" is held by a1.*\/agents release PATH/);
    equal(await Deno.readTextFile(join(dir, "a.txt")), "mine\n");
    await peer.release();
    equal((await runCommand("/undo", host)).ok, true);
    equal((await board.look()).claims.map(({ key }) => key), ["a.txt"]);
  }));

Deno.test("what changes under a claim is reported to its holder, once, whatever did it", () =>
  withPeer([
    write("a.txt"),
    write("a.txt", "mine again\n"),
    call("run_cmd", { command: "echo theirs > a.txt" }),
    DONE,
    DONE,
  ], async (world) => {
    const { app, api, dir } = world;
    await app.say("go");
    const reports = (body: unknown) =>
      sent(body).texts.filter((text) => /Changed while you hold it.*: a\.txt/.test(text)).length;
    equal(api.bodies.map(reports), [0, 0, 0, 1]);
    await Deno.utime(join(dir, "a.txt"), new Date(), new Date(1_000_000));
    await app.say("go");
    equal(reports(api.bodies.at(-1)), 1, "the same content is no change");
    await Deno.writeTextFile(join(dir, "a.txt"), "by an editor\n");
    const told = () =>
      notices(world).filter((text) => text === "changed while this session holds it: a.txt");
    await until(() => told().length === 2);
  }));
