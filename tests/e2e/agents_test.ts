/** Sub-agents and deepthink in the real program: without a terminal, and in one (tmux). */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { harness } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type Terminal, terminal } from "../support/tmux.ts";
import { type Desk, sent, withDesk } from "../support/whole_app.ts";

const isAgent = (body: unknown) => sent(body).system.startsWith("You were hired");
const WRITE = { name: "write_file", arguments: { filepath: "a.txt", content: "one\n" } };

/** The conversation hires once and then says that it is done; the agent goes by its own script. */
function script(agent: (index: number) => ScriptedReply) {
  let [asked, index] = [0, 0];
  return (body: unknown): ScriptedReply => {
    if (isAgent(body)) return agent(index++);
    asked += 1;
    if (asked > 1) return { text: "The agent has reported." };
    return { calls: [{ name: "spawn_agent", arguments: { task: "Write a.txt." } }] };
  };
}

Deno.test("without a terminal: an agent is refused like everybody, which the exit code says; its cost stands apart", () =>
  withDesk(
    script((index) => index === 0 ? { calls: [WRITE] } : { text: "I was not allowed to." }),
    async ({ dir, home, api: { url } }) => {
      const args = ["-m", "ollama/m", "--output", "json", "--allow", "spawn_agent", "-p", "go"];
      const ran = await harness(args, { cwd: dir, home, env: { OLLAMA_HOST: url } });
      const { answer, exitCode, requests, otherUsage } = JSON.parse(ran.stdout);
      equal([ran.code, exitCode, answer, requests], [4, 4, "The agent has reported.", 2]);
      equal(otherUsage.input > 0, true);
      equal([...Deno.readDirSync(dir)].length, 0);
    },
  ));

async function inTerminal(
  { dir, home, api: { url } }: Desk,
  body: (screen: Terminal) => Promise<void>,
): Promise<void> {
  await using screen = await terminal({
    cwd: dir,
    home,
    args: ["--plain", "-m", "ollama/m"],
    env: { OLLAMA_HOST: url },
  });
  await screen.until(/^> *$/m);
  await screen.type("go");
  await screen.keys("Enter");
  await screen.until(/question: hire a sub-agent: Write a\.txt\.\?/);
  await screen.keys("y", "Enter");
  await body(screen);
}

Deno.test("in a terminal: hiring is asked about, then what the agent wants, in its name; a no reaches it", () =>
  withDesk(
    script((index) => index === 0 ? { calls: [WRITE] } : { text: "I was not allowed to." }),
    (desk) =>
      inTerminal(desk, async (screen) => {
        match(await screen.until(/sub-agent 1 \("Write a\.txt\."\) asks/), /\+one/);
        await screen.keys("n", "Enter");
        await screen.until(/The agent has reported\./);
        equal([...Deno.readDirSync(desk.dir)].length, 0);
      }),
  ));

Deno.test("in a terminal: Ctrl+C stops an agent, and the conversation goes on", () =>
  withDesk(
    script(() => ({ text: "Looking", fault: { kind: "stall", at: "end" } })),
    (desk) =>
      inTerminal(desk, async (screen) => {
        await screen.until(/tool: spawn_agent, hire a sub-agent: Write a\.txt\. …/);
        await screen.keys("C-c");
        await screen.until(/event: interrupted/);
        await screen.type("and now?");
        await screen.keys("Enter");
        await screen.until(/The agent has reported\./);
      }),
  ));

Deno.test("deepthink without a terminal: the stages are told on stderr, the answer alone is on stdout", () => {
  const replies = (body: unknown): ScriptedReply => {
    const { system, texts } = sent(body);
    if (system.startsWith("You answer")) return { text: "YES" };
    const isBuilt = texts.some((text) => text.startsWith("[Deepthink 4/6"));
    if (texts.at(-1)?.startsWith("[Deepthink 3/6")) return { calls: [WRITE] };
    return { text: isBuilt ? "Done.\nMORE_WORK_NEEDED" : "Well." };
  };
  return withDesk(replies, async ({ dir, home, api: { url } }) => {
    const set = ["--set", "DEEPTHINK=true", "--set", "DEEPTHINK_MAX_PASSES=1"];
    const args = ["-m", "ollama/m", "--auto", ...set, "-p", "write a.txt"];
    const ran = await harness(args, { cwd: dir, home, env: { OLLAMA_HOST: url } });
    equal([ran.code, ran.stdout], [0, "Done.\n"]);
    const told = [...ran.stderr.matchAll(/Deepthink (\d)\/6: /g)].map(([, number]) => number);
    equal(told, ["1", "2", "3", "4", "5", "6"]);
    match(ran.stderr, /Verify ran no command: nothing was proven/);
    match(ran.stderr, /ends unfinished after 1 pass,/);
  });
});
