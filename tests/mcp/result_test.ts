import { deepStrictEqual as equal, match } from "node:assert/strict";
import { callFacts, clipped, promptText, resourceText } from "@/mcp/result.ts";

Deno.test("callFacts() gives text as it is and describes the rest", () => {
  const { text, isError, meta } = callFacts({
    content: [
      { type: "text", text: "a" },
      { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
      { type: "audio", mimeType: "audio/wav", data: "aGVsbG8=" },
      { type: "resource_link", uri: "note://1", name: "n", title: "Note", mimeType: "text/plain" },
      { type: "resource", resource: { uri: "note://2", text: "inside" } },
      { type: "resource", resource: { uri: "note://3", blob: "aGVsbG8=" } },
    ],
    structuredContent: { answer: 42 },
    isError: true,
    _meta: { cost: 3, trace: "abc", more: { a: [1] } },
  });
  equal(text.split("\n"), [
    "a",
    "[image: image/png, 5 bytes; it is not shown here]",
    "[audio: audio/wav, 5 bytes; it is not shown here]",
    "[resource Note <note://1>, text/plain]",
    "inside",
    "[resource <note://3>: application/octet-stream, 5 bytes; it is not shown here]",
    "{",
    '  "answer": 42',
    "}",
  ]);
  equal(isError, true);
  equal(meta, { "mcp:cost": 3, "mcp:trace": "abc", "mcp:more": '{"a":[1]}' });
});

Deno.test("callFacts() says structured content once, whichever way the text says it", () => {
  const twice = {
    content: [{ type: "text" as const, text: '{ "a": 1 }' }],
    structuredContent: { a: 1 },
  };
  equal(callFacts(twice).text, '{ "a": 1 }');
  const only = {
    content: [{ type: "text" as const, text: "x" }],
    structuredContent: { content: "x" },
  };
  equal(callFacts(only).text, "x");
  const list = {
    content: [{ type: "text" as const, text: '[\n  { "a": 1 }\n]' }],
    structuredContent: { entities: [{ a: 1 }] },
  };
  equal(callFacts(list).text, '[\n  { "a": 1 }\n]');
  const more = { ...list, structuredContent: { entities: [{ a: 1 }], total: 2 } };
  match(callFacts(more).text, /"total": 2/);
});

Deno.test("clipped() cuts the middle, counts what is left out and says where it goes on", () => {
  const text = "a".repeat(6_000) + "b".repeat(3_000);
  const cut = clipped(text, 8_000, (offset) => `offset ${offset}`);
  const [head = "", gap = "", tail = ""] = cut.split("\n");
  equal(head.length + tail.length, 8_000);
  match(gap, /1000 characters cut/);
  const offset = Number(/offset (\d+)/.exec(gap)?.[1]);
  equal(head + text.slice(offset, offset + 1_000) + tail, text);
  equal(clipped("short", 8_000, () => ""), "short");
});

Deno.test("resourceText() and promptText() read what servers hand over", () => {
  equal(
    resourceText({ contents: [{ uri: "a:b", text: "one" }, { uri: "a:c", text: "two" }] }),
    "one\ntwo",
  );
  equal(
    promptText({
      messages: [
        { role: "user", content: { type: "text", text: "hello" } },
        { role: "assistant", content: { type: "text", text: "hi" } },
      ],
    }),
    "hello\n\n(as the assistant:) hi",
  );
});
