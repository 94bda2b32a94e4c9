import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { encode } from "@/lib/encoding.ts";
import { VIEW_BOUNDS, type Viewed, viewFile } from "@/workspace/file_view.ts";
import { row } from "@/workspace/hashline.ts";
import { grownBy } from "../support/grown_by.ts";
import { withWorkspace } from "../support/workspace.ts";

type Rows = Extract<Viewed, { kind: "rows" }>;

const bytes = (text: string) => new TextEncoder().encode(text).length;

async function view(
  content: string | Uint8Array,
  range: { start?: number; end?: number } = {},
): Promise<Viewed> {
  let viewed: Viewed | undefined;
  await withWorkspace(async (dir) => {
    const path = join(dir, "f");
    if (typeof content === "string") await Deno.writeTextFile(path, content);
    else await Deno.writeFile(path, content);
    viewed = await viewFile(path, range);
  });
  if (viewed === undefined) throw new Error("Nothing was viewed");
  return viewed;
}

async function rows(
  content: string | Uint8Array,
  range: { start?: number; end?: number } = {},
): Promise<Rows> {
  const viewed = await view(content, range);
  if (viewed.kind !== "rows") throw new Error(`It is ${viewed.kind}`);
  return viewed;
}

const numbered = (count: number, width = 20) =>
  Array.from({ length: count }, (_, index) => `${index + 1} `.padEnd(width, "x")).join("\n") + "\n";

Deno.test("viewFile() shows a short file whole, without a word besides", async () => {
  equal((await rows("a\nb\n")).text, "1:0cc|a\n2:92e|b\n3:d41|");
  equal((await rows("")).text, "1:d41|");
  equal((await rows("a\r\nb\rc")).text, "1:0cc|a\n2:92e|b\n3:4a8|c");
});

Deno.test("viewFile() shows a range and says of how many lines", async () => {
  const { text, from, to, lines, shown } = await rows("a\nb\nc\nd", { start: 2, end: 3 });
  equal(text, "2:92e|b\n3:4a8|c\n(lines 2-3 of 4)");
  equal([from, to, lines, shown.length], [2, 3, 4, 2]);
  equal((await rows("a\nb", { end: 99 })).text, "1:0cc|a\n2:92e|b");
  equal(await view("a\nb", { start: 3 }), { kind: "beyond", lines: 2 });
});

Deno.test("viewFile() keeps to 8 KB what it shows of a longer file, and says how to read on to the end", async () => {
  const content = numbered(5_000);
  const seen: number[] = [];
  let start = 1;
  for (let read = 0; read < 100; read += 1) {
    const { text, shown, to } = await rows(content, { start });
    ok(bytes(text) < 8_000, `${bytes(text)} bytes`);
    seen.push(...shown.map(({ line }) => line));
    if (to === 5_000) break; // The empty row behind it is shown and is no line.
    match(text, new RegExp(`\\(lines ${start}-${to} of 5000; read on with start=${to + 1}\\)$`));
    start = to + 1;
  }
  equal(seen, Array.from({ length: 5_001 }, (_, index) => index + 1));
});

Deno.test("viewFile() shows a file of one long line in less than 8 KB, without an anchor for it", async () => {
  for (const letter of ["x", "가", "😀"]) {
    const { text, shown } = await rows(letter.repeat(1_400_000 / letter.length));
    ok(bytes(text) < 8_000, `${bytes(text)} bytes`);
    ok(!/^\s*1:[0-9a-f]{2,3}\|/.test(text), text.slice(0, 40));
    match(text, /cut row has no anchor/);
    equal(shown, []);
    ok(!text.includes("\ufffd"));
  }
});

Deno.test("viewFile() cuts the long line of a file and shows the others with anchors", async () => {
  const { text, shown } = await rows(`first\n${"y".repeat(30_000)}\nlast\n`);
  equal(text.split("\n")[0], row({ line: 1, text: "first" }));
  match(text, /\n2:…\|y+ … \(cut: the line has 30000 characters\)\n3:/);
  equal(shown.map(({ line }) => line), [1, 3, 4]);
});

Deno.test("viewFile() reads a slice of a huge file without holding it", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "big.log");
    const block = new TextEncoder().encode(numbered(20_000, 48));
    {
      using file = await Deno.open(path, { create: true, write: true });
      for (let written = 0; written < 100; written += 1) await file.write(block);
    }
    const { size } = await Deno.stat(path);
    ok(size > 95_000_000);
    const viewed = await viewFile(path, { start: 1_000_001, end: 1_000_003 });
    ok(viewed.kind === "rows");
    equal(viewed.shown.map(({ text }) => text.slice(0, 2)), ["1 ", "2 ", "3 "]);
    match(viewed.text, /\(lines 1000001-1000003 of 2000000; read on with start=1000004\)$/);
    const grown = await grownBy("view", path);
    ok(grown < 60_000_000, `${grown} bytes more`);
    equal(await viewFile(path, { start: 3_000_000 }), { kind: "beyond", lines: 2_000_000 });
    const stopped = viewFile(path, {}, { signal: AbortSignal.abort(new Error("stopped")) });
    await rejects(stopped, /stopped/);
  });
});

Deno.test("viewFile() gives the same slice of a streamed file as of one in memory", async () => {
  // Endings that fall on chunk borders, and characters cut by them.
  const unit = `가${"x".repeat(37)}\r\n${"y".repeat(11)}\r${"z".repeat(7)}\n`;
  for (const encoding of ["utf-8", "utf-16le", "utf-16be", "euc-kr"] as const) {
    const mark = encoding.startsWith("utf-16") ? "\ufeff" : "";
    const encoded = encode(mark + unit.repeat(30_000), encoding);
    ok(encoded.ok);
    ok(encoded.bytes.length > 1_100_000);
    const streamed = await rows(encoded.bytes, { start: 80_000, end: 80_020 });
    const small = encode(mark + unit.repeat(7), encoding);
    ok(small.ok);
    const expected = (await rows(small.bytes)).shown;
    streamed.shown.forEach(({ line, text }) => equal(text, expected[(line - 1) % 3]?.text));
    equal([streamed.shown.length, streamed.lines], [21, 90_000]);
  }
});

Deno.test("viewFile() says which encoding it read, and when that is not certain", async () => {
  const korean = encode("# 값을 계산한다\nx = 1\n", "euc-kr");
  ok(korean.ok);
  match(
    (await rows(korean.bytes)).text,
    /\|# 값을 계산한다\n[^]*\n\(encoding EUC-KR \(cp949\), kept by edits\)$/,
  );
  const odd = Uint8Array.from(
    [0xff, 0xfe ^ 0xff, 0x0a, 0x61, 0x0a].map((byte) => byte === 0x01 ? 0xf0 : byte),
  );
  match((await rows(odd)).text, /\(the encoding is not certain; shown as /);
});

Deno.test("viewFile() tells directories, missing and binary files from text", async () => {
  await withWorkspace(async (dir) => {
    equal(await viewFile(dir, {}), { kind: "dir" });
    equal(await viewFile(join(dir, "no"), {}), { kind: "absent" });
    const path = join(dir, "big.bin");
    await Deno.writeFile(path, new Uint8Array(2_000_000));
    const viewed = await viewFile(path, {});
    equal(viewed.kind === "binary" && [viewed.what, viewed.size], [
      "data with NUL bytes",
      2_000_000,
    ]);
  });
});

Deno.test("viewFile() keeps to a smaller bound, cut at a line's end", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "f");
    await Deno.writeTextFile(path, numbered(200));
    const viewed = await viewFile(path, {}, { bounds: { ...VIEW_BOUNDS, wholeCharsMax: 1_000 } });
    ok(viewed.kind === "rows");
    const listed = viewed.text.split("\n").slice(0, -1);
    ok(listed.join("\n").length <= 1_000 && listed.length > 20);
    equal(listed, viewed.shown.map(row));
  });
});

Deno.test("viewFile() counts lines as people do: the empty row behind the last newline is shown and is none", async () => {
  for (const many of [3, 40_000]) { // Held in memory, and streamed.
    const content = numbered(many);
    const viewed = await rows(content, { start: many - 1 });
    equal([viewed.from, viewed.to, viewed.lines], [many - 1, many, many]);
    match(
      viewed.text,
      new RegExp(`\\n${many + 1}:d41\\|\\n\\(lines ${many - 1}-${many} of ${many}\\)$`),
    );
    const behind = await rows(content, { start: many + 1 });
    equal(behind.text, `${many + 1}:d41|\n(row ${many + 1} is empty, behind all ${many} lines)`);
    equal(await view(content, { start: many + 2 }), { kind: "beyond", lines: many });
  }
});
