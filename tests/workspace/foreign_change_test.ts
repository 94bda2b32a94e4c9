/** What somebody else changes in a file between a reading and a write is not taken away. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { Readings } from "@/workspace/readings.ts";
import { type FilePlace, withFiles } from "../support/file_place.ts";

const read = (place: FilePlace, range = {}) =>
  place.call("read_file", { filepath: "f.txt", ...range });
const write = (place: FilePlace, content: string) =>
  place.call("write_file", { filepath: "f.txt", content });
const edit = (place: FilePlace, old_content: string, new_content: string) =>
  place.call("edit_file", { filepath: "f.txt", old_content, new_content });

Deno.test("write_file refuses to overwrite what changed after it was read, hands it back, and then may", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    await read(place);
    await place.put("f.txt", "a\nb\ntheirs\n");
    const refused = await write(place, "A\nB\n");
    equal(refused.status, "failed");
    match(refused.text, /^Nothing was written: f\.txt changed after you last read or wrote it/);
    match(refused.text, /^3:[0-9a-f]{3}\|theirs$/m);
    equal(await place.text("f.txt"), "a\nb\ntheirs\n");
    equal((await write(place, "A\nB\ntheirs\n")).status, "ok");
    equal(await place.text("f.txt"), "A\nB\ntheirs\n");
  }));

Deno.test("write_file refuses to overwrite what changed after its own write or edit", () =>
  withFiles(async (place) => {
    await write(place, "a\nb\n");
    equal((await edit(place, "a", "A")).status, "ok");
    equal((await write(place, "A\nB\n")).status, "ok");
    await place.put("f.txt", "A\nB\ntheirs\n");
    equal((await write(place, "C\n")).status, "failed");
    equal(await place.text("f.txt"), "A\nB\ntheirs\n");
  }));

Deno.test("write_file goes on over a file that was touched, deleted, or never read", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\n");
    equal((await write(place, "b\n")).status, "ok");
    await Deno.utime(place.path("f.txt"), new Date(), new Date());
    equal((await write(place, "c\n")).status, "ok");
    await Deno.remove(place.path("f.txt"));
    equal((await write(place, "d\n")).status, "ok");
    equal(await place.text("f.txt"), "d\n");
  }));

Deno.test("an edit beside somebody's change does not make that change known", () =>
  withFiles(async (place) => {
    const rows = Array.from({ length: 40 }, (_, at) => `row ${at}`);
    await place.put("f.txt", `${rows.join("\n")}\n`);
    await read(place);
    await place.put("f.txt", `${rows.join("\n")}\ntheirs\n`);
    equal((await edit(place, "row 3\nrow 4", "three\nfour")).status, "ok");
    await read(place, { start: 10, end: 12 });
    equal((await write(place, "all new\n")).status, "failed");
    equal((await place.text("f.txt")).includes("theirs"), true);
  }));

Deno.test("edit_file by text is refused when the rest of a quoted line changed, and then may", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "one\nlet rate = 5;\nthree\n");
    await read(place);
    await place.put("f.txt", "zero\none\nlet rate = 5 * year;\nthree\n");
    const refused = await edit(place, "rate = 5", "rate = 6");
    equal(refused.status, "failed");
    match(refused.text, /^ {2}3:[0-9a-f]{3}\|let rate = 5 \* year;$/m);
    equal((await edit(place, "rate = 5", "rate = 6")).status, "ok");
    equal(await place.text("f.txt"), "zero\none\nlet rate = 6 * year;\nthree\n");
  }));

Deno.test("edit_file by text lands where its lines only moved, and where they were never shown", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "one\nlet rate = 5;\nthree\n");
    await read(place);
    await place.put("f.txt", "zero\none\nlet rate = 5;\nthree\nsize = 1\n");
    equal((await edit(place, "rate = 5", "rate = 6")).status, "ok");
    equal((await edit(place, "ze = 1", "ze = 2")).status, "ok");
    equal(await place.text("f.txt"), "zero\none\nlet rate = 6;\nthree\nsize = 2\n");
  }));

Deno.test("replay() knows files as the conversation that is resumed knew them", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\n");
    const results = [await read(place), await edit(place, "a", "b"), await write(place, "c\n")];
    const bytes = (text: string) => new TextEncoder().encode(text);
    for (const [count, known] of [[1, "a\n"], [2, "b\n"], [3, "c\n"]] as const) {
      const readings = new Readings();
      readings.replay(results.slice(0, count));
      equal(readings.isForeign(place.path("f.txt"), bytes(known)), false);
      equal(readings.isForeign(place.path("f.txt"), bytes("other\n")), true);
    }
  }));
