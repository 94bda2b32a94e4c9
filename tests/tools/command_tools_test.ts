import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { definition } from "@/tools/spec.ts";
import { bind } from "@/agent/bind.ts";
import { Shell } from "@/shell/shell.ts";
import { endProcess } from "@/tools/end_process.ts";
import { type CommandParts, runCmd } from "@/tools/run_cmd.ts";
import { sendInput } from "@/tools/send_input.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";

const LIMITS = {
  ...{ idleS: 0.3, graceS: 1, waitS: 2, deadlineS: 20, waitingMax: 3, waitingMaxS: 900 },
};
const ignore = Deno.build.os === "windows";

function withCommands(body: (parts: CommandParts, dir: string) => Promise<void>): Promise<void> {
  return withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const shell = new Shell({ processes, workspace: dir, limits: () => LIMITS });
      await body({ shell, outputCharsMax: () => 6_000 }, dir);
    })
  );
}

Deno.test(
  { name: "run_cmd, send_input and end_process play through a program", ignore },
  async () => {
    await withCommands(async (parts, dir) => {
      const host = testHost(dir);
      const command = "printf 'name: '; read a; echo \"hello $a\"; printf 'more: '; read b";
      const asked = await callTool(runCmd(parts), { command }, host);
      equal([asked.status, asked.meta], ["ok", { session: "s1" }]);
      match(asked.text, /^name:\n\n\[Waiting\]/);
      const answered = await callTool(sendInput(parts), { session: "s1", stdin: "jo" }, host);
      match(answered.text, /^hello jo\nmore:\n\n\[Waiting\]/);
      equal(host.seen.join(""), "name: hello jo\nmore: ");
      const ended = await callTool(endProcess(parts), { session: "s1" }, host);
      match(ended.text, /^s1 \(.*\) was ended/);
      const gone = await callTool(endProcess(parts), { session: "s1" }, host);
      equal([gone.status, gone.text], [
        "failed",
        'No command is running as "s1": no command is running',
      ]);
      equal((await callTool(sendInput(parts), { stdin: "x" }, host)).status, "failed");
    });
  },
);

Deno.test({ name: "run_cmd fails with the exit code and what was printed", ignore }, async () => {
  await withCommands(async (parts, dir) => {
    const failed = await callTool(runCmd(parts), { command: "echo why; exit 2" }, testHost(dir));
    equal(failed, {
      status: "failed",
      text: "Command failed (exit code 2).\nwhy",
      meta: { exitCode: 2 },
    });
    const late = await callTool(
      runCmd(parts),
      { command: "sleep 9", timeout_s: 0.5 },
      testHost(dir),
    );
    match(late.text, /^The command was stopped after 0\.5 s/);
  });
});

Deno.test("command tools take what models call their parameters", async () => {
  await withCommands(async (parts) => {
    const bound = bind(runCmd(parts), { cmd: " ls ", timeout: "5", run_in_background: "true" });
    equal(bound, { ok: true, input: { command: "ls", timeout_s: 5, background: true } });
    ok(!bind(runCmd(parts), { command: "  " }).ok);
    equal(bind(sendInput(parts), { text: "y" }), { ok: true, input: { stdin: "y" } });
    equal(runCmd(parts).subject({ command: "a && b" }), { kind: "command", text: "a && b" });
    await parts.shell.close();
  });
});

Deno.test("command tools say in a sentence what they did", async () => {
  await withCommands(async (parts) => {
    const { summary } = runCmd(parts);
    const input = { command: "npm test" };
    equal(summary(input), "run npm test");
    equal(summary(input, { status: "ok", text: "", meta: { exitCode: 0 } }), "ran npm test");
    equal(
      summary(input, { status: "failed", text: "", meta: { exitCode: 1 } }),
      "npm test: exit code 1",
    );
    equal(
      summary(input, { status: "ok", text: "", meta: { session: "s1" } }),
      "npm test: running as s1",
    );
    equal(summary(input, { status: "denied", text: "" }), "did not run npm test");
    equal(summary(input, { status: "interrupted", text: "" }), "did not finish npm test");
    equal(sendInput(parts).summary({ stdin: "y", session: "s1" }), 'send "y" to s1');
    equal(endProcess(parts).summary({ session: "s1" }, { status: "ok", text: "" }), "ended s1");
    await parts.shell.close();
  });
});

Deno.test("command tools say what they have to do with processes", async () => {
  await withCommands(async (parts) => {
    const send = sendInput(parts);
    equal(send.process?.({}), "ends", "listening changes nothing");
    equal(send.process?.({ stdin: "y" }), "inside");
    equal(endProcess(parts).process?.({ session: "s1" }), "ends");
    equal(runCmd(parts).process, undefined);
    await parts.shell.close();
  });
});

Deno.test("run_cmd gives a terminal where that is asked for, and does not advertise it", async () => {
  await withCommands(async (parts) => {
    const bound = bind(runCmd(parts), { command: "tty", tty: "true" });
    equal(bound, { ok: true, input: { command: "tty", pty: true } });
    ok(!JSON.stringify(definition(runCmd(parts))).includes("pty"));
    await parts.shell.close();
  });
});
