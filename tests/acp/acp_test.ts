/** The pieces of the Agent Client Protocol that need no program: bounds, merging, diffs, prompts. */
import { deepStrictEqual as equal, match, ok, throws } from "node:assert/strict";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { diffContent } from "@/acp/content.ts";
import { cappedLines } from "@/acp/line_cap.ts";
import { Outbox } from "@/acp/outbox.ts";
import { readPrompt } from "@/acp/prompt.ts";
import { serversText } from "@/acp/servers.ts";
import { readServers } from "@/mcp/config.ts";
import { changePreview } from "@/workspace/change_preview.ts";
import { fc } from "../support/property.ts";

async function through(chunks: readonly string[], bytesMax: number): Promise<[string, number]> {
  let cuts = 0;
  const from = ReadableStream.from(chunks.map((text) => new TextEncoder().encode(text)));
  const text = await new Response(from.pipeThrough(cappedLines(bytesMax, () => cuts += 1))).text();
  return [text, cuts];
}

Deno.test("cappedLines() bounds each line by itself, however the bytes are cut", () =>
  fc.assert(fc.asyncProperty(
    fc.array(fc.stringMatching(/^[ab\n]{0,9}$/)),
    async (chunks) => {
      const lines = chunks.join("").split("\n");
      equal(await through(chunks, 4), [
        lines.map((line) => line.slice(0, 4)).join("\n"),
        lines.filter((line) => line.length > 4).length,
      ]);
    },
  )));

const chunk = (text: string, messageId = "m"): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});

Deno.test("Outbox keeps the order, and merges what waits for a client that reads slowly", async () => {
  const sent: SessionUpdate[] = [];
  const gate = Promise.withResolvers<void>();
  const outbox = new Outbox(async (update) => {
    sent.push(update);
    await gate.promise;
  });
  const printed = (text: string): SessionUpdate => ({
    sessionUpdate: "tool_call_update",
    toolCallId: "c",
    content: [{ type: "content", content: { type: "text", text } }],
  });
  outbox.push(chunk("a"));
  equal(sent, []);
  outbox.open();
  for (const text of ["b", "c"]) outbox.push(chunk(text));
  outbox.push(chunk("d", "n"));
  for (const text of ["1", "12"]) outbox.push(printed(text));
  outbox.push({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
  gate.resolve();
  await outbox.flush();
  equal(sent, [
    chunk("a"),
    chunk("bc"),
    chunk("d", "n"),
    printed("12"),
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" },
  ]);
});

Deno.test("Outbox gives up what waits when the client is gone", async () => {
  const outbox = new Outbox(() => Promise.reject(new Error("closed")));
  outbox.open();
  outbox.push(chunk("a"));
  outbox.push(chunk("b", "n"));
  await outbox.flush();
});

Deno.test("diffContent() gives each hunk as the text before and after, and what hides is drawn", async () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const after = before.with(1, "changed").with(18, "gone\u202e");
  const patch = await changePreview("f", before, after);
  const content = diffContent(patch, "/w/f");
  equal(content.map((one) => one.type), ["diff", "diff"]);
  const [first, second] = content;
  ok(first?.type === "diff" && second?.type === "diff");
  equal(first.oldText?.split("\n")[1], "line 1");
  equal(first.newText.split("\n")[1], "changed");
  match(second.newText, /gone\\u\{202e\}/);
});

Deno.test("diffContent() shows a diff that was cut as the text that it is", async () => {
  const long = Array.from({ length: 4_000 }, (_, at) => `a line of some length, number ${at}`);
  const [only, ...more] = diffContent(await changePreview("f", undefined, long), "/w/f");
  equal([only?.type, more.length], ["content", 0]);
});

Deno.test("readPrompt() refuses what was not offered and what is none", () => {
  const refused: [Parameters<typeof readPrompt>[0], RegExp][] = [
    [[{ type: "audio", data: "", mimeType: "audio/wav" }], /holds audio/],
    [[{ type: "text", text: " " }], /The prompt is empty/],
    [[{ type: "image", data: "***", mimeType: "image/png" }], /no base64|not base64/],
  ];
  for (const [blocks, why] of refused) throws(() => readPrompt(blocks, "/w"), why);
});

Deno.test("readPrompt() mentions linked files of the machine, and leaves other addresses words", () => {
  const link = (uri: string) => ({ type: "resource_link" as const, name: "it", uri });
  const texts = [
    "file:///w/a%20b.ts#L2-L5",
    "file:///etc/x",
    "https://a.example/x",
    "file:///w/%22",
  ]
    .map((uri) => readPrompt([link(uri)], "/w").said[0]);
  equal(texts, [
    { type: "text", text: ' @"a b.ts"#L2-L5 ' },
    { type: "text", text: ' @"/etc/x" ' },
    { type: "text", text: "it (https://a.example/x)" },
    { type: "text", text: 'it (/w/")' },
  ]);
});

Deno.test("servers of a client get no rights by their entries, and nothing of the environment", () => {
  const text = serversText([{ name: "s", command: "x", args: ["${SECRET}"], env: [] }]) ?? "";
  const { servers } = readServers([{ label: "your editor", origin: "client", text }], {
    env: { SECRET: "told" },
    workspace: "/w",
  });
  const [server] = servers;
  ok(server?.start?.kind === "stdio");
  equal(server.start.args, ["${SECRET}"]);
  equal([server.start.isOutside, server.isTrusted, server.autoApprove], [false, false, []]);
});
