/** The person's own commands, /ps, /vm and passwords, in a real terminal (tmux). */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { hashHex } from "@/lib/hash.ts";
import { withScript } from "../support/scripted_world.ts";
import type { FakeApi } from "../support/fake_api.ts";
import { FLAGS, harness } from "../support/program.ts";
import { livingWith, withProcesses } from "../support/processes.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type Terminal, terminal } from "../support/tmux.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FULL = [
  ...[Deno.execPath(), ...FLAGS, "--config", `${ROOT}deno.json`],
  `${ROOT}tests/support/full_program.ts`,
];

type World = { screen: Terminal; dir: string; home: string; api: FakeApi };
const uniqueSleep = () => `sleep ${100_000 + Math.floor(Math.random() * 1e9)}`;

type WorldOptions = { args?: string[]; env?: Record<string, string>; isFull?: boolean };

async function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
  { args = ["--plain"], env = {}, isFull = false }: WorldOptions = {},
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    await using screen = await terminal({
      cwd: dir,
      home,
      ...(isFull ? { start: FULL } : {}),
      args: ["-m", "ollama/m", ...(isFull ? [] : args)],
      env: { OLLAMA_HOST: api.url, ...env },
    });
    await screen.until(isFull ? /^ ollama\/m/m : /^> *$/m);
    await body({ screen, dir, home, api });
  });
}

async function enter(screen: Terminal, text: string): Promise<void> {
  await screen.type(text);
  await screen.keys("Enter");
}

function saidTo(api: FakeApi): string {
  return JSON.stringify(api.bodies.at(-1));
}

Deno.test("a line after ! runs unasked with the person's environment, and the model is told", () =>
  world([{ text: "I see." }], async ({ screen, api }) => {
    await enter(screen, "!printf '\\033[31mred\\033[0m\\n'; echo \"key $MY_API_KEY\"; exit 3");
    await screen.until(/event: exit code 3/);
    const seen = await screen.screen();
    match(seen, /\| \\x1b\[31mred\\x1b\[0m/);
    match(seen, /\| key k3y/);
    await enter(screen, "what was it?");
    await screen.until(/I see\./);
    const said = saidTo(api);
    match(said, /\[Shell\] \$ printf .*\\nred\\nkey k3y\\n\(exit code 3\)/);
  }, { env: { MY_API_KEY: "k3y" } }));

Deno.test("a line after ! is stopped by Ctrl+C, and the conversation stands", () =>
  withProcesses(async (processes) => {
    const sleep = uniqueSleep();
    await world([{ text: "Still here." }], async ({ screen, api }) => {
      await enter(screen, `!echo begun; ${sleep}`);
      await screen.until(/\| begun/);
      await screen.keys("C-c");
      await screen.until(/event: stopped by the person/);
      equal(await livingWith(processes, sleep), []);
      await enter(screen, "hello");
      await screen.until(/Still here\./);
      match(saidTo(api), /begun\\n\(stopped by the person\)/);
    });
  }));

Deno.test("/ps shows what lives, and nothing outlives the program", () =>
  withProcesses(async (processes) => {
    const [first, second] = [uniqueSleep(), uniqueSleep()];
    const call = {
      name: "run_cmd",
      arguments: { command: `echo ready; ${first}`, background: true },
    };
    await world([{ calls: [call] }, { text: "It runs." }], async ({ screen }) => {
      await enter(screen, "/ps");
      await screen.until(/No command is running/);
      await enter(screen, "start it");
      await screen.until(/It runs\./);
      await enter(screen, `!${second} & echo mine`);
      await screen.until(/it left something running as s2; \/ps shows it/);
      await enter(screen, "/ps");
      const list = await screen.until(/s2 {2}background, \d+ s/);
      match(list, /s1 {2}background, \d+ s {2}echo ready; sleep \d+\n +ready\n/);
      await enter(screen, "/ps tail s1");
      await screen.until(/> \/ps tail s1\nready\n/);
      await enter(screen, "/ps stop s2");
      await screen.until(/s2 \(.*\) was ended/);
      equal(await livingWith(processes, second), []);
      equal((await livingWith(processes, first)).length > 0, true);
      await enter(screen, "/exit");
      await screen.until(/EXIT:0/);
    }, { args: ["--plain", "--sandbox", "off", "--auto"] });
    equal(await livingWith(processes, first), []);
  }));

Deno.test("/vm shows the process behind run_python, and what is lost by the person's word is told", () => {
  const code = (content: string) => ({ calls: [{ name: "run_python", arguments: { content } }] });
  return world(
    [code("a = 41"), { text: "Kept." }, code("'a' in globals()"), { text: "Gone." }],
    async ({ screen, api, home }) => {
      await enter(screen, "/vm");
      await screen.until(/No Python is running; the next run_python starts one in/);
      await enter(screen, "compute");
      await screen.until(/Kept\./);
      await enter(screen, "/vm");
      const shown = await screen.until(/It runs in /);
      match(shown, /Python 3\.\d+\.\d+ \(.*\), .*up for \d+ s, 1 snippet/);
      match(shown, /It remembers a\n/);
      ok(shown.includes(join(home, "vm")));
      await enter(screen, "/vm reset");
      await screen.until(/is forgotten; the model is told/);
      await enter(screen, "again");
      await screen.until(/Gone\./);
      match(
        saidTo(api),
        /=> False\\n\\n\(What earlier calls defined is gone: the person has emptied the process\)/,
      );
      await enter(screen, "/vm stop");
      await screen.until(/The process was ended/);
    },
    { args: ["--plain", "--sandbox", "off", "--auto"] },
  );
});

Deno.test("Ctrl+C stops code that runs, and the model is told what became of its variables", () => {
  const content = "kept = 7\nprint('on')\nwhile True: pass";
  const call = { calls: [{ name: "run_python", arguments: { content } }] };
  return world([call, { text: "Stopped." }], async ({ screen, api }) => {
    await enter(screen, "loop");
    await screen.until(/\| on/);
    await screen.keys("C-c");
    await screen.until(/event: interrupted/);
    await enter(screen, "what was it?");
    await screen.until(/Stopped\./);
    match(saidTo(api), /Interrupted[^"]*(The variables are kept|All variables are gone)/);
  }, { args: ["--plain", "--sandbox", "off", "--auto"] });
});

Deno.test("a question about code shows the code and the Python that runs it", () => {
  const call = { name: "run_python", arguments: { content: "x = 6\nx * 7" } };
  return world([{ calls: [call] }, { text: "Done." }], async ({ screen, api }) => {
    await enter(screen, "compute");
    const question = await screen.until(/a = always:/);
    match(question, /question: run 2 lines of Python\?/);
    match(question, /# \/.*python3?\n +x = 6\n +x \* 7\n/);
    match(question, /why you are asked: no sandbox holds it/);
    await screen.keys("y", "Enter");
    await screen.until(/Done\./);
    match(saidTo(api), /=> 42/);
  }, { args: ["--plain", "--sandbox", "off"] });
});

Deno.test("a password is typed by the person, hidden, and reaches the program only", () => {
  const command = "printf 'Password: '; read -r x; echo; printf '%s' \"$x\" | md5sum; echo \"$x\"";
  const call = { name: "run_cmd", arguments: { command } };
  return world([{ calls: [call] }, { text: "Logged in." }], async ({ screen, api, home }) => {
    await enter(screen, "log in");
    await screen.until(/of the model asks: Password:/);
    await screen.until(/leaves the answer to the model:/);
    await enter(screen, "tr0ub4dor");
    await screen.until(/Logged in\./);
    ok(!(await screen.screen()).includes("tr0ub4dor"));
    const said = saidTo(api);
    ok(!said.includes("tr0ub4dor"));
    ok(said.includes(`${hashHex("md5", "tr0ub4dor")}  -\\n[secret]`), "the program has read it");
    await enter(screen, "/exit");
    await screen.until(/EXIT:0/);
    const saved = [...Deno.readDirSync(join(home, "sessions"))].filter(({ isFile }) => isFile);
    equal(saved.length, 1);
    for (const { name } of saved) {
      ok(!Deno.readTextFileSync(join(home, "sessions", name)).includes("tr0ub4dor"));
    }
  }, { args: ["--plain", "--sandbox", "off", "--auto"] });
});

Deno.test("the full screen runs a line after !, and Esc stops it", () =>
  world([{ text: "Fine." }], async ({ screen, api, dir }) => {
    await enter(screen, "!echo from the person; touch begun; sleep 60");
    await until(() => exists(join(dir, "begun")));
    await screen.keys("Escape");
    await screen.until(/^(?![\s\S]*working)/);
    // What was interrupted stands in the input again.
    await screen.keys("C-u");
    await enter(screen, "ok?");
    await screen.until(/Fine\./);
    match(saidTo(api), /sleep 60\\nfrom the person\\n\(stopped by the person\)/);
  }, { isFull: true }));

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test("-p does not run a line after !, and says what would work", () =>
  withWorkspace(async (dir) => {
    const run = (prompt: string) =>
      harness(["-p", prompt, "-m", "demo/tour"], { cwd: dir, home: join(dir, "h") });
    const refused = await run("!touch made");
    equal([refused.code, refused.stdout], [2, ""]);
    match(
      refused.stderr,
      /A line after a ! is a command of yours in a conversation[\s\S]*pipe its output in/,
    );
    const picture = await run("![a picture](x.png)");
    ok(!picture.stderr.includes("command of yours"), picture.stderr);
    ok(![...Deno.readDirSync(dir)].some(({ name }) => name === "made"));
  }));
