/** Plans and questions put to the person: in a real terminal, and where nobody is there. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { FLAGS, harness } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { terminal } from "../support/tmux.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FULL = [
  ...[Deno.execPath(), ...FLAGS, "--config", `${ROOT}deno.json`],
  `${ROOT}tests/support/full_program.ts`,
];

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name, arguments: input }],
});
const WRITE = call("write_file", { filepath: "a.txt", content: "planned\n" });
const PLAN = call("submit_plan_for_approval", {
  context_discovered: "there is no a.txt",
  diff_blueprint: "write a.txt",
  verification_steps: "read it",
});
const ASK = call("get_user_input", {
  questions: [{ question: "Which colour?", options: ["red", "blue"] }, "Why?"],
});

Deno.test("a plan and a question that nobody can answer are refused so, and the run says that with its exit code", () =>
  withWorkspace(async (dir) => {
    await using api = startFakeOllama([PLAN, ASK, WRITE, { text: "My plan: write a.txt." }]);
    const ran = await harness(
      ["-m", "ollama/m", "--plan", "--auto", "--output", "json", "-p", "write a.txt"],
      { cwd: dir, home: dir, env: { OLLAMA_HOST: api.url } },
    );
    const { calls, exitCode, answer } = JSON.parse(ran.stdout);
    equal([exitCode, ran.code, answer], [4, 4, "My plan: write a.txt."]);
    equal(
      calls.map((one: Record<string, string>) => [one.verdict, one.by, one.asked, one.status]),
      [
        ["deny", "nobody", true, "denied"],
        ["deny", "nobody", true, "denied"],
        ["deny", "guard", false, "denied"],
      ],
    );
    match(JSON.stringify(api.bodies[0]), /write a\.txt.*Plan mode is on/);
    match(JSON.stringify(api.bodies[1]), /nobody is here to approve it .*go on with what you know/);
  }));

for (const isFull of [false, true]) {
  Deno.test(`an approved plan ends plan mode, and questions are answered, ${isFull ? "on the full screen" : "in plain lines"}`, () =>
    withWorkspace(async (root) => {
      await using api = startFakeOllama([WRITE, PLAN, WRITE, ASK, { text: "All done." }]);
      const [dir, home] = [join(root, "ws"), join(root, "home")];
      await Deno.mkdir(dir);
      await Deno.mkdir(home);
      await using screen = await terminal({
        ...{ cwd: dir, home, env: { OLLAMA_HOST: api.url } },
        ...(isFull ? { start: FULL } : {}),
        args: ["-m", "ollama/m", ...(isFull ? [] : ["--plain"])],
      });
      const enter = async (text: string) => {
        await screen.type(text);
        await screen.keys("Enter");
      };
      await screen.until(isFull ? /^ ollama\/m/m : /^> *$/m);
      await enter("/automode on");
      await screen.until(/automode is on/);
      await enter("/planmode on");
      await screen.until(/planmode is on/);
      await enter("go");
      await screen.until(/Carry out this plan\?/);
      await screen.until(/To change: write a\.txt/);
      if (isFull) await screen.keys("Enter");
      else await enter("1");
      await screen.until(/Which colour\?/);
      if (isFull) await screen.type("2");
      else await enter("2");
      await screen.until(/Why\?/);
      await enter("it is calm");
      await screen.until(/All done\./);
      equal(await Deno.readTextFile(join(dir, "a.txt")), "planned\n");
      const said = JSON.stringify(api.bodies.at(-1));
      match(
        said,
        /this run only reads.*approved the plan.*1\. Which colour\?: blue\\n2\. Why\?: it is calm/,
      );
    }));
}
