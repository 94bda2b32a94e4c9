import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { pastReadings } from "@/features/files/past_readings.ts";
import type { Part } from "@/protocol/message.ts";
import { PIXEL } from "../support/conversation.ts";
import { mentionReader, type ReaderOptions, type TestReader } from "../support/mention_reader.ts";
import { type Tree, withTree } from "../verify/tree.ts";

const never = new AbortController().signal;
const text = (said: string): Part[] => [{ type: "text", text: said }];

type Look = (parts: { sent: readonly Part[]; dir: string } & TestReader) => unknown;

/** One message in `ws` of a tree. */
function said(message: string, options: ReaderOptions & { tree?: Tree }, look: Look) {
  const { tree = {}, ...rest } = options;
  return withTree({ "ws/a.txt": "one\ntwo\n", "out.txt": "secret\n", ...tree }, async (root) => {
    const dir = join(root, "ws");
    await Deno.writeFile(join(dir, "p.png"), PIXEL);
    const made = mentionReader(dir, rest);
    const sent = await made.reader.said(text(message), never);
    await look({ sent, dir, ...made });
  });
}

Deno.test("a file comes as anchored rows behind the message, and counts as read, in a reopened session too", () =>
  said("what is @a.txt?", {}, ({ sent, dir, readings, notices }) => {
    const attached = "[Attached file: a.txt]\n1:f97|one\n2:b8a|two\n3:d41|";
    equal(sent, [...text("what is @a.txt?"), ...text(attached)]);
    equal(notices, []);
    const path = join(dir, "a.txt");
    equal(readings.stale(path, [1], ["other", "two", ""]), [1]);
    const message = { role: "user", origin: "person", content: sent } as const;
    const past = pastReadings([{ type: "message", message }], dir);
    equal(past.stale(path, [1], ["other", "two", ""]), [1]);
    equal(past.stale(path, [2], ["other", "two", ""]), []);
  }));

Deno.test("lines of a file, a directory and an image are attached with what they are", () =>
  said("@a.txt:2 @. @p.png", {}, ({ sent }) => {
    equal(sent.length, 5);
    const [, lines, listing, header, image] = sent;
    match(
      JSON.stringify(lines),
      /\[Attached file: a\.txt line 2\]\\n2:b8a\|two\\n\(line 2 of 2\)"/,
    );
    match(JSON.stringify(listing), /\[Attached directory listing: \.\]\\n\. has 2 files:\\na\.txt/);
    equal([header, image], [
      { type: "text", text: "[Attached image: p.png, 1x1]" },
      { type: "image", mime: "image/png", data: PIXEL },
    ]);
  }));

Deno.test("a path outside is asked about; nobody or a no leave the message as it was, a yes attaches it", async () => {
  const nobody = "nobody is here to approve it (nothing allows this call)";
  await said("@../out.txt", {}, ({ sent, asked, notices }) => {
    equal(sent, text("@../out.txt"));
    equal(asked.map(({ tool, outside }) => [tool.name, outside]), [["read_file", true]]);
    equal(notices, [`"@../out.txt" was not attached: ${nobody}`]);
  });
  await said("@../out.txt", { approval: { answer: "no" } }, ({ sent }) => equal(sent.length, 1));
  await said("@../out.txt", { approval: { answer: "yes" } }, ({ sent, notices }) => {
    match(JSON.stringify(sent[1]), /secret/);
    equal(notices, []);
  });
});

Deno.test("what rules deny is not read, not even its size", () =>
  said("@a.txt and @p.png", {
    guards: [({ subject }) =>
      subject.kind === "path" && subject.paths.some((path) => path.endsWith("a.txt"))
        ? { verdict: "deny", by: "rule", reason: 'rule "read_file(a.txt)" denies it' }
        : undefined],
  }, ({ sent, notices, asked }) => {
    equal(sent.length, 3);
    equal(notices, ['"@a.txt" was not attached: rule "read_file(a.txt)" denies it']);
    equal(asked, []);
  }));

Deno.test("a link that leads outside is asked about as what it leads to", () =>
  withTree({ "ws/": "", "out.txt": "secret\n" }, async (root) => {
    await Deno.symlink("../out.txt", join(root, "ws/in.txt"));
    const { reader, asked } = mentionReader(join(root, "ws"));
    equal((await reader.said(text("@in.txt"), never)).length, 1);
    equal(asked.map(({ subject }) => subject), [{ kind: "path", paths: [join(root, "out.txt")] }]);
  }));

Deno.test("the directory of harness's own state is never attached", () =>
  withTree({ "ws/": "", "home/providers.json": "{}" }, async (root) => {
    const { reader, asked, notices } = mentionReader(join(root, "ws"), {
      ...{ forbidden: [join(root, "home")], approval: { answer: "yes" } },
    });
    equal((await reader.said(text("@../home/providers.json"), never)).length, 1);
    equal(asked, []);
    match(notices.join(), /keeps its own state, which no tool touches/);
  }));

Deno.test("what cannot be shown is told: a name that is not there, a binary file, lines beyond the end, a fifth image", () =>
  said("@b.txt @x.bin @a.txt:9 @p.png @./p.png @../ws/p.png @../ws/./p.png @./../ws/p.png", {
    tree: { "ws/x.bin": "\0\0\x01" },
  }, ({ sent, notices }) => {
    equal(sent.filter(({ type }) => type === "image").length, 4);
    equal(notices.map((one) => one.replace(/\(.*\)/, "(…)")), [
      '"@b.txt" was not attached: nothing with that name is there',
      '"@x.bin" was not attached: Cannot read "x.bin": it is a binary file (…), and not text',
      '"@a.txt line 9" was not attached: it has 2 lines',
      '"@./../ws/p.png" was not attached: a message takes 4 images',
    ]);
  }));

Deno.test("of pasted code, only what looks like a path is told", () =>
  said("@Override @Test @Inject x @lib/none.ts @a.txt", {}, ({ sent, notices }) => {
    equal(sent.length, 2);
    equal(notices, ['"@lib/none.ts" was not attached: nothing with that name is there']);
  }));

Deno.test("one mention adds no more than its share, in whole lines", () =>
  said(
    "@long.txt",
    { tree: { "ws/long.txt": "가나다라마\n".repeat(2_000) }, charsMax: 3_000 },
    ({ sent }) => {
      const [, part] = sent;
      const attached = part?.type === "text" ? part.text : "";
      equal(attached.length < 3_000 && attached.length > 500, true);
      match(
        attached,
        /\n\(lines 1-\d+ of 2000; read on with start=\d+\)\n\[cut here; read_file shows the rest\]$/,
      );
    },
  ));

Deno.test("an interrupt ends it, and a message without mentions is not looked into", () =>
  withTree({ "a.txt": "x" }, async (dir) => {
    const { reader } = mentionReader(dir);
    const plain = text("nothing here");
    equal(await reader.said(plain, never), plain);
    const stop = AbortSignal.abort(new DOMException("stop", "AbortError"));
    await rejects(reader.said(text("@a.txt"), stop), /stop/);
  }));
