/** Several conversations in one full screen, in a real terminal: a new one, one that is gone back to, and pickers. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { fullWorld as world } from "../support/full_world.ts";

type Body = { messages: { role: string; content: string }[] };

Deno.test("/clear begins on an empty screen, /load goes back, and Esc on its picker leaves everything as it is", () =>
  world([{ text: "One." }, { text: "Two." }, { text: "Three." }], async ({ screen, api }) => {
    const said = () =>
      (api.bodies.at(-1) as Body).messages.filter(({ role }) => role !== "system")
        .map(({ content }) => content);
    await screen.type("first words");
    await screen.keys("Enter");
    await screen.until(/One\.\n──/);
    await screen.type("/clear");
    await screen.keys("Enter");
    const cleared = await screen.until(
      /what was said before is kept: \/load \S+ goes back to it\n──/,
    );
    ok(!/One\./.test(cleared), cleared);
    match(await screen.all(), /One\./);
    await screen.type("second words");
    await screen.keys("Enter");
    await screen.until(/Two\.\n──/);
    equal(said(), ["second words"]);
    await screen.type("/load");
    await screen.keys("Enter");
    await screen.until(
      /◆ Load session[\s\S]*› 1\. second words ✓[\s\S]*2\. first words[\s\S]*Esc cancel/,
    );
    await screen.keys("Escape");
    await screen.until(/This session goes on\n──/);
    await screen.type("/load");
    await screen.keys("Enter");
    await screen.until(/◆ Load session/);
    await screen.keys("2");
    await screen.keys("Enter");
    await screen.until(/what was said before is kept[^\n]*\n──/);
    await screen.type("third words");
    await screen.keys("Enter");
    await screen.until(/Three\.\n──/);
    equal(said(), ["first words", "One.", "third words"]);
  }));

Deno.test("/model and /set are answered in pickers that leave one line each", () =>
  world([], async ({ screen }) => {
    await screen.type("/model");
    await screen.keys("Enter");
    await screen.until(
      /◆ Select model[\s\S]*› 1\. gemma4:e4b[\s\S]*Enter set as default · s this session only/,
    );
    await screen.keys("s");
    await screen.until(/ollama\/gemma4:e4b answers in this session\n──\n❯\n ollama\/gemma4:e4b/);
    await screen.type("/set");
    await screen.keys("Enter");
    await screen.until(/◆ Settings[\s\S]*1\. NUM_CTX|◆ Settings[\s\S]*1\. MODEL/);
    await screen.keys("End");
    await screen.until(/› \d+\. KEYS/);
    await screen.keys("Enter");
    await screen.until(/◆ KEYS is \(none\)/);
    await screen.type("mode=f2");
    await screen.keys("Enter");
    await screen.until(/KEYS = mode=f2[^\n]*\n──/);
    await screen.keys("F2");
    await screen.until(/ · auto/);
  }));

Deno.test("while the model works, /model opens its picker at once and /ps answers; what is said waits", () =>
  world([
    { text: "one two three four", fault: { kind: "stall", at: "end" } },
    { text: "Second." },
  ], async ({ screen }) => {
    await screen.type("talk");
    await screen.keys("Enter");
    await screen.until(/three/);
    await screen.type("/model");
    await screen.keys("Enter");
    await screen.until(/three[\s\S]*◆ Select model[\s\S]*waiting for you/);
    await screen.keys("Escape");
    await screen.until(/ollama\/m goes on answering[\s\S]*working/);
    await screen.type("/ps");
    await screen.keys("Enter");
    await screen.until(/No command is running[\s\S]*working/);
    await screen.type("/title later");
    await screen.keys("Enter");
    await screen.until(/queued: \/title later/);
    await screen.keys("Escape");
    await screen.until(/interrupted[\s\S]*❯ \/title later/);
  }));
