import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { type Input, KeyReader } from "@/terminal/full/keys.ts";

/** What is to be done later is done when the test says so. */
class ByHand {
  #due: (() => void) | undefined;
  readonly later = (action: () => void) => {
    this.#due = action;
    return () => {
      this.#due = undefined;
    };
  };

  run(): void {
    for (let due = this.#due; due !== undefined; due = this.#due) {
      this.#due = undefined;
      due();
    }
  }
}

function read(...chunks: readonly (string | Uint8Array)[]): Input[] {
  const inputs: Input[] = [];
  const hand = new ByHand();
  const reader = new KeyReader((input) => inputs.push(input), hand.later);
  for (const chunk of chunks) {
    reader.feed(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  }
  hand.run();
  return inputs;
}

const names = (...chunks: readonly string[]) =>
  read(...chunks).map((input) => input.type === "key" ? input.name : input.type);

Deno.test("KeyReader names keys of old terminals, of kitty and of modifyOtherKeys alike", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["\r", "enter"],
    ["\n", "ctrl+j"],
    ["\t", "tab"],
    ["\x7f", "backspace"],
    ["\x08", "backspace"],
    ["\x03", "ctrl+c"],
    ["\x1f", "ctrl+_"],
    ["\x00", "ctrl+space"],
    ["\x1b[A", "up"],
    ["\x1bOB", "down"],
    ["\x1b[1;5D", "ctrl+left"],
    ["\x1b[1;3C", "alt+right"],
    ["\x1b[H", "home"],
    ["\x1b[4~", "end"],
    ["\x1b[3;5~", "ctrl+delete"],
    ["\x1b[Z", "shift+tab"],
    ["\x1b\r", "alt+enter"],
    ["\x1b\x7f", "alt+backspace"],
    ["\x1bb", "alt+b"],
    ["\x1bB", "alt+b"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b[27;2;13~", "shift+enter"],
    ["\x1b[27u", "escape"],
    ["\x1b[99;5u", "ctrl+c"],
    ["\x1b[1089;5u", "ctrl+c"], // the same key on a Russian keyboard
    ["\x1b[97;69u", "ctrl+a"], // with Caps Lock on
    ["\x1b[57414u", "enter"], // on the keypad
    ["\x1b[57400u", "1"],
    ["\x1b[32;2u", "space"],
    ["\x1b[57441;2u", ""], // Shift by itself
    ["\x1b[97;5:3u", ""], // let go
    ["\x1b[200;300;400z", ""], // unknown
  ];
  equal(cases.map(([bytes]) => [bytes, names(bytes).join()]), cases.map(([a, b]) => [a, b]));
});

Deno.test("KeyReader gives typed text whole, whatever script it is in and wherever it is cut", () => {
  const text = "안녕 👨‍👩‍👧‍👦 é";
  const bytes = new TextEncoder().encode(text);
  fc.assert(fc.property(fc.integer({ min: 0, max: bytes.length }), (at) => {
    const typed = read(bytes.subarray(0, at), bytes.subarray(at));
    equal(typed.map((input) => input.type === "key" ? input.text : "").join(""), text);
  }));
});

Deno.test("KeyReader reads a sequence that is cut anywhere like a whole one", () => {
  for (
    const sequence of [
      "\x1b[1;5D",
      "\x1bOA",
      "\x1b[27;2;13~",
      "\x1b[?62;c",
      "\x1b]11;rgb:0/0/0\x1b\\",
    ]
  ) {
    const whole = read(sequence);
    for (let at = 1; at < sequence.length; at++) {
      equal(read(sequence.slice(0, at), sequence.slice(at)), whole, JSON.stringify([sequence, at]));
    }
  }
});

Deno.test("KeyReader tells Escape from the beginning of a sequence", () => {
  equal(names("\x1b"), ["escape"]);
  equal(names("\x1b\x1b[A"), ["escape", "up"]);
  equal(names("\x1b[", ""), []);
  equal(names("\x1b", "[A"), ["up"]);
});

Deno.test("KeyReader takes Escape and the beginning of a line for two keys, however they arrive", () => {
  equal(names("\x1b/"), ["escape", "/"]);
  equal(names("\x1b", "/keys"), ["escape", "/keys"]);
  equal(names("\x1b!ls"), ["escape", "!ls"]);
  equal(names("\x1bd"), ["alt+d"]);
});

Deno.test("KeyReader takes no part of an answer of the terminal for typed text", () => {
  equal(read("\x1b[?62;22;52c\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1bP>|tmux 3.3a\x1b\\x"), [
    { type: "report", text: "[?62;22;52c" },
    { type: "report", text: "]11;rgb:1e1e/1e1e/1e1e\x07" },
    { type: "report", text: "P>|tmux 3.3a\x1b\\" },
    { type: "key", name: "x", text: "x" },
  ]);
});

Deno.test("KeyReader gives a paste as one, with its line ends and sequences as they came", () => {
  equal(read("\x1b[200~one\rtwo\n\x1b[31m\x1b[201~", "x"), [
    { type: "paste", text: "one\rtwo\n\x1b[31m" },
    { type: "key", name: "x", text: "x" },
  ]);
});

Deno.test("KeyReader lets nothing break out of a paste that holds the end mark itself", () => {
  const hostile = "harmless\x1b[201~\rrm -rf ~\r";
  equal(read(`\x1b[200~${hostile}\x1b[201~`), [
    { type: "paste", text: "harmless\rrm -rf ~\r" },
  ]);
  // Cut by the reads, it is still one paste.
  equal(read("\x1b[200~harmless\x1b[201~", "\rrm -rf ~\r\x1b[201~"), [
    { type: "paste", text: "harmless\rrm -rf ~\r" },
  ]);
});

Deno.test("KeyReader keeps one paste together that arrives in pieces, with pauses between them", async () => {
  const inputs: Input[] = [];
  const reader = new KeyReader((input) => inputs.push(input));
  const lines = Array.from({ length: 40 }, (_, n) => `\tline ${n}\r`);
  reader.feed(new TextEncoder().encode("\x1b[200~"));
  for (const line of lines) {
    await new Promise((resolve) => setTimeout(resolve, 12));
    reader.feed(new TextEncoder().encode(line));
  }
  reader.feed(new TextEncoder().encode("\x1b[201~"));
  await new Promise((resolve) => setTimeout(resolve, 60));
  equal(inputs, [{ type: "paste", text: lines.join("") }]);
});

Deno.test("KeyReader takes what came of a paste that never ends", () => {
  equal(read("\x1b[200~half"), [{ type: "paste", text: "half" }]);
});

Deno.test("KeyReader gives no control character as text, whatever it is fed", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    for (const input of read(bytes)) {
      if (input.type === "key") equal(/[\x00-\x1f\x7f]/.test(input.text), false);
    }
  }));
});
