/** The full screen in a real terminal (tmux): typing, pasting, questions, interrupts, resizing, and every way out. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { FakeApi } from "../support/fake_api.ts";
import { fullWorld as world } from "../support/full_world.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { withWorkspace } from "../support/workspace.ts";

const WRITE: ScriptedReply = {
  text: "I write it.",
  calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "one\n" } }],
};
const TALK: ScriptedReply = {
  text: "one two three four five six",
  fault: { kind: "stall", at: "end" },
};

type Body = { messages: { role: string; content: string }[] };

/** What the model was sent as the newest message of the person. */
function lastSaid(api: FakeApi): string {
  const body = api.bodies.at(-1) as Body | undefined;
  return body?.messages.findLast(({ role }) => role === "user")?.content ?? "";
}

Deno.test("the caret stands where the next character goes, after Korean, emoji and combining marks", () =>
  world([{ text: "읽었습니다." }], async ({ screen, api }) => {
    const cases: readonly (readonly [string, number])[] = [
      ["추측: ", 6],
      ["웹 검색 랭킹 개선 ", 18],
      ["日本語、テスト。", 16],
      ["e\u0301 ✅ x", 6],
    ];
    let column = 2;
    for (const [text, cells] of cases) {
      await screen.type(text);
      column += cells;
      for (let n = 0; (await screen.cursor()).column !== column && n < 100; n++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      equal((await screen.cursor()).column, column, text);
    }
    await screen.keys("Enter");
    await screen.until(/읽었습니다\./);
    equal(lastSaid(api), cases.map(([text]) => text).join(""));
  }, { columns: 120 }));

Deno.test("a paste of 100 KB is one mark, and the model gets it to the letter", () =>
  world([{ text: "Read." }], async ({ screen, api }) => {
    const pasted = Array.from({ length: 2_600 }, (_, n) => `\tline ${n}: "가격" <x> \\n ${n}`);
    await screen.type("look: ");
    await screen.paste(pasted.join("\n"));
    await screen.until(/look: \[paste #1 \+2600 lines\]/);
    await screen.keys("Enter");
    await screen.until(/Read\./);
    equal(lastSaid(api), `look: ${pasted.join("\n")}`);
  }));

Deno.test("a pasted text that ends the paste itself and presses Enter sends nothing", () =>
  world([{ text: "Never." }], async ({ screen, api }) => {
    await screen.paste("harmless\x1b[201~\rrm -rf /\r");
    await screen.until(/rm -rf/);
    equal(api.bodies.length, 0);
  }));

Deno.test("one key answers a question: y lets the change through, and nothing of it stays on the screen", () =>
  world([WRITE, { text: "All done." }], async ({ screen, dir }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    const question = await screen.until(/y once/);
    match(question, /write_file wants to change a\.txt \(\+1 −0\)/);
    match(question, /1 \+ one/);
    await screen.keys("y");
    const after = await screen.until(/All done\./);
    equal(Deno.readTextFileSync(join(dir, "a.txt")), "one\n");
    ok(!/y once|wants to change/.test(after));
  }));

Deno.test("n answers no at once, and a typed reason reaches the model", () =>
  world([WRITE, { text: "First." }, WRITE, { text: "Second." }], async ({ screen, dir, api }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/y once/);
    await screen.keys("n");
    await screen.until(/First\./);
    await screen.type("again");
    await screen.keys("Enter");
    await screen.until(/y once/);
    await screen.keys("n");
    // Keys that come in one piece are no answer: they may be the middle of a word.
    await screen.until(/say why and Enter/);
    await screen.type("use b.txt");
    await screen.keys("Enter");
    await screen.until(/Second\./);
    match(JSON.stringify(api.bodies.at(-1)), /use b\.txt/);
    equal([...Deno.readDirSync(dir)].length, 0);
  }));

Deno.test("a saves how far the person chose, and the question does not come again", () =>
  world([WRITE, { text: "First." }, WRITE, { text: "Second." }], async ({ screen, home }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/y once/);
    await screen.keys("a");
    await screen.until(/always: how far\?/);
    await screen.keys("1");
    await screen.until(/First\./);
    match(Deno.readTextFileSync(join(home, "permissions.json")), /"tool": ?"write_file"/);
    await screen.type("again");
    await screen.keys("Enter");
    await screen.until(/Second\./);
  }));

Deno.test("a word that is being typed when the question comes does not answer it", () =>
  world([WRITE, { text: "Fine." }], async ({ screen, dir }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    for (const letter of "yes say yes any day") {
      await screen.type(letter);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await screen.until(/y once[\s\S]*❯ yes say yes any day/);
    equal([...Deno.readDirSync(dir)].length, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await screen.keys("y");
    await screen.until(/Fine\./);
  }));

Deno.test("Esc ends a turn at once and gives the text back", () =>
  world([TALK, { text: "Fine." }], async ({ screen }) => {
    await screen.type("talk to me");
    await screen.keys("Enter");
    await screen.until(/three/);
    const start = performance.now();
    await screen.keys("Escape");
    await screen.until(/interrupted[\s\S]*❯ talk to me/);
    // The reply stalls for as long as a provider may; a machine with much else to do takes its time too.
    ok(performance.now() - start < 30_000, `took ${performance.now() - start} ms`);
    await screen.keys("C-u");
    await screen.type("go on");
    await screen.keys("Enter");
    await screen.until(/Fine\./);
  }));

Deno.test("what is typed during a turn is queued, can be taken back, and goes when the turn ends", () =>
  world([TALK, { text: "Second reply." }, { text: "Third reply." }], async ({ screen, api }) => {
    await screen.type("first");
    await screen.keys("Enter");
    await screen.until(/three/);
    await screen.type("second");
    await screen.keys("Enter");
    await screen.type("third");
    await screen.keys("Enter");
    await screen.until(/queued: second[\s\S]*queued: third/);
    await screen.keys("Up");
    await screen.until(/❯ third/);
    await screen.type(" one");
    await screen.keys("Enter");
    await screen.until(/queued: third one/);
    await screen.keys("Escape");
    await screen.until(/❯ second\s+third one/);
    await screen.keys("Enter");
    await screen.until(/Second reply\./);
    equal(lastSaid(api), "second\nthird one");
  }));

Deno.test("Ctrl+C twice leaves with 130, and the terminal is as it was", () =>
  world([], async ({ screen }) => {
    await screen.type("a text");
    await screen.until(/❯ a text/);
    await screen.keys("C-c");
    await screen.until(/Cleared; Ctrl\+C again leaves/);
    await screen.keys("C-c");
    await screen.until(/EXIT:130/);
    await screen.type("stty -a | tr ' ' '\\n' | grep -E '^-?(icanon|echo|isig)$' | xargs");
    await screen.keys("Enter");
    await screen.until(/^isig icanon echo$/m);
  }, { inShell: true }));

Deno.test("Ctrl+D on an empty input leaves with 0, and what was said is saved", () =>
  world([{ text: "Hello." }], async ({ screen, home }) => {
    await screen.type("hi");
    await screen.keys("Enter");
    // While the turn runs, Ctrl+D does nothing.
    await screen.until(/Hello\.\n──/);
    await screen.keys("C-d");
    await screen.until(/EXIT:0/);
    ok([...Deno.readDirSync(join(home, "sessions"))].some(({ name }) => name.endsWith(".jsonl")));
    equal(Deno.readTextFileSync(join(home, "history")), '"hi"\n');
    equal((Deno.statSync(join(home, "history")).mode ?? 0) & 0o777, 0o600);
  }));

for (const [name, code] of [["TERM", 143], ["HUP", 129], ["QUIT", 131], ["INT", 130]] as const) {
  Deno.test(`SIG${name} gives the terminal back, keeps what was not sent, and ends with ${code}`, () =>
    world([TALK], async ({ screen, home }) => {
      await screen.type("talk");
      await screen.keys("Enter");
      await screen.until(/three/);
      await screen.type("half a message");
      await screen.until(/❯ half a message/);
      await screen.signal(name);
      if (name === "INT") {
        await screen.until(/interrupted/);
        // Two within a tenth of a second are one that was passed on.
        await new Promise((resolve) => setTimeout(resolve, 200));
        await screen.signal(name);
      }
      await screen.until(new RegExp(`EXIT:${code}`));
      match(Deno.readTextFileSync(join(home, "history")), /^"half a message"$/m);
      await screen.type("stty -a | tr ' ' '\\n' | grep -E '^-?(icanon|echo|isig)$' | xargs");
      await screen.keys("Enter");
      await screen.until(/^isig icanon echo$/m);
    }, { inShell: true }));
}

Deno.test("a fault of the program is printed onto a terminal that is as it was", () =>
  world([], async ({ screen, dir }) => {
    await Deno.writeTextFile(join(dir, "fault"), "");
    await screen.until(/broken for a test[\s\S]*EXIT:1/);
    await screen.type("stty -a | tr ' ' '\\n' | grep -E '^-?(icanon|echo|isig)$' | xargs");
    await screen.keys("Enter");
    await screen.until(/^isig icanon echo$/m);
  }, { args: ["-m", "ollama/m", "--fault", "fault"], inShell: true }));

Deno.test("Ctrl+Z gives the terminal to the shell, and fg brings everything back", () =>
  world([{ text: "Hello." }], async ({ screen }) => {
    await screen.type("half a line");
    await screen.until(/❯ half a line/);
    await screen.keys("C-z");
    await screen.until(/Stopped/);
    await screen.type("stty -a | tr ' ' '\\n' | grep -E '^-?(icanon|echo)$' | xargs");
    await screen.keys("Enter");
    await screen.until(/^icanon echo$/m);
    await screen.type("fg");
    await screen.keys("Enter");
    await screen.until(/❯ half a line$/m);
    await screen.type(" more");
    await screen.until(/❯ half a line more$/m);
    await screen.keys("Enter");
    await screen.until(/Hello\./);
  }, { inShell: true }));

Deno.test("Ctrl+Z does nothing but say so where no shell could bring the program back", () =>
  world([{ text: "Hello." }], async ({ screen }) => {
    await screen.type("hi");
    await screen.keys("C-z");
    await screen.until(/There is no shell to go back to/);
    await screen.keys("Enter");
    await screen.until(/Hello\./);
  }));

Deno.test("an editor of the person's gets the terminal and all its keys, and its text comes back", () =>
  withWorkspace(async (root) => {
    const editor = join(root, "editor.sh");
    await Deno.writeTextFile(
      editor,
      '#!/bin/bash\nread -n 1 -p "key: " key\nprintf \'%s and "%s"\\nmore\\n\' "$(cat "$1")" "$key" > "$1"\n',
      { mode: 0o755 },
    );
    await world([{ text: "Hello." }], async ({ screen, api }) => {
      await screen.type("my text");
      await screen.until(/❯ my text/);
      await screen.keys("C-g");
      await screen.until(/key:/);
      await screen.keys("q");
      await screen.until(/❯ my text and "q"\n {2}more/);
      await screen.keys("Enter");
      await screen.until(/Hello\./);
      equal(lastSaid(api), 'my text and "q"\nmore');
    }, { env: { EDITOR: editor } });
  }));

Deno.test("Ctrl+O shows everything about a question on the alternate screen and leaves nothing behind", () =>
  world([WRITE, { text: "All done." }], async ({ screen }) => {
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/y once/);
    await screen.keys("C-o");
    await screen.until(/why you are asked/);
    equal((await screen.cursor()).isAlternate, true);
    await screen.keys("q");
    await screen.until(/waiting for you/);
    equal((await screen.cursor()).isAlternate, false);
    ok(!/why you are asked/.test(await screen.all()));
    await screen.keys("C-o");
    await screen.until(/why you are asked/);
    await screen.keys("y");
    await screen.until(/All done\./);
  }));

Deno.test("a command in the background stands on the rail of a wide window, and Ctrl+T opens it", () =>
  world([
    { calls: [{ name: "run_cmd", arguments: { command: "sleep 60", background: true } }] },
    { text: "It runs." },
  ], async ({ screen }) => {
    await screen.type("start it");
    await screen.keys("Enter");
    await screen.until(/It runs\./);
    await screen.until(/^ {4}· s1 sleep 60$/m);
    await screen.resize(80, 40);
    await screen.until(/1 alive/);
    ok(!/· s1 sleep 60/.test(await screen.screen()));
    await screen.keys("C-t");
    await screen.until(/^ {4}· s1 sleep 60$/m);
  }, { columns: 120, args: ["-m", "ollama/m", "--auto", "--sandbox-off"] }));

Deno.test("Shift+Tab goes through the modes, and plan mode refuses what would change something", () =>
  world([WRITE, { text: "As you wish." }], async ({ screen, dir }) => {
    await screen.until(/ · ask/);
    await screen.keys("BTab");
    await screen.until(/ · auto/);
    await screen.keys("BTab");
    await screen.until(/ · plan/);
    await screen.type("write a.txt");
    await screen.keys("Enter");
    await screen.until(/As you wish\./);
    equal([...Deno.readDirSync(dir)].length, 0);
    await screen.keys("BTab");
    await screen.until(/ · ask/);
  }));

Deno.test("the at sign lists the real directory, without what is ignored", () =>
  world([{ text: "Read." }], async ({ screen, dir, api }) => {
    await Deno.mkdir(join(dir, "src"));
    await Deno.writeTextFile(join(dir, "src", "rank.ts"), "x");
    await Deno.writeTextFile(join(dir, ".ignore"), "*.log\n");
    await Deno.writeTextFile(join(dir, "run.log"), "x");
    await screen.type("look at @");
    const menu = await screen.until(/@src\//);
    ok(!/run\.log/.test(menu));
    await screen.keys("Tab");
    await screen.until(/@src\/rank\.ts/);
    await screen.keys("Tab");
    await screen.until(/❯ look at @src\/rank\.ts$/m);
    await screen.keys("Enter");
    await screen.until(/Read\./);
    ok(lastSaid(api).startsWith("look at @src/rank.ts"));
  }));
