import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { withFiles } from "../support/file_place.ts";

Deno.test("edit_file lands although another line changed between read and write", async () => {
  let runs = 0;
  await withFiles(async (place) => {
    await place.put("f.txt", "a\nb\nc\n");
    const anchors = await place.anchors("f.txt");
    const result = await place.call("edit_file", {
      filepath: "f.txt",
      new_content: `${anchors[1]}|B`,
    });
    equal(result.status, "ok");
    equal(await place.text("f.txt"), "a\nB\nC\n");
    equal(runs, 2);
  }, {
    beforeJournal: async (place) => {
      runs += 1;
      if (runs === 1) await place.put("f.txt", "a\nb\nC\n");
    },
  });
});

Deno.test("edit_file is refused with fresh rows when its line changed between read and write", async () => {
  let runs = 0;
  await withFiles(async (place) => {
    await place.put("f.txt", "a\nb\nc\n");
    const anchors = await place.anchors("f.txt");
    const edit = { filepath: "f.txt", new_content: `${anchors[1]}|B` };
    const result = await place.call("edit_file", edit);
    equal(result.status, "failed");
    match(result.text, /^ {2}2:[0-9a-f]{3}\|theirs$/m);
    equal(await place.text("f.txt"), "a\ntheirs\nc\n");
    const fresh = /(2:[0-9a-f]{3})\|theirs/.exec(result.text)?.[1];
    const again = await place.call("edit_file", {
      filepath: "f.txt",
      new_content: `${fresh}|ours`,
    });
    equal(again.status, "ok");
    equal(await place.text("f.txt"), "a\nours\nc\n");
  }, {
    beforeJournal: async (place) => {
      runs += 1;
      if (runs === 1) await place.put("f.txt", "a\ntheirs\nc\n");
    },
  });
});

Deno.test("edit_file gives up, with nothing written, on a file that changes every time", async () => {
  let runs = 0;
  await withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    const edit = place.call("edit_file", { filepath: "f.txt", old_content: "b", new_content: "B" });
    await rejects(edit, /Nothing was written: .* has changed since it was read/);
    equal(await place.text("f.txt"), `a\nb\n${"+".repeat(2)}`);
  }, {
    beforeJournal: async (place) => {
      runs += 1;
      await place.put("f.txt", `a\nb\n${"+".repeat(runs)}`);
    },
  });
});

Deno.test("edit_file sees a change that fits the fingerprint, in a line that was shown", async () => {
  await withFiles(async (place) => {
    // `rate = 92` and `rate = 93`, indented by four, have one fingerprint.
    await place.put("f.py", "x = 1\n    rate = 92\n");
    const anchors = await place.anchors("f.py");
    await place.put("f.py", "x = 1\n    rate = 93\n");
    equal((await place.anchors("f.py"))[1], anchors[1]);
  });
  await withFiles(async (place) => {
    await place.put("f.py", "x = 1\n    rate = 92\n");
    const anchors = await place.anchors("f.py");
    await place.put("f.py", "x = 1\n    rate = 93\n");
    const edit = { filepath: "f.py", new_content: `${anchors[1]}|    rate = 100` };
    const refused = await place.call("edit_file", edit);
    equal(refused.status, "failed");
    match(refused.text, /^ {2}2:a83\| {4}rate = 93$/m);
    equal((await place.call("edit_file", edit)).status, "ok");
  });
});

Deno.test("a question's preview shows the diff and changes neither the file nor what counts as shown", async () => {
  await withFiles(async (place) => {
    await place.put("f.txt", "a\nb\nc\n");
    const anchors = await place.anchors("f.txt");
    const edit = { filepath: "f.txt", new_content: `${anchors[1]}|B` };
    const diff = await place.preview("edit_file", edit);
    equal(diff, "--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c");
    equal(await place.text("f.txt"), "a\nb\nc\n");
    const span = {
      filepath: "f.txt",
      old_content: `${anchors[0]}-${anchors[2]}`,
      new_content: "x",
    };
    await place.put("f.txt", "a\nOTHER\nc\n");
    match(
      await place.preview("edit_file", span) ?? "",
      /^Nothing was written: line 2 of f\.txt changed/,
    );
    equal((await place.call("edit_file", span)).status, "failed");
  });
});

Deno.test("edit_file says when nothing changes, and records nothing", async () => {
  let edits = 0;
  await withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    const result = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: "b",
      new_content: "b",
    });
    equal([result.status, result.changed, edits], ["ok", undefined, 0]);
    match(result.text, /no change/);
  }, { beforeJournal: () => Promise.resolve(void (edits += 1)) });
});

Deno.test("edit_file leaves a write-protected file alone and says what would help", async () => {
  await withFiles(async (place) => {
    await place.put("f.txt", "a\n", 0o444);
    const result = await place.call("edit_file", {
      filepath: "f.txt",
      old_content: "a",
      new_content: "b",
    });
    equal(result.status, "failed");
    match(result.text, /write-protected \(mode 0444\).*chmod u\+w/);
    equal(await place.text("f.txt"), "a\n");
  });
});

Deno.test("edit_file names line, column and character that the file's encoding has no bytes for", async () => {
  await withFiles(async (place) => {
    const korean = Uint8Array.from([0xb0, 0xa1, 0xb0, 0xdd, 0x20, 0x3d, 0x20, 0x31, 0x0a]);
    await place.put("f.py", korean);
    const [first] = await place.anchors("f.py");
    const result = await place.call("edit_file", {
      filepath: "f.py",
      new_content: `${first}|가격 = "😀"`,
    });
    equal(result.status, "failed");
    match(result.text, /line 1, column 7: "😀" \(U\+1F600\) cannot be written in EUC-KR/);
    equal(await place.bytes("f.py"), korean);
    const written = await place.call("edit_file", {
      filepath: "f.py",
      new_content: `${first}|똠방 = 1`,
    });
    equal(written.status, "ok");
    equal(
      await place.bytes("f.py"),
      Uint8Array.from([0x8c, 0x63, 0xb9, 0xe6, 0x20, 0x3d, 0x20, 0x31, 0x0a]),
    );
  });
});

Deno.test("edit_file does not double or add a byte order mark", async () => {
  await withFiles(async (place) => {
    await place.put("marked.txt", "\ufeffa\nb\n");
    const [first] = await place.anchors("marked.txt");
    await place.call("edit_file", {
      filepath: "marked.txt",
      old_content: first,
      new_content: "\ufeffA",
    });
    equal(await place.text("marked.txt"), "\ufeffA\nb\n");
    await place.put("plain.txt", "a\nb\n");
    await place.call("edit_file", {
      filepath: "plain.txt",
      old_content: "a",
      new_content: "\ufeffA",
    });
    equal(await place.text("plain.txt"), "A\nb\n");
  });
});

Deno.test("edit_file reports what it did in words, with the rows around it", async () => {
  await withFiles(async (place) => {
    await place.put(
      "greet.py",
      'def greet(name):\n    answer = "hi " + name\n    print(answer)\n    return answer\n',
    );
    const anchors = await place.anchors("greet.py");
    const one = await place.call("edit_file", {
      filepath: "greet.py",
      new_content: `${anchors[2]}|    pass`,
    });
    equal(
      one.text,
      [
        "File edited: greet.py (line 3 replaced). One line became one line, so nothing below moved and the rest of your anchors are still good.",
        "The file now reads, around what you changed:",
        "  1:eb1|def greet(name):",
        '  2:cd7|    answer = "hi " + name',
        "  3:3dd|    pass",
        "  4:964|    return answer",
        "  5:d41|",
      ].join("\n"),
    );
    equal(one.changed, [place.path("greet.py")]);
    const two = await place.call("edit_file", {
      filepath: "greet.py",
      old_content: `${anchors[1]}-3:3dd`,
      new_content: "    return name",
    });
    match(
      two.text,
      /\(lines 2-3 \(2 lines\) replaced by 1\)\. What stood below line 3 moved up by 1 line\./,
    );
    match(two.text, /take their anchors from a new read_file\.$/);
    const { summary } = place.tools.edit_file ?? {};
    equal(summary?.({ filepath: "greet.py" }), "edit greet.py");
    equal(
      summary?.({ filepath: "greet.py" }, two),
      "edited greet.py: lines 2-3 (2 lines) replaced by 1",
    );
    ok(summary?.({ filepath: "greet.py" }, { status: "failed", text: "" }).includes("did not"));
  });
});
