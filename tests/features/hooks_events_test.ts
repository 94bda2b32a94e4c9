/** Programs at questions, beside sub-agents, and where a conversation is shortened. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { before, echo, type Hooks, shell, turn } from "../support/hooked_turn.ts";
import { until } from "../support/until.ts";
import { sent, withApp } from "../support/whole_app.ts";

const answers = (behavior: string, more = "") =>
  `echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest",` +
  `"decision":{"behavior":"${behavior}","message":"by the book"${more}}}}'`;
const atQuestion = (command: string): Hooks => ({
  PermissionRequest: [{ matcher: "Bash", hooks: [shell(command)] }],
});

Deno.test("a PermissionRequest hook answers a question before the person does, and no other call", async () => {
  const yes = await turn({ hooks: atQuestion(answers("allow")) });
  equal([yes.decided, yes.asked], [["allow by guard"], []]);
  const no = await turn({ hooks: atQuestion(answers("deny")), yes: true });
  equal([no.decided, no.asked], [["deny by guard"], []]);
  match(no.reasons[0] ?? "", /refused it: by the book$/);
  const allowed = await turn({ hooks: atQuestion("touch heard; exit 2"), run: { auto: true } });
  equal(allowed.decided, ["allow by automode"]);
});

Deno.test("its yes answers no rule, no question of another hook, and nothing outside; its failure nothing at all", async () => {
  const rule = await turn({
    hooks: atQuestion(answers("allow")),
    plant: (dir) =>
      Deno.writeTextFile(
        join(dir, ".permissions.json"),
        JSON.stringify({ ask: ["run_cmd(echo *)"] }),
      ),
  });
  equal(rule.decided, ["deny by person"]);
  const hook = await turn({
    hooks: {
      ...atQuestion(answers("allow")),
      ...before(`echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`),
    },
  });
  equal(hook.decided, ["deny by person"]);
  const outside = await turn({
    hooks: { PermissionRequest: [{ hooks: [shell(answers("allow"))] }] },
    calls: [{ name: "write_file", arguments: { filepath: "/tmp/people-out", content: "x" } }],
  });
  equal(outside.decided, ["deny by person"]);
  const broken = await turn({ hooks: atQuestion("exit 1") });
  equal(broken.decided, ["deny by person"]);
  ok(broken.notices.some((text) => /failed at PermissionRequest/.test(text)));
  const other = await turn({
    hooks: atQuestion(answers("allow", `,"updatedInput":{"command":"rm x"}`)),
  });
  equal(other.decided, ["deny by person"]);
  ok(other.notices.some((text) => /allows a call with other arguments/.test(text)));
});

Deno.test("a Notification hook is told of each question, and nobody waits for it", async () => {
  await turn({
    hooks: {
      Notification: [{ matcher: "permission_prompt", hooks: [shell("cat > told; sleep 60")] }],
    },
  }, async ({ dir }) => {
    const told = join(dir, "told");
    const read = () => Deno.readTextFile(told).catch(() => "");
    await until(async () => (await read()).endsWith("\n"));
    const { notification_type, message } = JSON.parse(await read());
    equal(notification_type, "permission_prompt");
    match(message, /^run_cmd: /);
  });
});

Deno.test("a sub-agent's start, calls and end are told to it, and one that is held goes on", async () => {
  const agents: string[][] = [];
  let main = 0;
  const script = (body: unknown) => {
    const { system, texts } = sent(body);
    if (!system.startsWith("You were hired")) {
      main += 1;
      const calls = [{ name: "spawn_agent", arguments: { task: "Look." } }];
      return main === 1 ? { calls } : { text: "Done." };
    }
    agents.push(texts);
    return agents.length === 1 ? { calls: [echo("echo hi")] } : { text: "It is so." };
  };
  await turn({
    script,
    hooks: {
      SubagentStart: [{
        hooks: [shell(`echo '{"hookSpecificOutput":{"additionalContext":"be brief"}}'`)],
      }],
      PostToolUse: [{ matcher: "Bash", hooks: [shell("echo dusty >&2; exit 2")] }],
      SubagentStop: [{
        hooks: [
          shell("cat >> ends; [ $(wc -l < ends) -gt 1 ] || { echo say more >&2; exit 2; }"),
        ],
      }],
    },
    run: { auto: true },
  }, async ({ dir, api }) => {
    const last = agents.at(-1)?.join("\n") ?? "";
    match(last, /says at the start of your work:\n\| be brief/);
    match(last, /says after your call of run_cmd:\n\| dusty/);
    match(last, /does not let the turn end:\n\| say more/);
    const ends = (await Deno.readTextFile(join(dir, "ends"))).trim().split("\n")
      .map((line) => JSON.parse(line));
    equal(ends.map((end) => [end.agent_type !== "", end.stop_hook_active]), [
      [true, false],
      [true, true],
    ]);
    match(ends[0].agent_transcript_path, /\.agents\/.*\.jsonl$/);
    equal(ends[1].last_assistant_message, "It is so.");
    const own = api.bodies.filter((body) => !sent(body).system.startsWith("You were hired"));
    ok(own.every((body) => !sent(body).texts.join("\n").includes("dusty")));
  });
});

Deno.test("PreCompact keeps the person's own wish back, and PostCompact is told the summary", async () => {
  const long = { text: "a long answer ".repeat(600).trim() };
  const script = (body: unknown) =>
    sent(body).system.startsWith("You shorten") ? { text: "They talked." } : long;
  await withApp(script, async ({ app, api, dir, home, events }) => {
    const write = (hooks: Hooks) =>
      Deno.writeTextFile(join(home, "hooks.json"), JSON.stringify({ hooks }));
    await write({
      PreCompact: [{ matcher: "manual", hooks: [shell("echo not now >&2; exit 2")] }],
    });
    for (let turns = 0; turns < 4; turns++) await app.say("Tell me.");
    match((await app.slash("/compact the ports")).text, /stays as it is: hook .* not now$/);
    await write({
      PreCompact: [{ hooks: [shell("cat > before")] }],
      PostCompact: [{ hooks: [shell("cat > after")] }],
      SessionStart: [{ matcher: "compact", hooks: [shell("echo still on main")] }],
    });
    await app.say("Tell me.");
    match((await app.slash("/compact the ports")).text, /was shortened/);
    equal(events.filter(({ type }) => type === "compaction").length, 1);
    // Until it has been written there is nothing of it.
    const read = async (name: string) => {
      const text = await Deno.readTextFile(join(dir, name)).catch(() => "");
      return text.endsWith("\n") ? JSON.parse(text) : {};
    };
    const { trigger, custom_instructions } = await read("before");
    equal([trigger, custom_instructions], ["manual", "the ports"]);
    await until(async () => (await read("after")).compact_summary !== undefined);
    match((await read("after")).compact_summary, /They talked/);
    await app.say("Tell me.");
    match(
      sent(api.bodies.at(-1)).texts.join("\n"),
      /says now that older messages are a summary:\n\| still on main/,
    );
  }, { run: { auto: true }, isInteractive: false });
});
