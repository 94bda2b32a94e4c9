/** Hooks in the whole program: real programs of the person's, a scripted model, and what becomes of its calls. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { livingWith, withProcesses } from "../support/processes.ts";
import { before, echo, type Entry, type Hooks, shell, turn } from "../support/hooked_turn.ts";
import { until } from "../support/until.ts";
import { withApp } from "../support/whole_app.ts";

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("exit code 2 refuses a call for good, whatever would allow it, and the model reads why", async () => {
  const { decided, reasons, texts } = await turn({
    hooks: before("echo 'not on a Monday' >&2; exit 2"),
    run: { auto: true, allow: ["run_cmd"] },
  }, async ({ dir }) => equal(await isThere(join(dir, "out")), false));
  equal(decided, ["deny by guard"]);
  match(reasons[0] ?? "", /^hook ".*" \(.*hooks\.json\) refused it: not on a Monday$/);
  ok(texts.some((text) => text.includes("not on a Monday")));
});

Deno.test("an allow skips the question and no rule that denies, and nothing outside of the workspace", async () => {
  const yes = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
    `"permissionDecision":"allow","permissionDecisionReason":"ours"}}'`;
  const plain = await turn({ hooks: before(yes) });
  equal([plain.decided, plain.asked], [["allow by guard"], []]);
  const denied = await turn({ hooks: before(yes), run: { deny: ["run_cmd(echo *)"] } });
  equal([denied.decided, denied.asked], [["deny by rule"], []]);
  const outside = await turn({
    hooks: before(yes),
    calls: [{ name: "write_file", arguments: { filepath: "/tmp/people-out", content: "x" } }],
  });
  equal(outside.decided, ["deny by person"]);
  const power = await turn({
    hooks: before(yes),
    calls: [{ name: "write_file", arguments: { filepath: ".hooks.json", content: "{}" } }],
  });
  equal(power.decided, ["deny by person"]);
});

Deno.test("a question of a hook stands against rules and automode", async () => {
  const ask =
    `echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`;
  for (const run of [{ auto: true }, { allow: ["run_cmd(*)"] }]) {
    const { decided, asked } = await turn({ hooks: before(ask), run, yes: true });
    equal(decided, ["allow by person"]);
    match(asked[0] ?? "", /asks: sure\?/);
  }
  const idle = { filepath: "none.txt", old_content: "a", new_content: "b" };
  const { asked } = await turn({
    hooks: before(ask),
    calls: [{ name: "edit_file", arguments: idle }],
    yes: true,
  });
  match(asked.join(), /asks: sure\?/);
  const nobody = await turn({ hooks: before(ask), run: { auto: true, deny: ["run_cmd(echo *)"] } });
  equal(nobody.decided, ["deny by rule"]);
});

const FAILS: readonly (readonly [string, Entry, RegExp])[] = [
  ["exit 1", {}, /exit code 1/],
  ["kill -9 $$", {}, /ended by SIGKILL/],
  ["no-such-program-here", {}, /exit code 127/],
  ["sleep 30", { timeout: 0.3 }, /stopped after \d+ s/],
  ["(sleep 31 & sleep 32 & wait)", { timeout: 0.3 }, /stopped after \d+ s/],
  ["echo fine", {}, /no JSON object: fine/],
  [`echo '{"hookSpecificOutput": {"permissionDecision": 5}}'`, {}, /not understood/],
  [`echo '{"hookSpecificOutput": {"hookEventName": "Stop"}}'`, {}, /answered for "Stop"/],
  [`echo '{"decision": "perhaps"}'`, {}, /not understood/],
  ["head -c 3000000 /dev/zero", {}, /too many for an answer/],
  ["/no/such/dir/x", { args: [] }, /does not exist/],
  ["exit 0", { type: "http" }, /only commands are run/],
  ["exit 0", { timeout: "ten" }, /no number of seconds/],
];

Deno.test("a hook that cannot run, or answers nothing sensible, makes the call a question", async () => {
  for (const [command, more, why] of FAILS) {
    const { decided, asked } = await turn({ hooks: before(command, more), run: { auto: true } });
    equal([command, decided], [command, ["deny by person"]]);
    match(asked[0] ?? "", why);
  }
});

Deno.test("a hooks file that is no JSON, or of another shape, makes every call a question", async () => {
  for (
    const text of [
      "{",
      "[]",
      `{"hooks": 5}`,
      `{"hooks": {"PreToolUse": {}}}`,
      `{"hooks": {"PreToolUse": [{"matcher": "(", "hooks": [{"command": "true"}]}]}}`,
    ]
  ) {
    const { decided } = await turn({ hooks: text, run: { auto: true } });
    equal([text, decided], [text, ["deny by person"]]);
  }
});

Deno.test(`"onError": "allow" is the other way, said once`, async () => {
  const { decided, notices } = await turn({
    hooks: before("exit 1", { onError: "allow" }),
    calls: [echo("echo a"), echo("echo b")],
    run: { auto: true },
  });
  equal(decided, ["allow by automode", "allow by automode"]);
  equal(
    notices.filter((text) => /failed at PreToolUse: it ended with exit code 1/.test(text)).length,
    1,
  );
});

Deno.test("a program reads the names that it was written for, whatever the tool is called here", async () => {
  const { decided } = await turn({
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [shell("cat > seen-bash")] },
        { matcher: "write_file|Edit", hooks: [shell("cat > seen-write")] },
        { matcher: "mcp__.*", hooks: [shell("touch seen-mcp")] },
      ],
    },
    calls: [echo("echo hi"), {
      name: "write_file",
      arguments: { filepath: "a.txt", content: "x" },
    }],
    run: { auto: true },
  }, async ({ app, dir }) => {
    const read = async (name: string) => JSON.parse(await Deno.readTextFile(join(dir, name)));
    const { tool_use_id, transcript_path, ...bash } = await read("seen-bash");
    equal(bash, {
      session_id: app.facts().session,
      cwd: dir,
      permission_mode: "bypassPermissions",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      harness_tool: "run_cmd",
      tool_input: { command: "echo hi" },
    });
    match(tool_use_id, /./);
    match(transcript_path, /sessions\/.*\.jsonl$/);
    const { tool_name, tool_input } = await read("seen-write");
    equal([tool_name, tool_input], [
      "Write",
      { filepath: "a.txt", content: "x", file_path: join(dir, "a.txt") },
    ]);
    equal(await isThere(join(dir, "seen-mcp")), false);
  });
  equal(decided, ["allow by automode", "allow by automode"]);
});

Deno.test("a program that does not read its input, leaves it unread, or leaves a daemon, holds nothing up", async () => {
  const { decided } = await turn({
    hooks: before("exec < /dev/null; setsid sleep 60 > /dev/null 2>&1 & exit 0"),
    calls: [{ name: "write_file", arguments: { filepath: "a", content: "x".repeat(300_000) } }],
    run: { auto: true },
  });
  equal(decided, ["allow by automode"]);
});

Deno.test("an interrupt ends a hook with all it started, the end of the program what has left it", async () => {
  await withProcesses(async (processes) => {
    const living = (mark: string) => livingWith(processes, `sleep ${mark}`);
    const mark = String(1_000_000 + Deno.pid);
    await withApp([{ text: "", calls: [echo("echo a")] }], async ({ app, home, events }) => {
      const hooks: Hooks = {
        SessionStart: [{
          hooks: [
            shell(
              `setsid sh -c "touch up; exec sleep ${mark}1" > /dev/null 2>&1 & until [ -e up ]; do sleep 0.05; done`,
            ),
          ],
        }],
        ...before(`sleep ${mark}2 & wait`),
      };
      await Deno.writeTextFile(join(home, "hooks.json"), JSON.stringify({ hooks }));
      const turn = app.say("go");
      await until(async () => (await living(`${mark}2`)).length > 0);
      app.interrupt();
      equal((await turn).stop, "abort");
      await until(async () => (await living(`${mark}2`)).length === 0);
      equal((await living(`${mark}1`)).length, 1);
      equal(events.filter(({ type }) => type === "decision").length, 1);
    });
    equal(await living(`${mark}1`), []);
  });
});

Deno.test("after a call, at the start and at a message, programs tell the model", async () => {
  const { texts } = await turn({
    hooks: {
      SessionStart: [{ matcher: "startup", hooks: [shell("echo branch: main")] }],
      UserPromptSubmit: [{ hooks: [shell("echo it is Monday")] }],
      PostToolUse: [{ hooks: [shell("echo 'line 1 is too long' >&2; exit 2")] }],
    },
    run: { auto: true },
  });
  const all = texts.join("\n");
  match(all, /says at the start of the session:\n\| branch: main/);
  match(all, /says of the user's message:\n\| it is Monday/);
  match(all, /says after your call of run_cmd:\n\| line 1 is too long/);
});

Deno.test("a message that is held back reaches no model and no log", async () => {
  const { notices } = await turn({
    hooks: { UserPromptSubmit: [{ hooks: [shell("echo secret inside >&2; exit 2")] }] },
  }, async ({ api, events, app }) => {
    equal(api.bodies.length, 0);
    equal(events.filter((event) => JSON.stringify(event).includes(`"go"`)), []);
    await app.close();
  });
  ok(notices.some((text) => /held the message back: secret inside/.test(text)));
});

Deno.test("a turn is kept from ending three times, then said", async () => {
  const { notices, texts } = await turn({
    hooks: {
      Stop: [{ hooks: [shell(`cat >> stops; echo '{"decision":"block","reason":"tests fail"}'`)] }],
    },
    calls: [],
    more: 3,
  }, async ({ dir }) => {
    const lines = (await Deno.readTextFile(join(dir, "stops"))).trim().split("\n");
    equal(
      lines.map((line) => JSON.parse(line).stop_hook_active),
      [false, true, true, true],
    );
  });
  match(texts.join("\n"), /does not let the turn end:\n\| tests fail/);
  ok(notices.some((text) => /kept the turn from ending 3 times/.test(text)));
});

Deno.test(`"continue": false ends the turn`, async () => {
  const { notices, decided } = await turn({
    hooks: before(`echo '{"continue": false, "stopReason": "enough"}'`),
    calls: [echo("echo a")],
    run: { auto: true },
  });
  equal(decided, ["deny by guard"]);
  ok(notices.some((text) => /The turn is over: .*enough/.test(text)));
});

Deno.test("hooks of a project do nothing until they are trusted, and run in the sandbox alone", async () => {
  const plant = async (dir: string) => {
    await Deno.writeTextFile(
      join(dir, ".hooks.json"),
      JSON.stringify({
        hooks: {
          SessionStart: [{ hooks: [shell("touch ran")] }],
          PreToolUse: [{ hooks: [shell("exit 2")] }],
        },
      }),
    );
  };
  const hostile = await turn(
    { plant, run: { auto: true } },
    async ({ dir, app }) => {
      equal(await isThere(join(dir, "ran")), false);
      match((await app.slash("/hooks")).text, /not trusted as it is now/);
      match(
        (await app.slash("/trust")).text,
        /\.hooks\.json:\n {2}runs at SessionStart, in the sandbox: touch ran/,
      );
    },
  );
  equal(hostile.decided, ["allow by automode"]);
  const trusted = await turn(
    { plant, run: { auto: true, trust: true } },
    async ({ dir }) => equal(await isThere(join(dir, "ran")), false),
  );
  equal(trusted.decided, ["deny by person"]);
  match(trusted.asked[0] ?? "", /no sandbox holds here/);
});

Deno.test("a name that is no event is told with the nearest one", async () => {
  const { notices } = await turn({
    hooks: { PreTolUse: [], TeammateIdle: [] },
    run: { auto: true },
  });
  ok(notices.some((text) => /"PreTolUse" is no event .* did you mean PreToolUse\?/.test(text)));
  ok(notices.some((text) => /programs of "TeammateIdle" are not run/.test(text)));
});
