/** The real program in a terminal that dies, is suspended, or gets ten thousand lines at once. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { fullWorld } from "../support/full_world.ts";
import { shell } from "../support/hooked_turn.ts";
import { harness } from "../support/program.ts";
import { withScript } from "../support/scripted_world.ts";
import { terminal } from "../support/tmux.ts";
import { PATIENCE_MS, until } from "../support/until.ts";

const LINES = 10_000;

const pasted = Array.from({ length: LINES }, (_, n) => `${n} 줄 <b> \\n`).join("\n");

function said(body: unknown): string[] {
  const { messages } = body as { messages: { role: string; content: string }[] };
  return messages.flatMap(({ role, content }) => role === "user" ? [content] : []);
}

Deno.test("ten thousand pasted lines are one message to the letter on the full screen, and after a resume", () =>
  fullWorld([{ text: "Read." }], async ({ screen, dir, home, api }) => {
    await screen.paste(pasted);
    await screen.until(/\[paste #1 \+10000 lines\]/);
    await screen.keys("Enter");
    await screen.until(/Read\./);
    equal(said(api.bodies[0]), [pasted]);
    // The turn may not be over with its answer; what is typed meanwhile waits for its end.
    await screen.type("/exit");
    await screen.keys("Enter");
    await screen.until(/EXIT:0/);
    await using next = startFakeOllama([{ text: "Yes." }]);
    const env = { OLLAMA_HOST: next.url };
    const again = await harness(["-c", "-p", "and?"], { cwd: dir, home, env });
    equal([again.code, said(next.bodies[0])], [0, [pasted, "and?"]], again.stderr);
  }, { args: ["-m", "ollama/m", "--set", "NUM_CTX=262144"] }));

Deno.test("ten thousand pasted lines are one message to the letter in plain mode", () =>
  withScript([{ text: "Read." }], async ({ dir, home, api }) => {
    await using screen = await terminal({
      cwd: dir,
      home,
      args: ["--plain", "-m", "ollama/m", "--set", "NUM_CTX=262144"],
      env: { OLLAMA_HOST: api.url },
    });
    await screen.until(/^> *$/m);
    await screen.paste(`${pasted}\n`);
    await screen.until(/Read\./);
    equal([said(api.bodies[0]), api.bodies.length], [[pasted], 1]);
  }));

Deno.test({
  name: "a terminal that dies in a command takes the command along, and the session goes on",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const seconds = `300.${Math.floor(Math.random() * 1e9)}`;
    const command = { name: "run_cmd", arguments: { command: `sleep ${seconds}` }, id: "c1" };
    await fullWorld([{ text: "I wait.", calls: [command] }], async ({ screen, dir, home }) => {
      await screen.type("wait");
      await screen.keys("Enter");
      await until(() => isRunning(seconds));
      await screen[Symbol.asyncDispose](); // The terminal and its server end: SIGHUP.
      await until(async () => !await isRunning(seconds));
      await using next = startFakeOllama([{ text: "Yes." }]);
      const env = { OLLAMA_HOST: next.url };
      // It holds the session until its last record is written.
      let again = await harness(["-c", "-p", "go on"], { cwd: dir, home, env });
      const end = performance.now() + PATIENCE_MS;
      while (again.code !== 0 && /open in another/.test(again.stderr) && performance.now() < end) {
        again = await harness(["-c", "-p", "go on"], { cwd: dir, home, env });
      }
      equal([again.code, again.stdout], [0, "Yes.\n"], again.stderr);
      match(
        JSON.stringify((next.bodies[0] as { messages: unknown }).messages).slice(-700),
        /I wait\..*\[System\] Interrupted/,
      );
    }, { args: ["-m", "ollama/m", "--sandbox", "off", "--auto"] });
  },
});

Deno.test({
  name: "a terminal that dies at the prompt is no word of the person",
  ignore: Deno.build.os === "windows",
  fn: () =>
    fullWorld([{ text: "Hello." }], async ({ screen, dir }) => {
      await screen.type("go");
      await screen.keys("Enter");
      await screen.until(/Hello\./);
      await screen[Symbol.asyncDispose]();
      await until(() => existsSync(join(dir, "told")));
      equal(JSON.parse(await Deno.readTextFile(join(dir, "told"))).reason, "other");
    }, {
      prepare: async (home) => {
        const hooks = { SessionEnd: [{ hooks: [shell("cat > told.new; mv told.new told")] }] };
        await Deno.writeTextFile(join(home, "hooks.json"), JSON.stringify({ hooks }));
      },
    }),
});

async function isRunning(needle: string): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "state=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").some((line) =>
    line.includes(`sleep ${needle}`) && !/^[ZX]/.test(line)
  );
}

Deno.test({
  name: "a terminal that is suspended in the middle of a request gets the reply when it comes back",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const script = async () => {
      asked.resolve();
      await gate.promise;
      return { text: "It came meanwhile." };
    };
    await fullWorld(script, async ({ screen, api }) => {
      await screen.type("hi");
      await screen.keys("Enter");
      await asked.promise;
      await screen.keys("C-z");
      await screen.until(/Stopped/);
      gate.resolve();
      ok(!/It came meanwhile/.test(await screen.screen()));
      await screen.type("fg");
      await screen.keys("Enter");
      await screen.until(/It came meanwhile\./);
      equal(api.bodies.length, 1);
    }, { inShell: true });
  },
});
