import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { decodeRecord } from "@/session/decode.ts";
import { encodeRecord } from "@/session/record.ts";
import { durableEvent } from "../support/arbitrary_event.ts";

const AT = "2026-03-04T05:06:07.890Z";

Deno.test("decodeRecord() reads back every event that encodeRecord() wrote", () => {
  fc.assert(
    fc.property(durableEvent, (event) => {
      const line = encodeRecord({ v: 1, at: AT, event });
      equal(decodeRecord(JSON.parse(line)), { kind: "record", record: { v: 1, at: AT, event } });
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("encodeRecord() writes the bytes of an image as base64 text", () => {
  const data = new Uint8Array([0, 1, 254, 255]);
  const image = { type: "image" as const, mime: "image/png", data };
  const said = { role: "user" as const, content: [image], origin: "person" as const };
  const shown = {
    role: "tool" as const,
    callId: "c1",
    name: "view",
    result: { status: "ok" as const, text: "", parts: [image] },
  };
  for (const message of [said, shown]) {
    const line = encodeRecord({ v: 1, at: AT, event: { type: "message", message } });
    equal(line.includes('"data":"AAH+/w=="'), true, line);
  }
});

Deno.test("decodeRecord() keeps fields that it does not know", () => {
  const event = { type: "title", title: "A", colour: "red", more: { deep: [1] } };
  const decoded = decodeRecord({ v: 1, at: AT, event, checksum: 7 });
  equal(decoded, { kind: "record", record: { v: 1, at: AT, event } });
});

Deno.test("decodeRecord() tells what a later version wrote from damage", () => {
  const cases: readonly [value: unknown, kind: string][] = [
    [{ v: 2, at: AT, event: { type: "title", title: "A" } }, "foreign"],
    [{ v: 1, at: AT, event: { type: "mood", mood: "good" } }, "foreign"],
    [{ v: 1, at: AT, event: { type: "title", title: { ko: "A" } } }, "foreign"],
    [{ v: 1, at: AT, event: { type: "toString" } }, "foreign"],
    [{ v: 1, at: AT, event: {} }, "damaged"],
    [{ v: 1, event: { type: "title", title: "A" } }, "damaged"],
    [{ at: AT, event: { type: "title", title: "A" } }, "damaged"],
    [{ v: "1", at: AT, event: { type: "title", title: "A" } }, "damaged"],
    [[], "damaged"],
    [null, "damaged"],
    [undefined, "damaged"],
  ];
  for (const [value, kind] of cases) {
    equal(decodeRecord(value).kind, kind, JSON.stringify(value));
  }
});

Deno.test("decodeRecord() keeps a message around parts and blocks of kinds that it does not know", () => {
  const user = {
    role: "user",
    origin: "person",
    content: [{ type: "text", text: "hear this" }, { type: "audio", data: "AAAA" }],
  };
  const assistant = {
    role: "assistant",
    stop: "end",
    content: [{ type: "citation", url: "x" }, { type: "text", text: "heard" }],
  };
  const contents = [user, assistant].map((message) => {
    const decoded = decodeRecord({ v: 1, at: AT, event: { type: "message", message } });
    if (decoded.kind !== "record" || decoded.record.event.type !== "message") return decoded;
    const { message: read } = decoded.record.event;
    return read.role === "tool" ? read : read.content;
  });
  equal(contents, [
    [
      { type: "text", text: "hear this" },
      { type: "text", text: '(content of kind "audio" that this version cannot read)' },
    ],
    [{ type: "text", text: "heard" }],
  ]);
});

Deno.test("decodeRecord() keeps a call whose input was never read", () => {
  const call = { type: "tool_call" as const, id: "c1", name: "x", input: undefined, damage: "cut" };
  const event = {
    type: "message" as const,
    message: { role: "assistant" as const, content: [call], stop: "length" as const },
  };
  const decoded = decodeRecord(JSON.parse(encodeRecord({ v: 1, at: AT, event })));
  const kept = { ...event, message: { ...event.message, content: [{ ...call, input: null }] } };
  equal(decoded, { kind: "record", record: { v: 1, at: AT, event: kept } });
});
