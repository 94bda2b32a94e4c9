/** The sandbox as a person sees it in a real terminal. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { needing, programHere } from "../support/sandbox.ts";
import { type Terminal, terminal } from "../support/tmux.ts";
import { withWorkspace } from "../support/workspace.ts";

const needsTmux = { ignore: Deno.build.os !== "linux" || await programHere("tmux") === undefined };
const needs = await needing("tmux", "python3");

type Started = { screen: Terminal; dir: string; told(): string };

async function converse(
  command: string,
  env: (dir: string) => Promise<Record<string, string>>,
  body: (started: Started) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (dir) => {
    for (const name of ["home", "state", "project"]) await Deno.mkdir(join(dir, name));
    let told = "";
    await using api = startFakeOllama((request) => {
      const { messages } = request as { messages: { role: string; content: string }[] };
      const last = messages.at(-1);
      if (last?.role !== "tool") return { calls: [{ name: "run_cmd", arguments: { command } }] };
      told = last.content;
      return { text: "All done." };
    });
    await using screen = await terminal({
      cwd: join(dir, "project"),
      home: join(dir, "state"),
      args: ["--plain", "-m", "ollama/gemma4:e4b"],
      env: { OLLAMA_HOST: api.url, HOME: join(dir, "home"), ...await env(dir) },
      columns: 160,
    });
    await body({ screen, dir, told: () => told });
  });
}

Deno.test({
  name: "without a sandbox the first screen says so, and each question says why",
  ...needsTmux,
}, async () => {
  const withoutBwrap = async (dir: string) => {
    const bin = join(dir, "bin");
    await Deno.mkdir(bin);
    for (const name of ["sh", "bash", "touch"]) {
      await Deno.symlink(await programHere(name) ?? "", join(bin, name));
    }
    return { PATH: bin };
  };
  await converse("touch made.txt", withoutBwrap, async ({ screen, dir }) => {
    const why = /no sandbox for commands here: bubblewrap \(bwrap\) is not installed/;
    // The prompt stands before anything is known, and again below what was told.
    match(await screen.until(/no sandbox[^]*\n> ?$/), why);
    await screen.type("go");
    await screen.keys("Enter");
    match(
      await screen.until(/touch made\.txt[^]*no sandbox holds it/),
      /bubblewrap \(bwrap\) is not installed/,
    );
    await screen.type("n");
    await screen.keys("Enter");
    await screen.until(/All done/);
    equal([...Deno.readDirSync(join(dir, "project"))], []);
  });
});

Deno.test({ name: "a command cannot type into the person's terminal", ...needs }, async () => {
  const push = "import fcntl, os, termios\n" +
    "for path in ('/dev/tty', '/dev/stdin', '/dev/pts/0', '/dev/console'):\n" +
    "    try:\n" +
    "        fd = os.open(path, os.O_RDWR)\n" +
    "        for letter in b'touch pwned\\n': fcntl.ioctl(fd, termios.TIOCSTI, bytes([letter]))\n" +
    "        print('typed', path)\n" +
    "    except OSError as error: print(type(error).__name__)\n";
  await converse(
    `python3 -c "${push}"`,
    () => Promise.resolve({ PATH: Deno.env.get("PATH") ?? "", ...python() }),
    async ({ screen, told, dir }) => {
      await screen.until(/^> ?$/m);
      await screen.type("go");
      await screen.keys("Enter");
      const after = await screen.until(/All done[^]*^> ?$/m);
      equal(/typed/.test(told()), false, told());
      match(told(), /Error/);
      equal(/touch pwned\s*$/.test(after), false);
      equal([...Deno.readDirSync(join(dir, "project"))], []);
    },
  );
});

/** Python may be managed in a home that is not the test's. */
function python(): Record<string, string> {
  const root = Deno.env.get("PYENV_ROOT");
  return root === undefined ? {} : { PYENV_ROOT: root };
}
