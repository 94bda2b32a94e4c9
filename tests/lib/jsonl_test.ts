import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fc } from "../support/property.ts";
import { eachLine, formatLine, parseLine } from "@/lib/jsonl.ts";
import { withWorkspace } from "../support/workspace.ts";

type Seen = { start: number; byteLength: number; text: string | undefined; ended: boolean };

async function linesOf(
  path: string,
  options: { lineBytesMax?: number; stopAfter?: number } = {},
): Promise<Seen[]> {
  using file = await Deno.open(path);
  const seen: Seen[] = [];
  await eachLine(file, ({ start, byteLength, bytes, ended }) => {
    const text = bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    seen.push({ start, byteLength, text, ended });
    return seen.length !== options.stopAfter;
  }, options);
  return seen;
}

Deno.test("eachLine() splits at LF only", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    const first = "a\u2028b\u2029c\u0085d\re\vf\fg";
    await Deno.writeTextFile(path, `${first}\n\nlast`);
    const byteLength = new TextEncoder().encode(first).length;
    equal(await linesOf(path), [
      { start: 0, byteLength, text: first, ended: true },
      { start: byteLength + 1, byteLength: 0, text: "", ended: true },
      { start: byteLength + 2, byteLength: 4, text: "last", ended: false },
    ]);
  });
});

Deno.test("eachLine() sees nothing in an empty file and no tail after a last LF", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    await Deno.writeTextFile(path, "");
    equal(await linesOf(path), []);
    await Deno.writeTextFile(path, "a\n");
    equal(await linesOf(path), [{ start: 0, byteLength: 1, text: "a", ended: true }]);
  });
});

Deno.test("eachLine() reads lines that are longer than what is read at once", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    const sizes = [10, 256 * 1024 - 11, 256 * 1024 - 1, 256 * 1024, 700_001, 0, 3];
    const texts = sizes.map((size, index) => String.fromCharCode(97 + index).repeat(size));
    await Deno.writeTextFile(path, texts.join("\n"));
    equal((await linesOf(path)).map(({ text }) => text), texts);
    const starts = sizes.map((_, index) =>
      sizes.slice(0, index).reduce((sum, size) => sum + size + 1, 0)
    );
    equal((await linesOf(path)).map(({ start }) => start), starts);
  });
});

Deno.test("eachLine() passes over a line that is too long and goes on behind it", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    await Deno.writeTextFile(path, `ab\n${"x".repeat(600_000)}\ncd\n${"y".repeat(11)}`);
    equal(await linesOf(path, { lineBytesMax: 10 }), [
      { start: 0, byteLength: 2, text: "ab", ended: true },
      { start: 3, byteLength: 600_000, text: undefined, ended: true },
      { start: 600_004, byteLength: 2, text: "cd", ended: true },
      { start: 600_007, byteLength: 11, text: undefined, ended: false },
    ]);
  });
});

Deno.test("eachLine() stops when the visitor says so", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    await Deno.writeTextFile(path, "a\nb\nc\n");
    equal((await linesOf(path, { stopAfter: 2 })).map(({ text }) => text), ["a", "b"]);
  });
});

Deno.test("parseLine() reads back what formatLine() wrote, on one line", () => {
  fc.assert(fc.property(fc.jsonValue().filter((v) => !Object.is(v, -0)), (value) => {
    const line = formatLine(value);
    equal(line.indexOf("\n"), line.length - 1);
    equal(parseLine(new TextEncoder().encode(line.slice(0, -1))), value);
  }));
});

Deno.test("parseLine() answers undefined for what is not JSON", () => {
  for (const text of ["", "{", '{"a":', "\u0000\u0000", "nope"]) {
    equal(parseLine(new TextEncoder().encode(text)), undefined);
  }
  equal(parseLine(new Uint8Array([0xff, 0xfe])), undefined);
});
