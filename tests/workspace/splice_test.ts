import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { encode } from "@/lib/encoding.ts";
import { type Replacement, splice, type Unwritable } from "@/workspace/splice.ts";
import { parseText, parseTextAs } from "@/workspace/text_file.ts";
import { arbitraryFile } from "../support/arbitrary_text_bytes.ts";
import { bytesOf } from "../support/file_place.ts";

/** An edit of a random file: some lines become some others, of letters or of what stood there. */
const arbitraryEdit = arbitraryFile.chain(({ file, letters }) =>
  fc.record({
    a: fc.integer({ min: 1, max: file.lines.length }),
    b: fc.integer({ min: 1, max: file.lines.length }),
    lines: fc.array(
      fc.oneof(
        fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((parts) => parts.join("")),
        fc.constantFrom(...file.texts),
      ),
      { maxLength: 6 },
    ),
  }).map(({ a, b, lines }) => ({
    file,
    replacement: { from: Math.min(a, b), to: Math.max(a, b), lines },
  }))
);

Deno.test("splice() changes no byte outside the lines it replaces, and writes the lines it was given", () => {
  fc.assert(
    fc.property(arbitraryEdit, ({ file, replacement }) => {
      const spliced = splice(file, [replacement]);
      if (!spliced.ok) return assertHonest(spliced.problem, replacement);
      const { from, to, lines } = replacement;
      const isCutAtEnd = lines.length === 0 && to === file.lines.length && from > 1;
      const start = isCutAtEnd ? file.lines[from - 2]?.end ?? 0 : file.lines[from - 1]?.start ?? 0;
      const end = file.lines[to - 1]?.next ?? 0;
      const tail = file.bytes.length - end;
      equal([...spliced.bytes.subarray(0, start)], [...file.bytes.subarray(0, start)]);
      equal([...spliced.bytes.subarray(spliced.bytes.length - tail)], [
        ...file.bytes.subarray(end),
      ]);
      const expected = [...file.texts.slice(0, from - 1), ...lines, ...file.texts.slice(to)];
      const { texts } = parseTextAs(spliced.bytes, file);
      equal(texts, expected.length === 0 ? [""] : expected);
    }),
    { numRuns: 2_000 },
  );
});

/** A refusal points to a character of the new text. */
function assertHonest(problem: Unwritable, { from, lines }: Replacement): void {
  const line = lines[problem.line - from] ?? "";
  equal(
    line.slice(problem.column - 1, problem.column - 1 + problem.character.length),
    problem.character,
  );
}

Deno.test("splice() keeps the bytes and the ending of every line that is handed back as it was", () => {
  fc.assert(
    fc.property(arbitraryFile, fc.nat(), ({ file }, seed) => {
      const count = file.lines.length;
      const at = seed % count;
      const lines = file.texts.map((text, index) => index === at ? `${text}x` : text);
      const spliced = splice(file, [{ from: 1, to: count, lines }]);
      const old = file.texts[at] ?? "";
      if (!spliced.ok) {
        // The letter would complete a character that was cut short: then the line cannot be written.
        equal(spliced.problem.reason, "undecodable");
        ok(old.endsWith("\ufffd"));
        return;
      }
      const { end = 0 } = file.lines[at] ?? {};
      const x = encode("x", file.encoding);
      ok(x.ok);
      equal([...spliced.bytes], [
        ...file.bytes.subarray(0, end),
        ...x.bytes,
        ...file.bytes.subarray(end),
      ]);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("splice() gives a new line its neighbour's ending and leaves mixed endings mixed", () => {
  const file = parseText(bytesOf("a\r\nb\nc\rd"));
  const edited = (replacement: Replacement) => {
    const spliced = splice(file, [replacement]);
    ok(spliced.ok);
    return new TextDecoder().decode(spliced.bytes);
  };
  equal(edited({ from: 1, to: 1, lines: ["a", "new"] }), "a\r\nnew\r\nb\nc\rd");
  equal(edited({ from: 2, to: 2, lines: ["new", "b"] }), "a\r\nnew\r\nb\nc\rd");
  equal(edited({ from: 2, to: 3, lines: ["B", "C"] }), "a\r\nB\nC\rd");
  equal(edited({ from: 4, to: 4, lines: ["d", "e"] }), "a\r\nb\nc\rd\re");
  equal(edited({ from: 2, to: 3, lines: [] }), "a\r\nd");
  equal(edited({ from: 4, to: 4, lines: [] }), "a\r\nb\nc");
});

Deno.test("splice() takes the file's other endings when the only line beside it has none", () => {
  const spliced = splice(parseText(bytesOf("only")), [{ from: 1, to: 1, lines: ["one", "two"] }]);
  ok(spliced.ok);
  equal(new TextDecoder().decode(spliced.bytes), "one\ntwo");
});

Deno.test("splice() keeps bytes that do not decode inside a line whose rest is changed", () => {
  const file = parseText(bytesOf("가나다 ", 0xff, " = 1\nb\n"));
  equal(file.encoding, "utf-8");
  const spliced = splice(file, [{ from: 1, to: 1, lines: ["가나다 \ufffd = 2"] }]);
  ok(spliced.ok);
  equal([...spliced.bytes], [...bytesOf("가나다 ", 0xff, " = 2\nb\n")]);
});

Deno.test("splice() refuses U+FFFD where it would replace bytes that could not be shown", () => {
  const file = parseText(bytesOf("가나다 ", 0xff, "\nb\n"));
  const spliced = splice(file, [{ from: 2, to: 2, lines: ["b \ufffd"] }]);
  equal(spliced, {
    ok: false,
    problem: { reason: "undecodable", line: 2, column: 3, character: "\ufffd" },
  });
});

Deno.test("splice() writes U+FFFD into a file that is valid", () => {
  const spliced = splice(parseText(bytesOf("a \ufffd\n")), [{
    from: 1,
    to: 1,
    lines: ["\ufffd \ufffd"],
  }]);
  ok(spliced.ok);
  equal(new TextDecoder().decode(spliced.bytes), "\ufffd \ufffd\n");
});

Deno.test("splice() refuses what the encoding has no bytes for, by line, column and character", () => {
  const korean = encode("가격 = 1200\n이름 = 2\n", "euc-kr");
  ok(korean.ok);
  const file = parseText(korean.bytes);
  equal([file.encoding, file.sure], ["euc-kr", true]);
  equal(splice(file, [{ from: 2, to: 2, lines: ["이름 = 2", "# 좋아요 😀"] }]), {
    ok: false,
    problem: { reason: "unencodable", line: 3, column: 7, character: "😀" },
  });
});

Deno.test("splice() does not write letters of windows-1252 into a file that may be Latin-1", () => {
  const latin = parseText(
    bytesOf("# d", 0xe9, "j", 0xe0, " vu, r", 0xe9, "sum", 0xe9, "\nx = 1\n"),
  );
  equal([latin.encoding, latin.sure], ["windows-1252", true]);
  const euro: Replacement = { from: 2, to: 2, lines: ["x = '€'"] };
  equal(splice(latin, [euro]), {
    ok: false,
    problem: { reason: "unencodable", line: 2, column: 6, character: "€" },
  });
  const windows = parseText(bytesOf("# d", 0xe9, "j", 0xe0, " l", 0x92, "autre\nx = 1\n"));
  ok(splice(windows, [euro]).ok);
});

Deno.test("splice() touches only ASCII in a file whose encoding is not certain", () => {
  const bytes = bytesOf(0xff, 0xfe, 0x41, "\nplain\n");
  const file = parseTextAs(bytes, { encoding: "windows-1252", markBytes: 0, sure: false });
  const plain = splice(file, [{ from: 2, to: 2, lines: ["PLAIN"] }]);
  ok(plain.ok);
  equal([...plain.bytes], [...bytesOf(0xff, 0xfe, 0x41, "\nPLAIN\n")]);
  const problems = [
    splice(file, [{ from: 2, to: 2, lines: ["é"] }]),
    splice(file, [{ from: 1, to: 1, lines: ["A"] }]),
    splice(file, [{ from: 1, to: 2, lines: ["plain"] }]),
    splice(file, [{ from: 1, to: 1, lines: [] }]),
  ];
  for (const problem of problems) equal(!problem.ok && problem.problem.reason, "unsure");
  // A line that is handed back as it was is not touched.
  const kept = splice(file, [{ from: 1, to: 2, lines: [file.texts[0] ?? "", "x"] }]);
  ok(kept.ok);
  equal([...kept.bytes], [...bytesOf(0xff, 0xfe, 0x41, "\nx\n")]);
});

Deno.test("splice() refuses half of a surrogate pair", () => {
  const spliced = splice(parseText(bytesOf("a\n")), [{ from: 1, to: 1, lines: ["a\ud83d"] }]);
  equal(!spliced.ok && spliced.problem, {
    reason: "unencodable",
    line: 1,
    column: 2,
    character: "\ud83d",
  });
});
