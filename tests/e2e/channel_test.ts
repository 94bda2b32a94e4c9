/** Two harnesses in one project, each in a terminal of its own: refused, asked, released, answered, written. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { FLAGS, harness } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { terminal } from "../support/tmux.ts";
import { sent } from "../support/whole_app.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FULL = [
  ...[Deno.execPath(), ...FLAGS, "--config", `${ROOT}deno.json`],
  `${ROOT}tests/support/full_program.ts`,
];
const ARGS = ["-m", "ollama/m", "--auto", "--set", "CHANNEL_POLL_SECONDS=0.5"];

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name, arguments: input }],
});
const WRITE = call("write_file", { filepath: "parser.py", content: "# by the second\n" });

/** Everything that a model was told in its last request. */
const told = (bodies: readonly unknown[]) => sent(bodies.at(-1)).texts.join("\n");

Deno.test("two harnesses in one project do not write over each other, and sort it out", () =>
  withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    for (const path of [dir, home, join(dir, "src"), join(dir, ".git")]) await Deno.mkdir(path);
    await Deno.writeTextFile(join(dir, "src/parser.py"), "# by the first\n");
    await using first = startFakeOllama([
      call("claim_files", { paths: "src/parser.py", reason: "rewriting the parser" }),
      { text: "I am at work on it." },
      call("release_files", { paths: ["src/parser.py"] }),
      { text: "You have my agreement to proceed." }, // Said to nobody who waits for it.
      call("send_agent_message", { to: "a2", message: "it is yours now" }),
      { text: "Handed over." },
    ]);
    await using second = startFakeOllama([
      WRITE,
      call("send_agent_message", { to: "a1", message: "are you finished with parser.py?" }),
      { text: "I have asked and wait." },
      WRITE,
      { text: "Written." },
    ]);
    await using holder = await terminal({
      ...{ cwd: dir, home, env: { OLLAMA_HOST: first.url }, start: FULL },
      ...{ args: ARGS, columns: 120 },
    });
    const enter = async (to: typeof holder, text: string) => {
      await to.type(text);
      await to.keys("Enter");
    };
    await holder.until(/^ ollama\/m/m);
    await askUntil(holder, /a1 \(you\) +ollama\/m/);
    // A terminal in a subdirectory is in the same workspace.
    await using asker = await terminal({
      ...{ cwd: join(dir, "src"), home, env: { OLLAMA_HOST: second.url } },
      args: [...ARGS, "--plain"],
    });
    await asker.until(/^> *$/m);
    await holder.until(/a2 joined \(ollama\/m\)/);
    await enter(holder, "rewrite the parser");
    await holder.until(/I am at work on it\./);
    await enter(asker, "write the parser");
    await asker.until(/I have asked and wait\./);
    match(
      sent(second.bodies[1]).texts.join("\n"),
      /"src\/parser\.py" is held by a1, who says: "rewriting the parser"/,
    );
    equal(await Deno.readTextFile(join(dir, "src/parser.py")), "# by the first\n");
    await holder.until(/a2 → a1: are you finished with parser\.py\?/);
    await holder.until(/◆ a2 asks something/);
    await enter(holder, "go on");
    await holder.until(/Handed over\./);
    match(told(first.bodies), /a2 to you:\n\| are you finished with parser\.py\?/);
    match(told(first.bodies), /a2 sent you a message and is waiting on an answer/);
    await asker.until(/a1 → a2: it is yours now/);
    await enter(asker, "go on");
    await asker.until(/Written\./);
    match(told(second.bodies), /a1 to you:\n\| it is yours now/);
    equal(await Deno.readTextFile(join(dir, "src/parser.py")), "# by the second\n");
    const board = await harness(["-p", "/agents"], { cwd: dir, home });
    match(
      board.stdout,
      /a1 .*rewrite the parser\n.*holding nothing\n +a2 .*write the parser\n.*holding src\/parser\.py/,
    );
    equal([first.bodies.length, second.bodies.length], [6, 5]);
    // Whoever is killed holds nothing any more.
    await asker.signal("KILL");
    await asker.until(/EXIT:137/);
    await askUntil(holder, /started .* ago, holding nothing(?![\s\S]*holding src)/);
  }));

/** `/agents`, until it says so. */
async function askUntil(
  screen: Awaited<ReturnType<typeof terminal>>,
  pattern: RegExp,
): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    await screen.type("/agents");
    await screen.keys("Enter");
    const seen = await screen.until(/Agents in |Nobody is on the board/);
    if (pattern.test(seen.slice(seen.lastIndexOf("Agents in ")))) return;
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error(`${pattern} did not appear:\n${await screen.screen()}`);
}
