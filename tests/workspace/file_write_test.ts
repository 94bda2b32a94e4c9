import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { encode } from "@/lib/encoding.ts";
import { listing } from "@/workspace/hashline.ts";
import { bytesOf, type FilePlace, withFiles } from "../support/file_place.ts";

const write = (place: FilePlace, filepath: string, content: string, raw: readonly string[] = []) =>
  place.call("write_file", { filepath, content }, raw);

Deno.test("write_file puts a new file on disk byte for byte", () =>
  withFiles(async (place) => {
    for (
      const body of ["a\nb\n", "no newline", "crlf\r\nkept\r\n", "lone\rcr", "\ufeffmark", " \n"]
    ) {
      await write(place, "f.txt", body);
      equal(await place.text("f.txt"), body);
      await Deno.remove(place.path("f.txt"));
    }
    const result = await write(place, "f.txt", "a\nb\n");
    equal([result.text, result.changed], ["File created: f.txt (2 lines)", [place.path("f.txt")]]);
  }));

Deno.test("write_file creates an empty file when it is told to, and says when nothing changes", () =>
  withFiles(async (place) => {
    equal((await write(place, "__init__.py", "")).status, "ok");
    equal(await place.text("__init__.py"), "");
    const again = await write(place, "__init__.py", "");
    equal([again.status, again.changed], ["ok", undefined]);
    match(again.text, /no change/);
    await write(place, "f.txt", "a\n");
    match((await write(place, "f.txt", "a\n")).text, /Nothing was written: no change/);
  }));

Deno.test("write_file refuses an empty or blank body over a file that has content", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    for (
      const [body, raw] of [["", []], ["  \n", []], ["", ["content"]], ["\n\n", [
        "content",
      ]]] as const
    ) {
      const result = await write(place, "f.txt", body, raw);
      equal(result.status, "failed");
      match(result.text, /the existing file \(3 lines\) was left alone/);
    }
    equal(await place.text("f.txt"), "a\nb\n");
  }));

Deno.test("write_file gives a raw body its last newline, unless the file it replaces had none", () =>
  withFiles(async (place) => {
    await write(place, "new.txt", "a\nb", ["content"]);
    equal(await place.text("new.txt"), "a\nb\n");
    await place.put("without.txt", "old");
    await write(place, "without.txt", "a\nb", ["content"]);
    equal(await place.text("without.txt"), "a\nb");
    await place.put("with.txt", "old\r\n");
    await write(place, "with.txt", "a\nb", ["content"]);
    equal(await place.text("with.txt"), "a\r\nb\r\n");
    await write(place, "native.txt", "a\nb");
    equal(await place.text("native.txt"), "a\nb");
  }));

Deno.test("write_file keeps encoding, byte order mark, prevailing line ending and mode", () =>
  withFiles(async (place) => {
    await place.put("mixed.txt", "\ufeffa\r\nb\r\nc\n", 0o755);
    const result = await write(place, "mixed.txt", "\ufeffx\ny\nz\n");
    equal(await place.text("mixed.txt"), "\ufeffx\r\ny\r\nz\r\n");
    equal(((await Deno.stat(place.path("mixed.txt"))).mode ?? 0) & 0o777, 0o755);
    match(
      result.text,
      /\(3 lines replaced by 3 lines; it keeps byte order mark, CRLF line endings\)/,
    );
    await place.put("lf.txt", "a\nb\n");
    await write(place, "lf.txt", "x\r\ny\r\n");
    equal(await place.text("lf.txt"), "x\ny\n");
    const japanese = (text: string) => {
      const encoded = encode(text, "shift_jis");
      ok(encoded.ok);
      return encoded.bytes;
    };
    await place.put("j.txt", japanese("こんにちは、世界\n"));
    await write(place, "j.txt", "日本語のテスト\n表示\n");
    equal(await place.bytes("j.txt"), japanese("日本語のテスト\n表示\n"));
    const refused = await write(place, "j.txt", "日本語\n한글\n");
    match(refused.text, /line 2, column 1: "한" \(U\+D55C\) cannot be written in Shift_JIS/);
    equal(await place.bytes("j.txt"), japanese("日本語のテスト\n表示\n"));
  }));

Deno.test("write_file refuses to replace bytes that could not be shown by U+FFFD", () =>
  withFiles(async (place) => {
    const damaged = bytesOf("가나다 ", 0xff, "\nb\n");
    await place.put("f.txt", damaged);
    // The line that is handed back as it was shown keeps its byte.
    equal((await write(place, "f.txt", "가나다 \ufffd\nB\n")).status, "ok");
    equal(await place.bytes("f.txt"), bytesOf("가나다 ", 0xff, "\nB\n"));
    match((await write(place, "f.txt", "x\n가\ufffd\ny\n")).text, /would destroy them/);
    equal(await place.bytes("f.txt"), bytesOf("가나다 ", 0xff, "\nB\n"));
  }));

Deno.test("write_file writes ASCII over a file whose encoding is not certain, and nothing else", () =>
  withFiles(async (place) => {
    const odd = bytesOf(0xf0, 0xfe, 0x41, 0xfd, "\nplain\r\n");
    await place.put("f.txt", odd);
    match((await write(place, "f.txt", "é\n")).text, /encoding of the file is not certain/);
    equal(await place.bytes("f.txt"), odd);
    equal((await write(place, "f.txt", "plain\n")).status, "ok");
    equal(await place.text("f.txt"), "plain\n");
  }));

Deno.test("write_file follows .editorconfig for new files", () =>
  withFiles(async (place) => {
    await place.put(
      ".editorconfig",
      "root = true\n[*.bat]\nend_of_line = crlf\n[*.ps1]\ncharset = utf-8-bom\n[*.l1]\ncharset = latin1\n",
    );
    match(
      (await write(place, "a.bat", "x\ny\n")).text,
      /line endings as \.editorconfig says \(CRLF\)/,
    );
    equal(await place.text("a.bat"), "x\r\ny\r\n");
    await write(place, "a.ps1", "x\n");
    equal(await place.text("a.ps1"), "\ufeffx\n");
    await write(place, "a.l1", "é\n");
    equal(await place.bytes("a.l1"), bytesOf(0xe9, "\n"));
    match((await write(place, "b.l1", "x\n한\n")).text, /line 2, column 1: "한"/);
    await write(place, "a.txt", "x\n");
    equal(await place.text("a.txt"), "x\n");
  }));

Deno.test("write_file takes a listing's prefixes out of the body, and leaves clock times in", () =>
  withFiles(async (place) => {
    const result = await write(place, "f.py", listing(["import os", "", "print(1)"]));
    equal(await place.text("f.py"), "import os\n\nprint(1)");
    match(result.text, /listing prefixes/);
    const hours = "8:00|open\n9:30|coffee\n";
    await write(place, "hours.txt", hours);
    equal(await place.text("hours.txt"), hours);
  }));

Deno.test("write_file names create_dir for a missing directory, or makes it where it may", async () => {
  const input = { filepath: "no/such/a.py", content: "x\n" };
  await withFiles(async (place) => {
    const result = await place.call("write_file", input);
    equal(result.status, "failed");
    match(
      result.text,
      /the directory "no\/such" does not exist\. Nothing was written; make it with create_dir/,
    );
  });
});

Deno.test("write_file refuses a directory and a write-protected file", () =>
  withFiles(async (place) => {
    await place.put("dir/f.txt", "a\n", 0o444);
    match((await write(place, "dir", "x")).text, /it is a directory/);
    match((await write(place, "dir/f.txt", "x")).text, /write-protected/);
    equal(await place.text("dir/f.txt"), "a\n");
  }));

Deno.test("write_file makes what was shown of the file void", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    await place.call("read_file", { filepath: "f.txt" });
    await write(place, "f.txt", "x\ny\n");
    const edit = { filepath: "f.txt", new_content: "2:415|Y" };
    equal((await place.call("edit_file", edit)).status, "ok");
    equal(await place.text("f.txt"), "x\nY\n");
  }));

Deno.test("write_file and edit_file keep a file in ISO-2022-JP, and refuse what it has no bytes for", () =>
  withFiles(async (place) => {
    const mail = "Subject: x\n\n\x1b$B$3$s\x1b(B 1\n\x1b$B$O\x1b(B\n";
    await place.put("f.eml", mail);
    match((await place.call("read_file", { filepath: "f.eml" })).text, /\|こん 1\n.*ISO-2022-JP/s);
    const edit = { filepath: "f.eml", old_content: "こん 1", new_content: "は 2 こ" };
    equal((await place.call("edit_file", edit)).status, "ok");
    equal(
      await place.text("f.eml"),
      mail.replace("\x1b$B$3$s\x1b(B 1", "\x1b$B$O\x1b(B 2 \x1b$B$3\x1b(B"),
    );
    const result = await write(place, "f.eml", "はこ\n1\n");
    match(result.text, /keeps ISO-2022-JP/);
    equal(await place.text("f.eml"), "\x1b$B$O$3\x1b(B\n1\n");
    for (const body of ["가\n", "\uff71\n", "a\x1b$B\n"]) {
      match(
        (await write(place, "f.eml", body)).text,
        /nothing was written: line 1.* cannot be written in ISO-2022-JP/,
      );
    }
    equal(await place.text("f.eml"), "\x1b$B$O$3\x1b(B\n1\n");
  }));

Deno.test("a file of ASCII that says what it is written in is written in that; the new text may say another", () =>
  withFiles(async (place) => {
    await place.put("f.py", "# coding: latin-1\nx = 1\n");
    await write(place, "f.py", "# coding: latin-1\nx = 'é'\n");
    equal(await place.bytes("f.py"), bytesOf("# coding: latin-1\nx = '", 0xe9, "'\n"));
    await place.put("h.py", "# coding: latin-1\nx = 1\n");
    await write(place, "h.py", "# coding: utf-8\nx = 'é'\n");
    equal(await place.text("h.py"), "# coding: utf-8\nx = 'é'\n");
    await place.put("g.py", "# coding: utf-7\nx = 1\n");
    const edit = { filepath: "g.py", old_content: "1", new_content: "'é'" };
    match(
      (await place.call("edit_file", edit)).text,
      /encoding of the file is "utf-7", as it says/,
    );
    match(
      (await write(place, "g.py", "# coding: utf-7\nx = 'é'\n")).text,
      /is "utf-7", as it says/,
    );
    equal(await place.text("g.py"), "# coding: utf-7\nx = 1\n");
  }));

Deno.test("where the encoding is not certain, ASCII takes the place of text on ASCII, and of no other", () =>
  withFiles(async (place) => {
    await place.put("dos.txt", bytesOf("caf", 0x82, " ", 0xc4, 0xc4, "\n"));
    const result = await write(place, "dos.txt", "ok\n");
    equal(result.text, "File written: dos.txt (1 line replaced by 1 line)");
    const ebcdic = bytesOf(0xc8, 0x85, 0x93, 0x93, 0x96, 0x40, 0xe6, 0x96, 0x99, 0x93, 0x84, 0x25);
    await place.put("host.txt", ebcdic);
    match((await write(place, "host.txt", "ok\n")).text, /encoding of the file is not certain/);
    equal(await place.bytes("host.txt"), ebcdic);
  }));
