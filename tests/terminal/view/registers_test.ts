import { deepStrictEqual as equal } from "node:assert/strict";
import { registers, type StyleName } from "@/terminal/full/view/registers.ts";

Deno.test("registers() use only ANSI 1 to 6 and 8, bold and underline", () => {
  const look = registers({ colored: true });
  const names: readonly StyleName[] = ["you", "tool", "event", "error", "ask", "added", "link"];
  equal(names.map((name) => look.ink(name)("x")), [
    "\u001b[1;33mx\u001b[0m",
    "\u001b[36mx\u001b[0m",
    "\u001b[90mx\u001b[0m",
    "\u001b[31mx\u001b[0m",
    "\u001b[1;35mx\u001b[0m",
    "\u001b[32mx\u001b[0m",
    "\u001b[4mx\u001b[0m",
  ]);
  equal(look.paint(["bold", "code"], "x"), "\u001b[1;36mx\u001b[0m");
  equal(look.paint(["bold"], ""), "");
});

Deno.test("registers() keep weight and faintness where there is no colour", () => {
  const look = registers({ colored: false });
  equal([look.you("x"), look.dim("x"), look.tool("x"), look.paint(["emphasis"], "x")], [
    "\u001b[1mx\u001b[0m",
    "\u001b[2mx\u001b[0m",
    "x",
    "\u001b[4mx\u001b[0m",
  ]);
});

Deno.test("registers() follow the palette as it is chosen", () => {
  let palette: readonly string[] = ["you=blue", "tool=plain", "rule=faint", "nonsense"];
  const look = registers({ colored: true, palette: () => palette });
  const shown = () => [look.you("x"), look.tool("x"), look.ink("rule")("x")];
  equal(shown(), ["\u001b[1;34mx\u001b[0m", "x", "\u001b[2mx\u001b[0m"]);
  palette = [];
  equal(shown(), ["\u001b[1;33mx\u001b[0m", "\u001b[36mx\u001b[0m", "\u001b[90mx\u001b[0m"]);
});

Deno.test("registers() tint changed lines where it is known what they stand on, and colours that were chosen win", () => {
  let ground: "dark" | "light" | undefined;
  let palette: readonly string[] = [];
  const look = registers({ colored: true, palette: () => palette, ground: () => ground });
  const both = () => [look.added("a"), look.removed("r"), look.tool("t")];
  equal(both(), ["\x1b[32ma\x1b[0m", "\x1b[31mr\x1b[0m", "\x1b[36mt\x1b[0m"]);
  ground = "dark";
  equal(both(), ["\x1b[48;5;22ma\x1b[0m", "\x1b[48;5;52mr\x1b[0m", "\x1b[36mt\x1b[0m"]);
  ground = "light";
  equal(both(), ["\x1b[48;5;194ma\x1b[0m", "\x1b[48;5;224mr\x1b[0m", "\x1b[36mt\x1b[0m"]);
  palette = ["added=blue"];
  equal(both(), ["\x1b[34ma\x1b[0m", "\x1b[48;5;224mr\x1b[0m", "\x1b[36mt\x1b[0m"]);
  const plain = registers({ colored: false, ground: () => "dark" });
  equal(plain.added("a"), "a");
});
