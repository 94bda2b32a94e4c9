/** The cases D01 to D11 of what users of coding agents suffer from, each on real files through the real tools. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { encode } from "@/lib/encoding.ts";
import { bytesOf, withFiles } from "../support/file_place.ts";

Deno.test("edit_file keeps byte order mark and CRLF, and neither is shown (D01)", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "\ufefffirst = 1\r\nsecond = 2\r\n");
    const { text } = await place.call("read_file", { filepath: "f.txt" });
    ok(!text.includes("\ufeff") && !text.includes("\r"), text);
    match(text, /^1:[0-9a-f]{3}\|first = 1\n/);
    const [first] = await place.anchors("f.txt");
    const result = await place.call("edit_file", {
      filepath: "f.txt",
      new_content: `${first}|first = 11`,
    });
    equal(result.status, "ok");
    equal(await place.text("f.txt"), "\ufefffirst = 11\r\nsecond = 2\r\n");
  }));

Deno.test("edit_file leaves the bytes of other EUC-KR lines alone (D02)", () =>
  withFiles(async (place) => {
    const price = [0xb0, 0xa1, 0xb0, 0xdd];
    await place.put("f.py", bytesOf(...price, " = 1200\ncount = 1\n"));
    const { text } = await place.call("read_file", { filepath: "f.py" });
    match(text, /\|가격 = 1200\n/);
    const anchors = await place.anchors("f.py");
    const edit = { filepath: "f.py", new_content: `${anchors[1]}|count = 2` };
    equal((await place.call("edit_file", edit)).status, "ok");
    equal(await place.bytes("f.py"), bytesOf(...price, " = 1200\ncount = 2\n"));
  }));

Deno.test("edit_file reads and writes UTF-16 with its byte order mark (D03)", async () => {
  for (
    const [encoding, mark] of [["utf-16le", [0xff, 0xfe]], ["utf-16be", [0xfe, 0xff]]] as const
  ) {
    await withFiles(async (place) => {
      const body = (text: string) => {
        const encoded = encode(text, encoding);
        return bytesOf(...mark, ...(encoded.ok ? encoded.bytes : []));
      };
      await place.put("f.reg", body("가 = 1\r\nb = 2\r\n"));
      const { text } = await place.call("read_file", { filepath: "f.reg" });
      match(text, /^1:[0-9a-f]{3}\|가 = 1\n2:[0-9a-f]{3}\|b = 2\n/);
      const anchors = await place.anchors("f.reg");
      const edit = { filepath: "f.reg", old_content: anchors[1], new_content: "b = 2\n나 = 😀" };
      equal((await place.call("edit_file", edit)).status, "ok");
      equal(await place.bytes("f.reg"), body("가 = 1\r\nb = 2\r\n나 = 😀\r\n"));
    });
  }
});

Deno.test("edit_file adds no newline to a file that ends without one (D04)", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "one\ntwo");
    const [first] = await place.anchors("f.txt");
    await place.call("edit_file", { filepath: "f.txt", new_content: `${first}|ONE` });
    equal(await place.text("f.txt"), "ONE\ntwo");
    const anchors = await place.anchors("f.txt");
    await place.call("edit_file", {
      filepath: "f.txt",
      old_content: anchors[1],
      new_content: "two\nthree",
    });
    equal(await place.text("f.txt"), "ONE\ntwo\nthree");
  }));

Deno.test("edit_file keeps the mode behind a link, and a new file follows the umask (D05)", () =>
  withFiles(async (place) => {
    await place.put("run.sh", "#!/bin/sh\necho hi\n", 0o750);
    await Deno.symlink("run.sh", place.path("link.sh"));
    const anchors = await place.anchors("link.sh");
    const edit = { filepath: "link.sh", new_content: `${anchors[1]}|echo ho` };
    equal((await place.call("edit_file", edit)).status, "ok");
    equal(await place.text("run.sh"), "#!/bin/sh\necho ho\n");
    equal(((await Deno.lstat(place.path("run.sh"))).mode ?? 0) & 0o7777, 0o750);
    ok((await Deno.lstat(place.path("link.sh"))).isSymlink);
    await place.call("write_file", { filepath: "new.txt", content: "x\n" });
    await Deno.writeTextFile(place.path("plain.txt"), "");
    const modeOf = async (name: string) => (await Deno.lstat(place.path(name))).mode;
    equal(await modeOf("new.txt"), await modeOf("plain.txt"));
  }));

Deno.test("edit_file names a tab against spaces, and the anchor works (D06)", () =>
  withFiles(async (place) => {
    await place.put("Makefile", "all:\n\tcc -o x x.c\n");
    const missed = await place.call("edit_file", {
      filepath: "Makefile",
      old_content: "all:\n    cc -o x x.c",
      new_content: "all:\n\tcc -O2 -o x x.c",
    });
    equal(missed.status, "failed");
    match(
      missed.text,
      /line 2, column 1: the file has a tab \(U\+0009\), old_content has a space \(U\+0020\)/,
    );
    match(missed.text, /tab against spaces/);
    const row = /^ {2}(2:[0-9a-f]{3})\|\tcc -o x x\.c$/m.exec(missed.text);
    ok(row, missed.text);
    const edit = { filepath: "Makefile", new_content: `${row[1]}|\tcc -O2 -o x x.c` };
    equal((await place.call("edit_file", edit)).status, "ok");
    equal(await place.text("Makefile"), "all:\n\tcc -O2 -o x x.c\n");
  }));

Deno.test("bodies reach the disk as they were sent, escapes and all (D07)", () =>
  withFiles(async (place) => {
    const body = String.raw`char c = '\0'; printf("\n"); \\ \title{x} \s+ C:\new\table` +
      "\nlast \\\n\\\n";
    await place.call("write_file", { filepath: "native.c", content: body });
    equal(await place.text("native.c"), body);
    // A raw block has lost its last newline with the tag; the file gets it back.
    await place.call("write_file", { filepath: "raw.c", content: body.slice(0, -1) }, ["content"]);
    equal(await place.text("raw.c"), body);
    await place.put("edited.c", "one\ntwo\n");
    const anchors = await place.anchors("edited.c");
    const lines = body.slice(0, -1);
    await place.call("edit_file", {
      filepath: "edited.c",
      old_content: anchors[0],
      new_content: lines,
    });
    equal(await place.text("edited.c"), `${lines}\ntwo\n`);
    await place.put("text.c", "one\ntwo\n");
    await place.call("edit_file", { filepath: "text.c", old_content: "one", new_content: lines });
    equal(await place.text("text.c"), `${lines}\ntwo\n`);
  }));

Deno.test("edit_file names a no-break space and its column (D08)", () =>
  withFiles(async (place) => {
    await place.put("f.py", "x = 1\nprint(\u00a0x)\n");
    const missed = await place.call("edit_file", {
      filepath: "f.py",
      old_content: "print( x)",
      new_content: "print(x)",
    });
    equal(missed.status, "failed");
    match(missed.text, /line 2, column 7: the file has a no-break space \(U\+00A0\)/);
    match(missed.text, /^ {2}2:[0-9a-f]{3}\|print\(\u00a0x\)$/m);
  }));

Deno.test("edit_file takes neither a touch nor our own edits for a change (D09)", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "one\ntwo\nthree\n");
    const anchors = await place.anchors("f.txt");
    const later = new Date(Date.now() + 100_000);
    await Deno.utime(place.path("f.txt"), later, later);
    const insert = { filepath: "f.txt", old_content: anchors[0], new_content: "zero\none" };
    const first = await place.call("edit_file", insert);
    equal(first.status, "ok");
    // Anchors from the echo, and those of an old listing whose line did not move.
    const echoed = /^ {2}(3:[0-9a-f]{3})\|two$/m.exec(first.text)?.[1];
    const second = await place.call("edit_file", {
      filepath: "f.txt",
      new_content: `${echoed}|TWO`,
    });
    equal(second.status, "ok");
    const third = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: "three",
      new_content: "THREE",
    });
    equal(third.status, "ok");
    equal(await place.text("f.txt"), "zero\none\nTWO\nTHREE\n");
  }));

Deno.test("edit_file refuses after an outside change, hands back the rows, and the second try succeeds (D10)", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\nc\nd\ne\n");
    const anchors = await place.anchors("f.txt");
    await place.put("f.txt", "a\nb\nC\nd\ne\n");
    // Both ends of the span fit; only the line in the middle was changed.
    const refused = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: `${anchors[1]}-${anchors[3]}`,
      new_content: "x",
    });
    equal(refused.status, "failed");
    match(refused.text, /line 3 of f\.txt changed after you were last shown it/);
    match(refused.text, /^ {2}3:[0-9a-f]{3}\|C$/m);
    equal(await place.text("f.txt"), "a\nb\nC\nd\ne\n");
    const again = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: `${anchors[1]}-${anchors[3]}`,
      new_content: "x",
    });
    equal(again.status, "ok");
    equal(await place.text("f.txt"), "a\nx\ne\n");
  }));

Deno.test("read_file says what a binary file is, and edit_file and write_file leave it alone (D11)", () =>
  withFiles(async (place) => {
    const png = bytesOf(0x89, "PNG\r\n", 0x1a, "\n", 0, 0, 0, 13, "IHDR");
    await place.put("a.png", png);
    await place.put("b.dat", bytesOf("text", 0, "text"));
    const read = await place.call("read_file", { filepath: "a.png" });
    equal(read.status, "failed");
    match(read.text, /binary file \(PNG image, 16 bytes\)/);
    match(
      (await place.call("read_file", { filepath: "b.dat" })).text,
      /binary file \(data with NUL bytes, 9 bytes\)/,
    );
    const edit = { filepath: "a.png", old_content: "IHDR", new_content: "x" };
    match((await place.call("edit_file", edit)).text, /Cannot edit "a\.png": it is a binary file/);
    const write = await place.call("write_file", { filepath: "a.png", content: "x\n" });
    equal(write.status, "failed");
    match(write.text, /left alone; delete_file it first/);
    equal(await place.bytes("a.png"), png);
    await place.put("c.txt", "still here\n");
    equal((await place.call("read_file", { filepath: "c.txt" })).status, "ok");
  }));
