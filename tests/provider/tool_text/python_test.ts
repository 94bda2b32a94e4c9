import assert from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { readPython } from "@/provider/tool_text/python.ts";
import { Source } from "@/provider/tool_text/source.ts";

function read(text: string): unknown {
  const result = readPython(new Source(text), 0);
  if (result.state !== "read") return result.state;
  return result.calls.map(({ name, named, positional }) => [name, named, ...positional]);
}

const READ: readonly (readonly [what: string, text: string, calls: unknown])[] = [
  ["a list of calls", "[f(a='x'), g()]", [["f", { a: "x" }], ["g", {}]]],
  ["one call", 'f(a="x", b=True, c=None, d=-1.5)', [["f", {
    a: "x",
    b: true,
    c: null,
    d: -1.5,
  }]]],
  ["JSON's words", "f(a=true, b=null)", [["f", { a: true, b: null }]]],
  ["brackets, commas and quotes in a text", `f(a="x), y], (z", b='it"s')`, [["f", {
    a: "x), y], (z",
    b: 'it"s',
  }]]],
  ["escapes", String.raw`f(a='it\'s\t\x41\u00e9\s')`, [["f", { a: "it's\tAé\\s" }]]],
  ["a raw string", String.raw`f(a=r"\d+\n")`, [["f", { a: "\\d+\\n" }]]],
  ["three quotes", 'f(a="""x\n"y"\n""")', [["f", { a: 'x\n"y"\n' }]]],
  ["adjacent strings", `f(a="x" 'y')`, [["f", { a: "xy" }]]],
  ["lists and dictionaries", "f(a=[1, {'k': (2, 3)}])", [["f", { a: [1, { k: [2, 3] }] }]]],
  ["trailing commas", "[f(a=1,),]", [["f", { a: 1 }]]],
  ["values without names", 'f("x", 2)', [["f", {}, "x", 2]]],
  ["one dictionary as all arguments", 'f({"a": "x"})', [["f", { a: "x" }]]],
  ["print around it", 'print(ns.f(a="x"))', [["ns.f", { a: "x" }]]],
  ["comments", "[ # first\n f(a=1), # then\n g()]", [["f", { a: 1 }], ["g", {}]]],
];

for (const [what, text, calls] of READ) {
  Deno.test(`readPython() reads ${what}`, () => assert.deepEqual(read(text), calls));
}

const REFUSED: readonly (readonly [what: string, text: string, state: string])[] = [
  ["a variable", "f(a=x)", "bad"],
  ["an f-string", 'f(a=f"{x}")', "bad"],
  ["an expression", 'f(a="x" + "y")', "bad"],
  ["a call inside a call", "f(a=g())", "bad"],
  ["bytes", 'f(a=b"x")', "bad"],
  ["a signature", "f(a: str)", "bad"],
  ["names without calls", "[f, g]", "bad"],
  ["a print of something else", 'print("hi")', "bad"],
  ["a number with more digits than it can hold", "f(a=90071992547409931)", "bad"],
  ["a text that is not closed", "f(a='x", "cut"],
  ["a call that is not closed", "f(a='x'", "cut"],
  ["a list that is not closed", "[f(a='x'), ", "cut"],
  ["a word that the text ends in", "f(a=Tru", "cut"],
];

for (const [what, text, state] of REFUSED) {
  Deno.test(`readPython() refuses ${what}`, () => assert.equal(read(text), state));
}

Deno.test("readPython() reads every text that Python would write", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const escaped = text.replace(/[\\'\n\r\t]/g, (char) =>
      ({
        "\\": "\\\\",
        "'": "\\'",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
      })[char] ?? char);
    assert.deepEqual(read(`f(a='${escaped}')`), [["f", { a: text }]]);
  }));
});

Deno.test("readPython() never throws", () => {
  const piece = fc.constantFrom(..."fgab()[]{}=,:'\"\\# \n1.-", "True", "print", '"""', "r'");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      readPython(new Source(pieces.join("")), 0);
    }),
    { numRuns: 2_000 },
  );
});
