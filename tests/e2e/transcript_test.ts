/** The program on its full screen in a real terminal (tmux): what a conversation looks like, and how it is looked at again. */
import { match, ok } from "node:assert/strict";
import { withScript } from "../support/scripted_world.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type Terminal, terminal } from "../support/tmux.ts";

type World = {
  start(args?: readonly string[]): Promise<Terminal>;
};

async function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
): Promise<void> {
  await withScript(script, async ({ dir: cwd, home, api }) => {
    const start = async (args: readonly string[] = []) => {
      const screen = await terminal({
        cwd,
        home,
        args: ["-m", "ollama/m", ...args],
        env: { OLLAMA_HOST: api.url },
        columns: 80,
      });
      await screen.until(/^ ollama\/m/m);
      return screen;
    };
    await body({ start });
  });
}

async function say(screen: Terminal, text: string): Promise<void> {
  await screen.type(text);
  await screen.keys("Enter");
}

/** As many tokens as the prompt has, or the program says that it was cut. */
const usage = { input: 2_500, output: 40 };
const WRITE: ScriptedReply = {
  usage,
  text: "I **write** it.",
  calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "one\ntwo\n" } }],
};
const ANSWER: ScriptedReply = {
  usage,
  thinking: "Hm.",
  text:
    "Done:\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|--:|\n| 한글 | 2 |\n\n- [x] 추측: 동점 처리",
};

const TURN = new RegExp([
  "── \\d\\d:\\d\\d",
  "❯ write a.txt",
  "I write it.",
  "▸ ✓ write_file · created a.txt \\(\\+2 −0\\) · \\d+ms",
  "  │  1 \\+ one",
  "  │  2 \\+ two",
  "Done:",
  "",
  "    const a = 1;",
  "",
  "┌──────┬───┐",
  "│ a    │ b │",
  "├──────┼───┤",
  "│ 한글 │ 2 │",
  "└──────┴───┘",
  "",
  "- \\[x\\] 추측: 동점 처리",
  "──",
].join("\n"));

Deno.test("a turn stands on the screen as question, card with its diff, and answer", () =>
  world([WRITE, ANSWER], async ({ start }) => {
    await using screen = await start();
    await say(screen, "write a.txt");
    await screen.until(/wants to change a\.txt \(\+2 −0\)/);
    await screen.keys("y");
    match(await screen.until(/추측: 동점 처리\n──/), TURN);
  }));

Deno.test("a resumed session shows the turn again, and every card open in the viewer", () =>
  world([WRITE, ANSWER], async ({ start }) => {
    {
      await using screen = await start(["--auto"]);
      await say(screen, "write a.txt");
      await screen.until(/추측: 동점 처리\n──/);
      await say(screen, "/exit");
      await screen.until(/EXIT:0/);
    }
    await using screen = await start(["-c"]);
    const seen = await screen.until(/추측: 동점 처리/);
    match(seen, /▸ ✓ write_file · created a\.txt/);
    await say(screen, "/history");
    match(await screen.until(/filepath: a\.txt/), /│ ── changed\n│ {2}1 \+ one/);
    ok((await screen.cursor()).isAlternate);
    await screen.keys("q");
    await screen.until(/^❯\n ollama\/m/m);
  }));

Deno.test("/raw shows the reply as it was written, and /think on its thinking", () =>
  world([ANSWER, ANSWER], async ({ start }) => {
    await using screen = await start();
    await say(screen, "go");
    ok(!(await screen.until(/추측: 동점 처리\n──/)).includes("Hm."));
    await say(screen, "/raw");
    await screen.until(/^```ts\nconst a = 1;\n```\n\n\| a \| b \|\n\|---\|--:\|$/m);
    await say(screen, "/raw 1");
    await screen.until(/❯ \/raw 1\nconst a = 1;\n──/);
    await say(screen, "/think on");
    await screen.until(/thinking is shown: on/);
    await say(screen, "again");
    await screen.until(/^ {2}Hm\.\nDone:$/m);
  }));
