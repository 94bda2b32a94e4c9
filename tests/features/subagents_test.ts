/** Sub-agents in the whole program: what they may, who is asked, what stops them, and what comes back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { Approver } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { WholeApp } from "../support/whole_app.ts";
import { sent, withApp } from "../support/whole_app.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";

const isAgent = (body: unknown) => sent(body).system.startsWith("You were hired");

/** A script in two voices: the conversation's, and its agents'. Each agent is told apart by its brief. */
function voices(
  main: readonly ScriptedReply[],
  agent: (task: string, index: number, body: unknown) => ScriptedReply | Promise<ScriptedReply>,
) {
  let said = 0;
  const counts = new Map<string, number>();
  return (body: unknown): ScriptedReply | Promise<ScriptedReply> => {
    if (!isAgent(body)) return main[said++] ?? { text: "Done." };
    const [task = ""] = sent(body).texts;
    const index = counts.get(task) ?? 0;
    counts.set(task, index + 1);
    return agent(task, index, body);
  };
}

const hire = (...tasks: readonly string[]): ScriptedReply => ({
  calls: tasks.map((task) => ({ name: "spawn_agent", arguments: { task } })),
});
const call = (name: string, given: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name, arguments: given }],
});

function results({ events }: WholeApp): ToolResult[] {
  return events.flatMap((event) =>
    event.type === "message" && event.message.role === "tool" ? [event.message.result] : []
  );
}

Deno.test("only the report comes back; the work is in a file beside the session's, and its cost stands apart", () =>
  withApp(
    voices(
      [hire("Find the port."), { text: "It is 8080." }],
      (_task, index) =>
        index === 0
          ? call("read_file", { filepath: "config.txt" })
          : { text: "The port is 8080 (config.txt:1)." },
    ),
    async (whole) => {
      const { app, api, events, home } = whole;
      equal((await app.say("which port?")).answer, "It is 8080.");
      const [result] = results(whole);
      equal([result?.status, result?.text], ["ok", "The port is 8080 (config.txt:1)."]);
      equal(events.filter((event) => event.type === "message").length, 4);
      const usage = events.flatMap((event) => event.type === "usage" ? [event.purpose] : []);
      equal(usage, ["turn", "subagent", "subagent", "turn"]);
      const log = await Deno.readTextFile(String(result?.meta?.["log"]));
      match(log, /port=8080/);
      const session = app.facts().session;
      equal([...Deno.readDirSync(join(home, "sessions", `${session}.agents`))].length >= 1, true);
      const agents = api.bodies.filter(isAgent).map((body) => sent(body).tools);
      ok(agents.every((tools) => tools.includes("read_file") && !tools.includes("spawn_agent")));
    },
    { plant: (dir) => Deno.writeTextFile(join(dir, "config.txt"), "port=8080\n") },
  ));

Deno.test("an agent is asked about like the conversation, in its own name; a denied call is told", () => {
  const asked: string[] = [];
  const approver: Approver = (call, reason) => {
    asked.push(`${call.tool.name}: ${reason}`);
    return Promise.resolve(
      call.tool.name === "spawn_agent"
        ? { answer: "yes" }
        : { answer: "no", reason: "not that one" },
    );
  };
  return withApp(
    voices(
      [hire("Delete a.txt.")],
      (_task, index) =>
        index === 0 ? call("delete_file", { filepath: "a.txt" }) : { text: "I may not." },
    ),
    async (whole) => {
      await whole.app.say("clean up");
      equal(asked.length, 2);
      match(asked[1] ?? "", /^delete_file: sub-agent 1 \("Delete a\.txt\."\) asks; /);
      const [result] = results(whole);
      match(result?.text ?? "", /^I may not\.\n\n1 call of it was refused: delete_file$/);
      ok(await Deno.readTextFile(join(whole.dir, "a.txt")));
    },
    {
      run: {},
      screen: { approver },
      plant: (dir) => Deno.writeTextFile(join(dir, "a.txt"), "a\n"),
    },
  );
});

Deno.test("deny rules hold, withheld tools are refused, and a headless run says that nobody approved", () =>
  withApp(
    voices([hire("Try all.")], (_task, index) => {
      if (index === 0) return call("delete_file", { filepath: "a.txt" });
      if (index === 1) return call("spawn_agent", { task: "you do it" });
      if (index === 2) return call("write_file", { filepath: "b.txt", content: "b" });
      return { text: "Nothing worked." };
    }),
    async (whole) => {
      const { calls } = await whole.app.say("go");
      const [spawned] = calls;
      match(
        spawned?.result.text ?? "",
        /3 calls of it were refused: delete_file, spawn_agent, write_file/,
      );
      equal(spawned?.result.meta?.["unapproved"], true);
      const said = whole.api.bodies.filter(isAgent).flatMap((body) => sent(body).texts).join("\n");
      match(said, /\[System\] Nothing was done: .*delete_file/);
      match(said, /\[System\] Nothing was done: a sub-agent cannot hire another one/);
      match(said, /\[System\] Nothing was done: nobody is here to approve it/);
    },
    {
      run: { allow: ["spawn_agent"], deny: ["delete_file"] },
      isInteractive: false,
      plant: (dir) => Deno.writeTextFile(join(dir, "a.txt"), "a\n"),
    },
  ));

Deno.test("when its requests are used up it is asked once more, without tools", () =>
  withApp(
    voices([hire("Read for ever.")], (_task, index, body) =>
      sent(body).tools.length === 0
        ? { text: `So far: ${index} looked at.` }
        : call("list_dir", { dirpath: index % 2 === 0 ? "." : `d${index}` })),
    async (whole) => {
      await whole.app.say("go");
      const asked = whole.api.bodies.filter(isAgent).map((body) =>
        sent(body).tools.length > 0
      );
      equal(asked, [true, true, true, false]);
      equal(results(whole)[0]?.text, "So far: 3 looked at.");
    },
    { run: { auto: true, set: ["SUBAGENT_MAX_TURNS=3"] } },
  ));

Deno.test("agents of one reply work side by side, as many as the setting says", async () => {
  let now = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const tasks = ["one", "two", "three"];
  await withApp(
    voices([hire(...tasks)], async (task) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) gate.resolve();
      await gate.promise;
      now -= 1;
      return { text: `${task} is done.` };
    }),
    async (whole) => {
      const { calls } = await whole.app.say("go");
      equal(calls.map(({ result }) => result.text), tasks.map((task) => `${task} is done.`));
      equal(most, 2);
    },
    { run: { auto: true, set: ["SUBAGENTS_AT_ONCE=2"] } },
  );
});

Deno.test("an interrupt stops all of them, those that wait too, and each call has its result", () =>
  withApp(
    voices([hire("one", "two")], () => ({
      text: "Looking",
      fault: { kind: "stall", at: "end" },
    })),
    async (whole) => {
      const { app, api } = whole;
      const turn = app.say("go");
      while (!api.bodies.some(isAgent)) await new Promise((resolve) => setTimeout(resolve, 5));
      const rows = await app.alive();
      match(JSON.stringify(rows), /"agent 1".*one: .*"agent 2".*two: waiting for a place/);
      app.interrupt();
      const { stop, calls } = await turn;
      equal([stop, calls.map(({ result }) => result.status)], [
        "abort",
        ["interrupted", "interrupted"],
      ]);
      equal(await app.alive(), []);
    },
    { run: { auto: true, set: ["SUBAGENTS_AT_ONCE=1"] } },
  ));

Deno.test("what an agent changes belongs to the turn that hired it, and to no reading of the conversation", () =>
  withApp(
    voices(
      [
        call("read_file", { filepath: "a.txt" }),
        hire("Change a.txt."),
        call("write_file", { filepath: "a.txt", content: "mine" }),
      ],
      (_task, index) => {
        if (index === 0) return call("read_file", { filepath: "a.txt" });
        if (index === 1) return call("write_file", { filepath: "a.txt", content: "theirs\n" });
        return { text: "Changed." };
      },
    ),
    async (whole) => {
      const { calls } = await whole.app.say("go");
      const [, hired, written] = calls.map(({ result }) => result);
      match(await Deno.readTextFile(String(hired?.meta?.["log"])), /"turn_start","turn":1}/);
      equal(hired?.changed, [join(whole.dir, "a.txt")]);
      equal(written?.status, "failed");
      match(written?.text ?? "", /theirs/);
      equal(await Deno.readTextFile(join(whole.dir, "a.txt")), "theirs\n");
    },
    { plant: (dir) => Deno.writeTextFile(join(dir, "a.txt"), "first\n") },
  ));

Deno.test("another model is asked where the brief names one, and one that is not there is told", () =>
  withApp(
    voices(
      [{
        calls: ["m2", "anthropic/claude-x"].map((model) => ({
          name: "spawn_agent",
          arguments: { task: `Work with ${model}.`, model },
        })),
      }],
      () => ({ text: "By another." }),
    ),
    async (whole) => {
      const { calls } = await whole.app.say("go");
      equal(calls[0]?.result.text, "By another.");
      equal(calls[1]?.result.status, "failed");
      match(
        calls[1]?.result.text ?? "",
        /The sub-agent failed: Nothing was sent to api\.anthropic\.com: it wants a key/,
      );
      const models = whole.api.bodies.filter(isAgent).map((body) =>
        (body as { model: string }).model
      );
      equal(models, ["m2"]);
    },
    { run: { auto: true, offline: true } },
  ));

Deno.test("where the depth allows it an agent hires another one, in its own place", () =>
  withApp(
    voices(
      [hire("Outer.")],
      (task, index) =>
        task === "Outer." && index === 0 ? hire("Inner.") : { text: `${task} is done.` },
    ),
    async (whole) => {
      const { calls } = await whole.app.say("go");
      equal(calls.map(({ result }) => result.text), ["Outer. is done."]);
      const agents = whole.api.bodies.filter(isAgent).map((body) => {
        const { texts, tools } = sent(body);
        return [texts[0], tools.includes("spawn_agent")];
      });
      equal(agents, [["Outer.", true], ["Inner.", false], ["Outer.", true]]);
    },
    { run: { auto: true, set: ["SUBAGENT_MAX_DEPTH=2", "SUBAGENTS_AT_ONCE=1"] } },
  ));

Deno.test("replies that cannot be read are asked for again, and a broken connection is tried again", () =>
  withApp(
    voices([hire("Carry on.")], (_task, index): ScriptedReply => {
      if (index === 0) return { text: "I", fault: { kind: "drop", at: "end" } };
      if (index === 1) {
        return { calls: [{ name: "list_dir", arguments: '{"dirpath": ' }] };
      }
      return { text: "Carried on." };
    }),
    async (whole) => {
      const { calls } = await whole.app.say("go");
      equal(calls.map(({ result }) => result.text), ["Carried on."]);
    },
  ));
