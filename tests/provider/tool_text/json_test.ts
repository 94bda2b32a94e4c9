import assert from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { type JsonOptions, readJson } from "@/provider/tool_text/json.ts";
import { Source } from "@/provider/tool_text/source.ts";

function read(text: string, options?: JsonOptions): unknown {
  const result = readJson(new Source(text), 0, options);
  return result.state === "read" ? result.value : result.state;
}

/** Reads a payload that is closed from outside at its first `<`. */
function readClosed(text: string): unknown {
  return read(text, { closes: (at) => text.charAt(at) === "<" });
}

const REPAIRED: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ["a trailing comma", '{"a": [1, 2,], "b": 1,}', { a: [1, 2], b: 1 }],
  ["single quotes and Python words", "{'a': 'x', 'b': True, 'c': None}", {
    a: "x",
    b: true,
    c: null,
  }],
  ["an apostrophe in double quotes", `{'a': "it's"}`, { a: "it's" }],
  ["a Python escape in single quotes", String.raw`{'a': 'it\'s \x41\u00e9\n'}`, { a: "it's Aé\n" }],
  ["unquoted keys", '{a: "x", b_2: {c-d: 1}}', { a: "x", b_2: { "c-d": 1 } }],
  ["comments", '{/* one */ "a": "//x", // two\n"b": "/*y*/" # three\n}', { a: "//x", b: "/*y*/" }],
  ["a brace too many in a list", '[{"a": {"b": 1}}}, {"a": 2}}]', [{ a: { b: 1 } }, { a: 2 }]],
  ["a missing comma between objects of a list", '[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }]],
  ["real line breaks and tabs in a text", '{"a": "x\n\ty"}', { a: "x\n\ty" }],
  ["escapes that JSON does not have", String.raw`{"a": "^\s+\d\.\'$\n"}`, {
    a: "^\\s+\\d\\.\\'$\n",
  }],
  ["doubled braces", '{{"a": {{"b": "{{ c }}"}}}}', { a: { b: "{{ c }}" } }],
  ["one pair of braces too many", '{{"a": 1}}', { a: 1 }],
  ["curly quotes as structure", '{“a”: “b "c" ‘d’”}', { a: 'b "c" ‘d’' }],
  ["full-width structure", '｛"a"：［1，2］，"b"： "：，"｝', { a: [1, 2], b: "：，" }],
  ["characters of no width between tokens", '{\u200b"a"\u00a0:\ufeff"\u200bx"}', { a: "\u200bx" }],
  ["an escape in single quotes before letters", String.raw`{"k": '\true'}`, { k: "\true" }],
  ["three quotes", '{"a": """x\n"y" z"""}', { a: 'x\n"y" z' }],
];

for (const [what, text, value] of REPAIRED) {
  Deno.test(`readJson() repairs ${what}`, () => assert.deepEqual(read(text), value));
}

const REFUSED: readonly (readonly [what: string, text: string, state: string])[] = [
  ["a text that is not closed", '{"a": "x', "cut"],
  ["brackets that nothing closed", '{"a": {"b": 1}', "cut"],
  ["a missing value", '{"a": }', "bad"],
  ["a missing value before a comma", '{"a":, "b": 1}', "bad"],
  ["a word where a value is expected", '{"a": foo}', "bad"],
  ["code where a value is expected", '{"a": new Date()}', "bad"],
  ["a bare quote in a text", '{"a": "say "x""}', "bad"],
  ["two texts side by side", '{"a": "x" "y": 1}', "bad"],
  ["a key without a value", '{"a"}', "bad"],
  ["a number that is none", '{"a": 007}', "bad"],
  ["brackets that do not match", '{"a": [1, 2}', "bad"],
  ["two commas", '{"a": 1,, "b": 2}', "bad"],
  ["a backslash between three quotes", '{"a": """x\\n"""}', "bad"],
];

for (const [what, text, state] of REFUSED) {
  Deno.test(`readJson() refuses ${what}`, () => assert.equal(read(text), state));
}

Deno.test("readJson() adds closers only where something outside closed the payload", () => {
  assert.deepEqual(readClosed('{"a": {"b": "c"</tool_call>'), { a: { b: "c" } });
  assert.equal(readClosed('{"a": {"b": "c", </tool_call>'), "bad");
  assert.equal(readClosed('{"a": {"b": </tool_call>'), "bad");
  assert.equal(readClosed('{"a": {"b": "c</tool_call>'), "cut");
});

Deno.test("readJson() stops behind the first value and says where", () => {
  const read = readJson(new Source('{"a": "}"}} rest'), 0);
  assert.deepEqual(read, { state: "read", value: { a: "}" }, end: 10, isRepaired: false });
});

Deno.test("readJson() reads every JSON value as JSON.parse does", () => {
  fc.assert(fc.property(fc.object(), (value) => {
    const text = JSON.stringify(value);
    assert.deepEqual(read(text), JSON.parse(text));
  }));
});

Deno.test("readJson() never reads the start of a value as a value", () => {
  const value = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string())));
  fc.assert(fc.property(value, fc.nat(), (object, cut) => {
    const text = JSON.stringify(object);
    const start = text.slice(0, cut % text.length);
    if (start !== "") assert.notEqual(readJson(new Source(start), 0).state, "read");
  }));
});

Deno.test("readJson() never throws, and invents no text", () => {
  const piece = fc.constantFrom(
    ..."{}[]:,\"'“” \n\\",
    "abc",
    "\\n",
    "\\s",
    "true",
    "None",
    "12",
    "//",
    "/*",
    '"""',
    "，",
  );
  const pieces = fc.array(piece, { maxLength: 30 }).map((list) => list.join(""));
  const quotes = fc.constantFrom('""', "''", "“”", '""""""');
  const literal = fc.tuple(quotes, pieces).map(([pair, inside]) => {
    const half = pair.length / 2;
    return pair.slice(0, half) + inside + pair.slice(half);
  });
  const list = fc.array(literal, { minLength: 1, maxLength: 4 }).map((all) =>
    `[${all.join(", ")}]}`
  );
  fc.assert(
    fc.property(fc.oneof(pieces, list), (value) => {
      const text = `{"k": ${value}`;
      const result = readJson(new Source(text), 0);
      if (result.state !== "read") return;
      for (const string of strings(result.value)) {
        assert.match(text, spelled(string), `${JSON.stringify(string)} out of ${text}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

/** How a character may be written in a string, JSON's or Python's, besides as itself. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "a",
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\v": "v",
  '"': '"',
  "'": "'",
  "\\": "\\\\",
  "/": "/",
};

/** Finds every way to write a string that the pieces have; a backslash before a line break says nothing. */
function spelled(string: string): RegExp {
  const chars = [...string].map((char) => {
    const octal = char.charCodeAt(0).toString(8);
    const escape = ESCAPES[char];
    const ways = [RegExp.escape(char), `\\\\0{0,2}${octal}`];
    if (escape !== undefined) ways.push(`\\\\${escape}`);
    return `(?:${ways.join("|")})`;
  });
  return new RegExp(chars.join("(?:\\\\\\n)*"));
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (value !== null && typeof value === "object") {
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key;
      yield* strings(member);
    }
  }
}
