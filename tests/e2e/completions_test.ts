/** Completions in the real shells: what is typed with Tab, as it stands on the screen. A shell that is not there is left out. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import { terminal } from "../support/tmux.ts";
import { withWorkspace } from "../support/workspace.ts";

/** How each is started without the person's own files, and told to complete. */
const SHELLS: Readonly<Record<string, (script: string) => readonly string[]>> = {
  bash: (script) => ["bash", "--noprofile", "--rcfile", script, "-i"],
  zsh: () => ["zsh", "-f", "-i"],
  fish: (script) => ["fish", "--no-config", "-i", "-C", `source ${script}`],
};

/** What is typed before each Tab, and the line that it then is. */
const TYPED: readonly (readonly (readonly [typed: string, line: string])[])[] = [
  [
    ["sess", "sessions"],
    ["ex", "sessions export"],
    ["--for", "sessions export --format"],
    ["j", "sessions export --format json"],
  ],
  [["--sandb", "--sandbox"], ["req", "--sandbox require"], ["po", "--sandbox require policy"]],
  [["-m demo/tour --output jsonl --outp", "-m demo/tour --output jsonl --output"]],
  [["--output jsonl", "--output jsonl"], ["--bas", "--output jsonl --base-url"]],
  [["--output=te", "--output=text"]],
  [["--cwd inn", "--cwd inner/"]],
  [["completions f", "completions fish"]],
];

function isThere(shell: string): boolean {
  const ran = new Deno.Command("sh", { args: ["-c", `command -v ${shell}`], stdout: "null" });
  return ran.outputSync().success;
}

for (const [shell, start] of Object.entries(SHELLS)) {
  Deno.test({
    name: `${shell} completes subcommands, options, their values and directories`,
    ignore: !isThere(shell) || !isThere("tmux"),
    fn: () =>
      withWorkspace(async (dir) => {
        await Deno.mkdir(join(dir, "inner"));
        const printed = await harness(["completions", shell], { cwd: dir, home: dir });
        equal([printed.code, printed.stderr], [0, ""]);
        const script = join(dir, "script");
        await Deno.writeTextFile(script, printed.stdout);
        await using shown = await terminal({
          ...{ cwd: dir, home: dir, start: start(script) },
          env: { TERM: "xterm", PS1: "$ ", PROMPT: "$ " },
        });
        await shown.until(/[$%>#]/);
        if (shell === "zsh") await shown.type(`source ${script}; `);
        await shown.type("echo rea''dy");
        await shown.keys("Enter");
        await shown.until(/^ready/m);
        for (const steps of TYPED) {
          await shown.type("harness ");
          for (const [typed, line] of steps) {
            await shown.type(typed);
            await shown.keys("Tab");
            await shown.until(new RegExp(`harness ${line}$`, "m"));
          }
          await shown.keys("C-u");
        }
        // Behind "--" everything is the person's own.
        await shown.type("harness set -- --pla");
        await shown.keys("Tab");
        await shown.type("x");
        await shown.until(/harness set -- --plax$/m);
      }),
  });
}

Deno.test("every option and subcommand of --help is in every script", () =>
  withWorkspace(async (dir) => {
    const at = { cwd: dir, home: dir };
    const help = (await harness(["--help"], at)).stdout;
    const options = [...new Set(help.match(/--[a-z][a-z-]+/g))].filter((name) =>
      name !== "--help-all"
    );
    const words = [...(/COMMANDS\n([\s\S]*)$/.exec(help)?.[1] ?? "").matchAll(/^ {2}(\S+)/gm)]
      .map(([, word]) => word ?? "");
    ok(options.length > 15 && words.length > 8);
    for (const shell of Object.keys(SHELLS)) {
      const { stdout } = await harness(["completions", shell], at);
      const named = shell === "fish" ? options.map((name) => ` -l ${name.slice(2)} `) : options;
      equal([...named, ...words].filter((name) => !stdout.includes(name)), []);
    }
  }));

Deno.test("a shell that harness has no script for is refused with those that it has", () =>
  withWorkspace(async (dir) => {
    const ran = await harness(["completions", "fsh"], { cwd: dir, home: dir });
    equal([ran.code, ran.stdout], [2, ""]);
    match(ran.stderr, /fish/);
  }));
