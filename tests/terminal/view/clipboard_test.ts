import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { clipboardSequence } from "@/terminal/full/view/clipboard.ts";

const none = () => undefined;

function env(of: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => of[name];
}

Deno.test("clipboardSequence() carries the bytes of the text", () => {
  equal(clipboardSequence("한글\n", none), "\u001b]52;c;7ZWc6riACg==\u0007");
});

Deno.test("clipboardSequence() goes through tmux in either of its ways", () => {
  const plain = clipboardSequence("a", none) ?? "";
  equal(
    clipboardSequence("a", env({ TMUX: "/tmp/x,1,0" })),
    `${plain}\u001bPtmux;\u001b${plain}\u001b\\`,
  );
});

Deno.test("clipboardSequence() goes through GNU screen in pieces that it passes on", () => {
  const text = "word ".repeat(200);
  const sequence = clipboardSequence(text, env({ STY: "1.pts" })) ?? "";
  const pieces = sequence.split("\u001b\\").slice(0, -1);
  ok(
    pieces.length > 1 && pieces.every((piece) => piece.startsWith("\u001bP") && piece.length < 256),
  );
  equal(pieces.map((piece) => piece.slice(2)).join(""), clipboardSequence(text, none));
});

Deno.test("clipboardSequence() refuses what terminals would cut", () => {
  ok(clipboardSequence("a".repeat(74_994), none) !== undefined);
  equal(clipboardSequence("a".repeat(74_995), none), undefined);
  equal(clipboardSequence("한".repeat(25_000), none), undefined);
});
