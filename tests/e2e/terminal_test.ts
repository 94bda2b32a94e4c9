/** The program in a real terminal (tmux), in plain mode. */
import type { FakeApi } from "../support/fake_api.ts";
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { withScript } from "../support/scripted_world.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type Terminal, terminal } from "../support/tmux.ts";
import { withWorkspace } from "../support/workspace.ts";

type World = { screen: Terminal; dir: string; home: string };

async function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    await using screen = await terminal({
      cwd: dir,
      home,
      args: ["--plain", "-m", "ollama/m", ...args],
      env: { OLLAMA_HOST: api.url },
    });
    await screen.until(/^> *$/m);
    await body({ screen, dir, home });
  });
}

const WRITE: ScriptedReply = {
  text: "I write it.",
  calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "one\n" } }],
};

Deno.test("a change is asked about with its diff, and y lets it through", () =>
  world([WRITE, { text: "All done." }], async ({ screen, dir }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    const question = await screen.until(/a = always:/);
    match(question, /\+one/);
    await screen.keys("y", "Enter");
    await screen.until(/All done\./);
    equal(Deno.readTextFileSync(join(dir, "a.txt")), "one\n");
    await screen.type("/undo");
    await screen.keys("Enter");
    await screen.until(/Took back ai\(write_file\): a\.txt/);
    equal([...Deno.readDirSync(dir)].length, 0);
  }));

Deno.test("anything but y and a is no, and nothing is changed", () =>
  world([WRITE, { text: "As you wish." }], async ({ screen, dir }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/a = always:/);
    await screen.keys("yes please", "Enter");
    await screen.until(/As you wish\./);
    equal([...Deno.readDirSync(dir)].length, 0);
  }));

Deno.test("always is kept for the project and not asked about again", () =>
  world([WRITE, { text: "First." }, WRITE, { text: "Second." }], async ({ screen, home }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/a = always:/);
    await screen.keys("a", "Enter");
    await screen.until(/Enter for 1:/);
    await screen.keys("Enter");
    await screen.until(/First\./);
    const saved = JSON.parse(Deno.readTextFileSync(join(home, "permissions.json"))) as unknown;
    match(JSON.stringify(saved), /"tool":"write_file","literal"/);
    await screen.type("again");
    await screen.keys("Enter");
    await screen.until(/Second\./);
  }));

Deno.test("a slash command that is refused or cannot be done leaves the conversation standing", () =>
  world([{ text: "Still here." }], async ({ screen }) => {
    await screen.type("/set NOPE 1");
    await screen.keys("Enter");
    await screen.until(/error: No setting is named "NOPE"/);
    await screen.type("/export /nowhere/at/all.md");
    await screen.keys("Enter");
    await screen.until(/error: .*no such file or directory/);
    await screen.type("hello");
    await screen.keys("Enter");
    await screen.until(/Still here\./);
  }));

Deno.test("Ctrl+C ends a running reply, and a second one soon after leaves with 130", () =>
  world(
    [{ text: "one two three four five six", fault: { kind: "stall", at: "end" } }, {
      text: "Fine.",
    }],
    async ({ screen }) => {
      await screen.type("talk");
      await screen.keys("Enter");
      await screen.until(/one/);
      await screen.keys("C-c");
      await screen.until(/interrupted/);
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      await screen.type("go on");
      await screen.keys("Enter");
      // The turn is over when the prompt is there again.
      await screen.until(/Fine\.[^]*\n> ?$/);
      await screen.keys("C-c");
      await screen.until(/Ctrl\+C again leaves/);
      // Two presses of a person are further apart than two signals of one press.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await screen.keys("C-c");
      await screen.until(/EXIT:130/);
    },
  ));

Deno.test("Ctrl+D leaves, and what was said is saved", () =>
  world([{ text: "Hello." }], async ({ screen, home }) => {
    await screen.type("hi");
    await screen.keys("Enter");
    await screen.until(/Hello\./);
    await screen.keys("C-d");
    await screen.until(/EXIT:0/);
    const [file] = [...Deno.readDirSync(join(home, "sessions"))].filter(({ name }) =>
      name.endsWith(".jsonl")
    );
    ok(file !== undefined);
    match(Deno.readTextFileSync(join(home, "sessions", file.name)), /Hello\./);
  }));

/** The plain screen in a project whose own rule would let a file be written, and a model that writes one. */
function withRule(
  body: (screen: Awaited<ReturnType<typeof terminal>>, api: FakeApi) => Promise<void>,
) {
  return withScript([WRITE, { text: "Done." }], async ({ dir, home, api }) => {
    await Deno.writeTextFile(join(dir, ".permissions.json"), '{"allow": ["write_file"]}');
    await using screen = await terminal({
      cwd: dir,
      home,
      args: ["--plain", "-m", "ollama/m"],
      env: { OLLAMA_HOST: api.url },
    });
    await body(screen, api);
  });
}

Deno.test("a project's allow rules do nothing until they are trusted in the terminal", () =>
  withRule(async (screen) => {
    await screen.until(/trust exactly these contents\?/);
    await screen.keys("n", "Enter");
    await screen.until(/^> *$/m);
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/a = always:/);
  }));

Deno.test("what is typed at the question about trust is no yes, and is said", () =>
  withRule(async (screen, api) => {
    await screen.until(/trust exactly these contents\?/);
    await screen.type("please write a.txt");
    await screen.keys("Enter");
    await screen.until(/they do nothing[^]*a = always:/);
    match(JSON.stringify(api.bodies[0]), /please write a\.txt/);
  }));

Deno.test("trust is about the contents that were shown, not about what they have become", () =>
  withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await Deno.mkdir(home);
    const rules = join(dir, ".permissions.json");
    await Deno.writeTextFile(rules, '{"allow": ["write_file(docs/*)"]}');
    await using screen = await terminal({
      cwd: dir,
      home,
      args: ["--plain", "-m", "demo/tour"],
      env: {},
    });
    await screen.until(/trust exactly these contents\?/);
    await Deno.writeTextFile(rules, '{"allow": ["run_cmd"]}');
    await screen.keys("y", "Enter");
    await screen.until(/Not trusted, because it has changed since: \.permissions\.json/);
    await screen.type("/perms");
    await screen.keys("Enter");
    await screen.until(/run_cmd .*does nothing: the project's file is not trusted/);
  }));

Deno.test("Hangul that is typed reaches the model whole and is shown whole", () =>
  world([{ text: "안녕하세요." }], async ({ screen }) => {
    await screen.type("안녕");
    await screen.keys("Enter");
    await screen.until(/안녕하세요\./);
  }));
